import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  heardOf,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { setProperties } = api.subscriptions;

let service: TestService;
let engineering: number;
let leads: number;
beforeAll(async () => {
  service = await startTestService();
  const { streams } = await service.ask(ada, api.streams.list, { include_all_active: true });
  const idOf = (name: string) => streams.find((stream) => stream.name === name)?.stream_id ?? 0;
  engineering = idOf('engineering');
  leads = idOf('leads');
});
afterAll(() => service.stop());

interface Setting {
  readonly stream_id?: unknown;
  readonly property?: unknown;
  readonly value?: unknown;
  readonly [key: string]: unknown;
}

const set = (who: string, ...settings: readonly Setting[]) =>
  service.ask(who, setProperties, { subscription_data: settings });

const of = (property: string, value: unknown): Setting => ({
  stream_id: engineering,
  property,
  value,
});

async function engineeringOf(who: string) {
  const { subscriptions } = await service.ask(who, api.streams.subscriptions);
  return subscriptions.find(({ name }) => name === 'engineering');
}

describe('a property of a subscription', () => {
  test.each<[string, boolean, Params]>([
    ['is_muted', true, { is_muted: true, in_home_view: false }],
    ['is_muted', false, { is_muted: false, in_home_view: true }],
    ['in_home_view', false, { is_muted: true, in_home_view: false }],
    ['in_home_view', true, { is_muted: false, in_home_view: true }],
    ['pin_to_top', true, { pin_to_top: true }],
    ['pin_to_top', false, { pin_to_top: false }],
    ['desktop_notifications', true, { desktop_notifications: true }],
    ['desktop_notifications', false, { desktop_notifications: false }],
    ['audible_notifications', true, { audible_notifications: true }],
    ['push_notifications', true, { push_notifications: true }],
    ['email_notifications', true, { email_notifications: true }],
  ])(
    '%s may be set to %j [subscription-properties.property-set]',
    async (property, value, expected) => {
      const data = [of(property, value)];
      expect(await set(ben, ...data)).toEqual({ subscription_data: data });
      expect(await engineeringOf(ben)).toMatchObject(expected);
      expect(await engineeringOf(ada)).toMatchObject({ is_muted: false, pin_to_top: false });
    },
  );

  test.each<[string, string]>([
    ['#AbC', '#aabbcc'],
    ['a1b2c3', '#a1b2c3'],
    ['#A1B2C4', '#a1b2c4'],
    ['fff', '#ffffff'],
  ])(
    'the colour %s is echoed as sent and kept as %s [subscription-properties.colour-echoed-sent]',
    async (value, kept) => {
      const data = [of('color', value)];
      expect(await set(ben, ...data)).toEqual({ subscription_data: data });
      expect(await engineeringOf(ben)).toMatchObject({ color: kept });
    },
  );

  test('several are set at once, and what else was sent comes back with them [subscription-properties.several-set-once]', async () => {
    const data = [
      { ...of('pin_to_top', true), comment: { any: [1] } },
      { stream_id: leads, property: 'color', value: '000' },
      of('pin_to_top', false),
    ];
    expect(await set(ben, ...data)).toEqual({ subscription_data: data });
    expect(await engineeringOf(ben)).toMatchObject({ pin_to_top: false });
    expect(await set(ben)).toEqual({ subscription_data: [] });
  });

  test('a property of a subscription holds after a restart, and after leaving and coming back', async () => {
    await set(ben, of('color', '#010203'), of('is_muted', true));
    await service.restart();
    expect(await engineeringOf(ben)).toMatchObject({ color: '#010203', is_muted: true });
    await service.ask(ben, api.subscriptions.unsubscribe, { subscriptions: ['engineering'] });
    await service.join(ben, ['engineering']);
    expect(await engineeringOf(ben)).toMatchObject({ color: '#010203', is_muted: true });
    await set(ben, of('is_muted', false));
  });

  test('guests and bots have their own', async () => {
    for (const who of [gus, echoBot]) {
      const { subscriptions } = await service.ask(who, api.streams.subscriptions);
      const general = subscriptions.find(({ name }) => name === 'general');
      await set(who, { stream_id: general?.stream_id, property: 'pin_to_top', value: true });
      const after = await service.ask(who, api.streams.subscriptions);
      expect(after.subscriptions.find(({ name }) => name === 'general')).toEqual({
        ...general,
        pin_to_top: true,
      });
    }
  });
});

describe('refused, and nothing is changed', () => {
  const invalid = { code: 'REQUEST_VARIABLE_INVALID', var_name: 'subscription_data' };
  const bad = { code: 'BAD_REQUEST' };
  const fine = (): Setting => of('pin_to_top', true);

  test.each<[string, () => Params, Params]>([
    ['nothing', () => ({}), { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscription_data' }],
    ['no list', () => ({ subscription_data: '{}' }), invalid],
    ['a bare word', () => ({ subscription_data: 'color' }), invalid],
    ['no stream', () => ({ subscription_data: [{ property: 'color', value: 'fff' }] }), invalid],
    [
      'a stream of another type',
      () => ({ subscription_data: [{ ...fine(), stream_id: '2' }] }),
      invalid,
    ],
    [
      'no property',
      () => ({ subscription_data: [{ stream_id: engineering, value: true }] }),
      invalid,
    ],
    [
      'no value',
      () => ({ subscription_data: [{ stream_id: engineering, property: 'color' }] }),
      invalid,
    ],
    ['a value that is a number', () => ({ subscription_data: [of('color', 255)] }), invalid],
    ['a value that is null', () => ({ subscription_data: [of('is_muted', null)] }), invalid],
    ['a word for a flag', () => ({ subscription_data: [of('is_muted', 'true')] }), invalid],
    ['a flag for a colour', () => ({ subscription_data: [of('color', true)] }), invalid],
    ['a colour that is none', () => ({ subscription_data: [of('color', 'red')] }), invalid],
    ['an unknown property', () => ({ subscription_data: [of('name', 'x')] }), bad],
    ['a property of every object', () => ({ subscription_data: [of('constructor', true)] }), bad],
    [
      'an unknown stream',
      () => ({ subscription_data: [fine(), { ...fine(), stream_id: 999 }] }),
      bad,
    ],
    [
      'a bad entry behind a good one',
      () => ({ subscription_data: [fine(), of('push_notifications', 'on')] }),
      invalid,
    ],
  ])('%s [subscription-properties.refused]', async (_, params, expected) => {
    expect(await service.refuse(ben, setProperties, params())).toMatchObject(expected);
  });

  test('the property is named', async () => {
    const unknown = { subscription_data: [of('colour', 'fff')] };
    expect((await service.refuse(ben, setProperties, unknown)).msg).toContain('colour');
    const wrong = { subscription_data: [of('is_muted', 'yes')] };
    const refusal = await service.refuse(ben, setProperties, wrong);
    expect(refusal).toMatchObject({ ...invalid, bad_value: 'yes' });
    expect(refusal.msg).toContain('is_muted');
  });

  test('a stream that one is not in, seen or unseen, in the same words', async () => {
    const params = (id: number) => ({
      subscription_data: [{ stream_id: id, property: 'is_muted', value: true }],
    });
    const seen = await service.refuse(cleo, setProperties, params(engineering));
    const hidden = await service.refuse(cleo, setProperties, params(leads));
    expect(seen).toMatchObject(bad);
    expect(seen.msg.replace(/\d+/, 'N')).toBe(hidden.msg.replace(/\d+/, 'N'));
  });

  test('an incoming webhook bot', async () => {
    const params = { subscription_data: [fine()] };
    expect(await service.refuse(hookBot, setProperties, params)).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

describe('events', () => {
  test('the account alone hears of a change, in these keys [subscription-properties.account-hears-change]', async () => {
    const events = await eventsOf(service, () => set(ben, of('color', 'FED')));
    expect(Object.fromEntries([...events].filter(([, each]) => each.length > 0))).toEqual({
      [ben]: [
        {
          id: expect.any(Number),
          type: 'subscription',
          op: 'update',
          stream_id: engineering,
          name: 'engineering',
          email: ben,
          property: 'color',
          value: '#ffeedd',
        },
      ],
    });
  });

  test.each<[string, boolean, readonly string[]]>([
    ['is_muted', true, ['engineering in_home_view false', 'engineering is_muted true']],
    ['in_home_view', true, ['engineering in_home_view true', 'engineering is_muted false']],
    ['pin_to_top', true, ['engineering pin_to_top true']],
    ['email_notifications', false, ['engineering email_notifications false']],
  ])(
    'setting %s to %j is told as %j [subscription-properties.events-setting]',
    async (property, value, expected) => {
      await set(ben, of('is_muted', property === 'in_home_view'), of('pin_to_top', false));
      await set(ben, of('email_notifications', true));
      expect(await heardOf(service, () => set(ben, of(property, value)))).toEqual({
        [ben]: expected,
      });
    },
  );

  test('what holds already is not told, nor what only writes down the default', async () => {
    const data = [of('color', '#abc'), of('is_muted', false), of('pin_to_top', false)];
    await set(ada, ...data);
    const again = [...data, of('in_home_view', true), of('color', 'AABBCC')];
    const before = service.dump();
    await set(ada, ...again);
    expect(service.dump()).toEqual(before);
    const work = () => set(ada, of('desktop_notifications', false));
    expect(await heardOf(service, work)).toEqual({});
  });

  test("what differs from the account's own setting is told, though the stream had none", async () => {
    const general = (on: boolean) =>
      service.ask(ada, api.settings.notifications, { enable_stream_push_notifications: on });
    await general(true);
    expect((await engineeringOf(ada))?.push_notifications).toBe(true);
    const same = await heardOf(service, () => set(ada, of('push_notifications', true)));
    expect(same).toEqual({});
    await general(false);
    expect((await engineeringOf(ada))?.push_notifications).toBe(true);
    const other = await heardOf(service, () => set(ada, of('push_notifications', false)));
    expect(other).toEqual({ [ada]: ['engineering push_notifications false'] });
  });
});
