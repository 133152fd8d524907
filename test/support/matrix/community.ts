/** Scenarios of groups, profiles, invitations, and of the organization from its emoji to its end. */
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, type Params } from '../service/api.ts';
import { newJoinRequest } from '../service/join-requests.ts';
import { png, upload } from '../images.ts';
import { isStranger } from './cast.ts';
import type { model } from './model.ts';
import { made, plain, type Scenario, type ScenariosOf, type Use } from './scenario.ts';
import type { MatrixWorld } from './world.ts';

type Scenarios = ScenariosOf<typeof model>;

const PASSWORD = 'a long password';

/** A group that the author is in. */
async function group({ world }: Use): Promise<Params> {
  const params = { name: world.fresh('group '), members: [world.idOf('author')] };
  await world.service.ask(ada, api.userGroups.create, params);
  const { user_groups: groups } = await world.service.ask(ada, api.userGroups.list);
  return { user_group_id: groups.at(-1)?.id };
}

const groupNamed = made(({ world }) => ({ name: world.fresh('group ') }));
const userGroups: Scenarios['userGroups'] = {
  list: plain(),
  create: groupNamed,
  post: groupNamed,
  update: made(async (use) => ({ ...(await group(use)), name: use.world.fresh('group ') })),
  remove: made(group),
  changeMembers: made(async (use) => ({
    ...(await group(use)),
    add: [use.world.idOf('bystander')],
  })),
};

const fieldNamed = ({ world }: Use): Params => ({ name: world.fresh('field '), field_type: 1 });
const field = async (use: Use): Promise<number> =>
  (await use.world.service.ask(ada, api.profileFields.add, fieldNamed(use))).id;

/** The caller's answer to a field, where they may give one. */
const answered = async (use: Use): Promise<Params> => {
  const id = await field(use);
  const data = [{ id, value: 'soup' }];
  const { world, caller, isSpent } = use;
  if (isSpent && !isStranger(caller)) {
    await world.service.ask(world.emailOf(caller), api.profileFields.answer, { data });
  }
  return { data: [id] };
};

const profileFields: Scenarios['profileFields'] = {
  list: plain(),
  add: made(fieldNamed),
  order: made(async (use) => {
    await field(use);
    const { custom_fields: fields } = await use.world.service.ask(ada, api.profileFields.list);
    return { order: fields.map(({ id }) => id).reverse() };
  }),
  update: made(async (use) => ({ field_id: await field(use), hint: use.world.fresh('hint ') })),
  remove: made(async (use) => ({ field_id: await field(use) })),
  answer: made(async (use) => ({ data: [{ id: await field(use), value: 'soup' }] })),
  withdraw: made(answered),
};

/** One of the author. */
async function invite({ world }: Use): Promise<{ readonly id: number; readonly link: string }> {
  const invitee_emails = `${world.fresh('invited')}@example.com`;
  await world.service.ask(ben, api.invitations.invite, { invitee_emails });
  const { invites } = await world.service.ask(ben, api.invitations.list);
  const { id = 0, link = '' } = invites.at(-1) ?? {};
  return { id, link };
}

const invitations: Scenarios['invitations'] = {
  list: made(async (use) => ({ looked_for: (await invite(use)).id }), {
    finds: ({ invites }, { looked_for }) =>
      (invites as readonly { readonly id: number }[]).some(({ id }) => id === looked_for),
  }),
  invite: made(({ world }) => ({ invitee_emails: `${world.fresh('invited')}@example.com` })),
  inviteMany: made(answered),
  revoke: made(async (use) => ({ invite_id: (await invite(use)).id })),
  look: made(async (use) => ({ token: (await invite(use)).link.split('/').at(-1) })),
  accept: made(async (use) => ({
    token: (await invite(use)).link.split('/').at(-1),
    ...{ full_name: 'Newly Invited', password: PASSWORD },
  })),
};

const askedBy = (world: MatrixWorld): Params => {
  // However many have asked before, there is room.
  world.service.change('DELETE FROM join_request');
  return { full_name: 'Somebody New', email: `${world.fresh('asks')}@example.com` };
};

const joinRequest = ({ world }: Use) =>
  newJoinRequest(world.service, String(askedBy(world)['email']));
const secretOf = async (use: Use): Promise<Params> => ({ secret: (await joinRequest(use)).secret });
const requestOf = async (use: Use): Promise<Params> => ({
  request_id: (await joinRequest(use)).request_id,
});

const joinRequests: Scenarios['joinRequests'] = {
  ask: made(({ world }) => askedBy(world)),
  state: made(secretOf),
  withdraw: made(secretOf),
  list: plain(),
  accept: made(requestOf),
  decline: made(requestOf),
};

const reopen = ({ world }: Use): void => {
  world.service.change('UPDATE realm SET is_deactivated = 0');
};

const closing: Scenarios['closing'] = {
  deactivate: { ...plain(), settle: reopen },
  reactivate: made(async ({ world }) => {
    await world.service.ask(ada, api.closing.deactivate);
    return { username: world.emailOf('admin inside'), password: PASSWORD };
  }),
};

const emojiOfAuthor = async ({ world }: Use): Promise<Params> => {
  const name = world.fresh('emoji');
  await world.service.ask(ben, api.emoji.add, { name }, { body: upload(png) });
  return { name };
};

const linkifier = (world: MatrixWorld): Params => ({
  pattern: `${world.fresh('T')}-(?P<id>[0-9]+)`,
  url_format_string: 'https://example.com/%(id)s',
});

const token: Scenario = plain({ token: 'a1' });

export const communityScenarios = {
  userGroups,
  profileFields,
  invitations,
  joinRequests,
  closing,
  realmIcon: {
    set: { prepare: () => ({ params: {}, body: upload(png) }) },
    remove: made(async ({ world }) => {
      await world.service.ask(ada, api.realmIcon.set, {}, { body: upload(png) });
      return {};
    }),
  },
  emoji: {
    list: plain(),
    add: {
      prepare: ({ world }) => ({ params: { name: world.fresh('emoji') }, body: upload(png) }),
    },
    deactivate: made(emojiOfAuthor),
  },
  server: {
    settings: plain(),
    addresses: plain(),
    meetEpoch: plain({ n: 1, id: 'ab'.repeat(16), parent: '', signature: 'AAAA' }),
    createOrganization: plain({
      ...{ realm_name: 'Second', full_name: 'Somebody', email: 'a@example.com' },
      password: PASSWORD,
    }),
  },
  webhooks: {
    receive: {
      prepare: () => ({
        params: { integration: 'helloworld', stream: 'general' },
        body: JSON.stringify({ featured_title: 'Soup', featured_url: 'https://example.com/' }),
      }),
    },
    probe: { prepare: () => ({ params: { integration: 'trello' } }) },
  },
  realm: {
    update: {
      description: made(({ world }) => ({ description: world.fresh('about ') })),
      'editing of messages': made(({ world, isSpent }) => ({
        message_content_edit_limit_seconds: isSpent ? 600 + Number(world.fresh('')) : 600,
      })),
    },
  },
  linkifiers: {
    filters: plain(),
    list: plain(),
    add: made(({ world }) => linkifier(world)),
    remove: made(async ({ world }) => ({
      filter_id: (await world.service.ask(ada, api.linkifiers.add, linkifier(world))).id,
    })),
  },
  auditLog: { list: plain(), export: plain() },
  health: { show: plain() },
  compatibility: {
    listDevelopmentUsers: plain(),
    setTutorialStatus: plain({ status: 'finished' }),
    addAppleToken: token,
    removeAppleToken: token,
    addAndroidToken: token,
    removeAndroidToken: token,
  },
} satisfies Partial<Scenarios>;
