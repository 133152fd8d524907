/** Scenarios of accounts, of what belongs to them, and of bots. */
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, cleo, hookBot, type Params } from '../service/api.ts';
import { png, upload } from '../images.ts';
import type { model } from './model.ts';
import { asCaller, made, plain, type Scenario, type ScenariosOf, type Use } from './scenario.ts';
import type { MatrixWorld } from './world.ts';

type Scenarios = ScenariosOf<typeof model>;

const PASSWORD = 'a long password';

/** Whom it is done to: another one each time where it is done. */
const ofPerson = (make: (world: MatrixWorld) => Params = () => ({})): Scenario =>
  made(async ({ world, isSpent }) => ({
    user_id: isSpent ? await world.person() : world.idOf('bystander'),
    ...make(world),
  }));
const ofBot = (make: (use: Use) => Params = () => ({})): Scenario =>
  made(async (use) => ({
    bot_id: use.isSpent ? await use.world.bot() : use.world.idOf("author's bot"),
    ...make(use),
  }));

const users: Scenarios['users'] = {
  me: plain(),
  list: plain(),
  create: made(({ world }) => ({
    email: `${world.fresh('created')}@example.com`,
    ...{ password: PASSWORD, full_name: 'Somebody New' },
  })),
  fetchApiKey: made(({ world }) => ({ username: world.emailOf('bystander'), password: PASSWORD })),
  devFetchApiKey: plain({ username: cleo }),
};

const userAdmin: Scenarios['userAdmin'] = {
  get: plain({ user_id: 1 }),
  update: {
    name: ofPerson((world) => ({ full_name: world.fresh('Renamed ') })),
    role: ofPerson(() => ({ role: 600 })),
  },
  deactivate: ofPerson(),
  reactivate: made(async ({ world, isSpent }) => {
    if (!isSpent) return { user_id: world.idOf('a deactivated account') };
    const user_id = await world.person();
    await world.service.ask(ada, api.userAdmin.deactivate, { user_id });
    return { user_id };
  }),
  regenerateKey: { ...plain(), settle: (use) => use.world.service.forgetKey(asCaller(use)) },
};

const device = async (world: MatrixWorld, username: string): Promise<Params> => {
  const { device_id } = await world.service.ask(null, api.devices.signIn, { username });
  return { device_id };
};

const devices: Scenarios['devices'] = {
  signIn: plain({ username: cleo, name: 'A laptop' }),
  list: plain(),
  end: {
    own: made((use) => {
      const who = asCaller(use);
      return device(use.world, who.includes('bot') ? cleo : who);
    }),
    "another's": made(({ world }) => device(world, world.emailOf('bystander'))),
  },
  endCurrent: plain(),
  listOf: plain({ user_id: 3 }),
  lastUses: plain(),
  endOf: made(async ({ world }) => ({ user_id: 3, ...(await device(world, cleo)) })),
  renewKeys: {
    'of a person': ofPerson(),
    'of a bot': made(async ({ world, isSpent }) => ({
      user_id: isSpent ? await world.bot() : world.idOf("author's bot"),
    })),
  },
};

const passwordLinks: Scenarios['passwordLinks'] = {
  make: ofPerson(() => ({ password: PASSWORD })),
  use: made(async ({ world }) => {
    const user_id = await world.person();
    const { link } = await world.service.ask(ada, api.passwordLinks.make, { user_id });
    return { token: link.split('/').at(-1), new_password: world.fresh('battery staple ') };
  }),
};

const bots: Scenarios['bots'] = {
  create: made(({ world }) => ({
    full_name: world.fresh('Bot '),
    short_name: world.fresh('bot'),
  })),
  list: made(({ world }) => ({ looked_for: world.emailOf("author's bot") }), {
    finds: ({ bots: found }, { looked_for }) =>
      (found as readonly { readonly username: string }[]).some(
        ({ username }) => username === looked_for,
      ),
  }),
  update: {
    name: ofBot(({ world }) => ({ full_name: world.fresh('Robot ') })),
    owner: ofBot(({ world }) => ({ bot_owner_id: world.idOf('bystander') })),
  },
  regenerateKey: ofBot(),
  deactivate: ofBot(),
};

const ofHook = (make: (world: MatrixWorld) => Params | Promise<Params> = () => ({})): Scenario =>
  made(async ({ world }) => ({ bot_id: world.idOf('incoming bot'), ...(await make(world)) }));

/** Something that came, and that its owner can look at. */
async function delivered(world: MatrixWorld): Promise<Params> {
  const { service } = world;
  const params = {
    integration: 'helloworld',
    api_key: await service.keyOf(hookBot),
    stream: 'general',
  };
  const payload = { featured_title: 'Tea', featured_url: 'https://tea.example' };
  await service.answer(null, api.webhooks.receive, params, {
    body: JSON.stringify(payload),
    headers: { 'content-type': 'application/json' },
  });
  const bot_id = world.idOf('incoming bot');
  const { deliveries } = await service.ask(ben, api.deliveries.list, { bot_id });
  return { delivery_id: deliveries[0]?.id };
}

const integrations: Scenarios['integrations'] = {
  list: plain(),
  bots: plain(),
  setUp: ofHook(() => ({ integration: 'github', stream: 'general' })),
  pause: ofHook(() => ({ is_paused: false })),
};

const deliveries: Scenarios['deliveries'] = {
  list: ofHook(),
  get: ofHook(delivered),
  again: ofHook(delivered),
};

const storing: Scenario = made(async (use) => {
  const params = { storage: { kept: '1' } };
  await use.world.service.ask(asCaller(use), api.botStorage.put, params);
  return { keys: ['kept'] };
});

const attach = async ({ world }: Use): Promise<number> => {
  await world.service.ask(ben, api.uploads.upload, {}, { body: upload(png) });
  const { attachments } = await world.service.ask(ben, api.uploads.list);
  return attachments.at(-1)?.id ?? 0;
};

const beginning = async ({ world }: Use, bytes: number): Promise<Params> => {
  const file = { name: 'film.mp4', size: 1 };
  const { upload_id } = await world.service.ask(ben, api.uploads.begin, file);
  const body = new Blob(['x'.repeat(bytes)]);
  await world.service.ask(ben, api.uploads.piece, { upload_id, offset: 0 }, { body });
  return { upload_id, offset: 0 };
};

/** By the author, of whom so many bytes came. */
const begun = (bytes: number): Scenario => made((use) => beginning(use, bytes));

const words = made(({ world }) => ({ alert_words: [world.fresh('word')] }));

export const peopleScenarios = {
  users,
  userAdmin,
  devices,
  passwordLinks,
  bots,
  integrations,
  deliveries,
  botStorage: { put: plain({ storage: { count: '1' } }), get: storing, remove: storing },
  settings: {
    update: made(({ world }) => ({ full_name: world.fresh('Called ') })),
    notifications: plain({ enable_sounds: false }),
    display: plain({ night_mode: true }),
  },
  presence: {
    // Somebody who was idle is told of again.
    report: made(async (use) => {
      if (use.isSpent)
        await use.world.service.ask(asCaller(use), api.presence.report, { status: 'idle' });
      return { status: 'active' };
    }),
    ofUser: made(async ({ world }) => {
      await world.service.ask(cleo, api.presence.report, { status: 'active' });
      return { user: cleo };
    }),
    list: plain(),
  },
  statuses: { set: made(({ world }) => ({ status_text: world.fresh('here ') })) },
  avatars: {
    set: { prepare: () => ({ params: {}, body: upload(png) }) },
    remove: made(async (use) => {
      if (use.isSpent) {
        await use.world.service.ask(asCaller(use), api.avatars.set, {}, { body: upload(png) });
      }
      return {};
    }),
  },
  alertWords: {
    list: plain(),
    add: words,
    put: words,
    remove: made(async (use) => {
      const params = { alert_words: ['soup'] };
      await use.world.service.ask(asCaller(use), api.alertWords.add, params);
      return params;
    }),
  },
  uploads: {
    upload: { prepare: () => ({ params: {}, body: upload(png) }) },
    begin: plain({ name: 'film.mp4', size: 1 }),
    state: begun(0),
    piece: { prepare: async (use) => ({ params: await beginning(use, 0), body: new Blob(['x']) }) },
    finish: begun(1),
    abandon: begun(0),
    list: {
      prepare: async (use) => ({ params: { looked_for: await attach(use) } }),
      finds: ({ attachments }, { looked_for }) =>
        (attachments as readonly { readonly id: number }[]).some(({ id }) => id === looked_for),
    },
    remove: made(async (use) => ({ attachment_id: await attach(use) })),
  },
  officeFiles: {
    listOwn: {
      prepare: async (use) => ({ params: { looked_for: await attach(use) } }),
      finds: ({ files }, { looked_for }) =>
        (files as readonly { readonly id: number }[]).some(({ id }) => id === looked_for),
    },
    listAll: plain(),
  },
} satisfies Partial<Scenarios>;
