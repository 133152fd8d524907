/** Scenarios of groups, profiles, invitations and of the organization's end. */
import { api } from '../../../src-main/contract/api/index.ts';
import { canManageInvitation } from '../../../src-main/service/domain/rules/permissions.ts';
import { ada, cleo, idOf } from '../api.ts';
import { made, plain, type Scenario, type Scenarios } from './scenario.ts';
import { emailOf, type Kind, type MatrixWorld } from './world.ts';

const PASSWORD = 'a long password';

/** A group that everybody here is in: whoever may change groups may change this one. */
async function group(world: MatrixWorld): Promise<number> {
  const name = world.fresh('group ');
  const members = [1, 2, 4, 6];
  await world.service.ask(ada, api.userGroups.create, { name, members });
  const { user_groups: groups } = await world.service.ask(ada, api.userGroups.list);
  return groups.at(-1)?.id ?? 0;
}

const userGroups: Scenarios['userGroups'] = {
  list: plain(),
  create: made((world) => Promise.resolve({ name: world.fresh('group ') })),
  post: made((world) => Promise.resolve({ name: world.fresh('group ') })),
  update: made(async (world) => ({
    user_group_id: await group(world),
    name: world.fresh('group '),
  })),
  remove: made(async (world) => ({ user_group_id: await group(world) })),
  changeMembers: made(async (world) => ({ user_group_id: await group(world), add: [idOf[cleo]] })),
};

const field = async (world: MatrixWorld): Promise<number> => {
  const params = { name: world.fresh('field '), field_type: 1 };
  return (await world.service.ask(ada, api.profileFields.add, params)).id;
};

const profileFields: Scenarios['profileFields'] = {
  list: plain(),
  add: made((world) => Promise.resolve({ name: world.fresh('field '), field_type: 1 })),
  order: made(async (world) => {
    await field(world);
    const { custom_fields: fields } = await world.service.ask(ada, api.profileFields.list);
    return { order: fields.map(({ id }) => id).reverse() };
  }),
  update: made(async (world) => ({ field_id: await field(world), hint: world.fresh('hint ') })),
  remove: made(async (world) => ({ field_id: await field(world) })),
  answer: made(async (world) => ({ data: [{ id: await field(world), value: 'soup' }] })),
  withdraw: made(async (world) => ({ data: [await field(world)] })),
};

const submessages: Scenarios['submessages'] = {
  add: made(async (world) => ({
    message_id: await world.message(),
    msg_type: 'widget',
    content: '{}',
  })),
};

async function invite(world: MatrixWorld): Promise<{ readonly id: number; readonly link: string }> {
  const invitee_emails = `${world.fresh('invited')}@example.com`;
  await world.service.ask(cleo, api.invitations.invite, { invitee_emails });
  const { invites } = await world.service.ask(cleo, api.invitations.list);
  const { id = 0, link = '' } = invites.at(-1) ?? {};
  return { id, link };
}

const invitations: Scenarios['invitations'] = {
  list: plain(),
  invite: made((world) =>
    Promise.resolve({ invitee_emails: `${world.fresh('invited')}@example.com` }),
  ),
  revoke: made(
    async (world) => ({ invite_id: (await invite(world)).id }),
    (actor) => canManageInvitation(actor, idOf[cleo] ?? 0),
  ),
  accept: made(async (world) => ({
    token: (await invite(world)).link.split('/').at(-1),
    full_name: 'Newly Invited',
    password: PASSWORD,
  })),
};

const reopen = ({ service }: MatrixWorld): void => {
  service.change('UPDATE realm SET is_deactivated = 0');
};

/** Keys are looked up while the organization is open. */
async function signedIn(world: MatrixWorld, kind: Kind): Promise<void> {
  reopen(world);
  const email = emailOf(kind);
  if (email !== null) await world.service.keyOf(email);
}

const closing: { readonly [N in keyof Scenarios['closing']]: Scenario } = {
  deactivate: {
    prepare: async (world, kind) => {
      await signedIn(world, kind);
      return { params: {} };
    },
  },
  reactivate: {
    prepare: async (world, kind) => {
      await signedIn(world, kind);
      const username = `${world.fresh('admin')}@example.com`;
      const account = { email: username, password: PASSWORD, full_name: 'Comes Back' };
      const { user_id } = await world.service.ask(ada, api.users.create, account);
      await world.service.ask(ada, api.userAdmin.update, { user_id, is_admin: true });
      await world.service.ask(ada, api.closing.deactivate);
      return { params: { username, password: PASSWORD } };
    },
  },
};

export const communityScenarios = {
  userGroups,
  profileFields,
  submessages,
  invitations,
  closing,
  compatibility: {
    listDevelopmentUsers: plain(),
    setTutorialStatus: plain({ status: 'finished' }),
    addAppleToken: plain({ token: 'a1' }),
    removeAppleToken: plain({ token: 'a1' }),
    addAndroidToken: plain({ token: 'a1' }),
    removeAndroidToken: plain({ token: 'a1' }),
  },
} satisfies Partial<Scenarios>;
