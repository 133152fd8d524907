import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { FlagQueues, flagEvent, flagsFor } from '#test/support/service/flag-queues.ts';

const { changeFlags } = api.readState;

let service: TestService;
let queues: FlagQueues;
beforeAll(async () => {
  service = await startTestService();
  queues = await FlagQueues.open(service, ['update_message_flags']);
});
afterAll(() => service.stop());

type Op = 'add' | 'remove';

async function change(
  who: string,
  op: Op,
  flag: string,
  messages: readonly number[],
): Promise<readonly number[]> {
  return (await service.ask(who, changeFlags, { messages, op, flag })).messages;
}

const flags = (who: string, ids: readonly number[]) => flagsFor((id) => service.read(who, id), ids);

async function narrowed(who: string, ...narrow: readonly unknown[]): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  return (await service.ask(who, api.messages.page, page)).messages.map((message) => message.id);
}

async function starredOf(who: string): Promise<unknown> {
  const params = { fetch_event_types: ['starred_messages'] };
  const state: Readonly<Record<string, unknown>> = await service.ask(
    who,
    api.events.register,
    params,
  );
  return state['starred_messages'];
}

describe('adding and removing flags', () => {
  test.each(['read', 'starred', 'collapsed'])(
    '%s is set and taken away for the caller alone, and only changes are told [flags.set-and-unset]',
    async (flag) => {
      const ids = [
        await service.say(ada, 'general', 'flags'),
        await service.say(ada, 'general', 'flags'),
        await service.tell(ada, [ben]),
      ];
      expect(await change(ben, 'add', flag, ids.slice(0, 1))).toEqual(ids.slice(0, 1));
      expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', flag, ids.slice(0, 1))] });
      expect(await change(ben, 'add', flag, [...ids].reverse())).toEqual([...ids].reverse());
      expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', flag, ids.slice(1))] });
      expect(await flags(ben, ids)).toEqual([[flag], [flag], [flag]]);
      expect(await flags(cleo, ids.slice(0, 1))).toEqual([[]]);
      await service.restart();
      expect(await flags(ben, ids)).toEqual([[flag], [flag], [flag]]);
      await change(ben, 'remove', flag, ids);
      expect(await queues.heard()).toEqual({ [ben]: [flagEvent('remove', flag, ids)] });
      expect(await flags(ben, ids)).toEqual([[], [], []]);
    },
  );

  test('what is so already changes no row and is not told', async () => {
    const id = await service.say(ada, 'general', 'already');
    await change(ben, 'add', 'starred', [id]);
    await change(ben, 'add', 'read', [id]);
    await queues.heard();
    const before = service.dump();
    await change(ben, 'add', 'starred', [id]);
    await change(ben, 'add', 'read', [id]);
    await change(ben, 'remove', 'collapsed', [id]);
    await change(ada, 'add', 'read', [id]);
    expect(service.dump()).toEqual(before);
    expect(await queues.heard()).toEqual({});
  });

  test("one's own message can be marked unread", async () => {
    const id = await service.say(ada, 'general', 'own');
    await change(ada, 'remove', 'read', [id]);
    expect(await queues.heard()).toEqual({ [ada]: [flagEvent('remove', 'read', [id])] });
    expect(await flags(ada, [id])).toEqual([[]]);
    expect(await narrowed(ada, ['is', 'unread'])).toContain(id);
  });

  test.each([ada, ben, cleo, gus, echoBot])('%s may', async (who) => {
    const id = await service.say(who === ada ? ben : ada, 'general', 'anybody');
    await change(who, 'add', 'starred', [id]);
    expect(await queues.heard()).toEqual({ [who]: [flagEvent('add', 'starred', [id])] });
    expect(await starredOf(who)).toContain(id);
  });

  test('an incoming webhook bot may not', async () => {
    const params = { messages: [1], op: 'add', flag: 'read' };
    expect(await service.refuse(hookBot, changeFlags, params)).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  test('ids that do not exist or are hidden are echoed and passed over [flags.ids-not-exist]', async () => {
    const seen = await service.say(ada, 'general', 'seen');
    const hidden = [await service.say(ada, 'leads', 'hidden'), await service.tell(ada, [ben])];
    const ids = [...hidden, 999_999, -1, 0, seen, seen];
    for (const flag of ['starred', 'collapsed']) {
      expect(await change(cleo, 'add', flag, ids)).toEqual(ids);
      expect(await queues.heard()).toEqual({ [cleo]: [flagEvent('add', flag, [seen])] });
    }
    await change(cleo, 'add', 'read', ids);
    expect(await queues.heard()).toEqual({ [cleo]: [flagEvent('add', 'read', [seen])] });
    expect(await starredOf(cleo)).toContain(seen);
    for (const id of hidden) expect(await starredOf(cleo)).not.toContain(id);
  });

  test('ids are accepted as JSON, as a JSON body and separated by commas', async () => {
    const [a, b] = [await service.say(ada, 'general', 'a'), await service.say(ada, 'general', 'b')];
    for (const messages of [`[${a}, ${b}]`, `["${a}", "${b}"]`, `${a},${b}`, `${a}, ${b}`]) {
      const answer = await service.ask(ben, changeFlags, { messages, op: 'add', flag: 'read' });
      expect(answer.messages).toEqual([a, b]);
    }
    const json = await service.answer(ben, changeFlags, undefined, {
      body: JSON.stringify({ messages: [a, b], op: 'add', flag: 'starred' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(json.body['messages']).toEqual([a, b]);
    await queues.heard();
  });

  test('fifty thousand ids are taken at once, and no more', async () => {
    const id = await service.say(ada, 'general', 'bulk');
    const ids = Array.from({ length: 50_000 }, (_, index) => id + index);
    expect(await change(ben, 'add', 'starred', ids)).toHaveLength(50_000);
    expect(await queues.heard()).toEqual({ [ben]: [flagEvent('add', 'starred', [id])] });
    const params = { messages: [...ids, 1], op: 'add', flag: 'read' };
    expect(await service.refuse(ben, changeFlags, params)).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'messages',
    });
  });

  test('no ids are no change', async () => {
    const before = service.dump();
    expect(await change(ben, 'add', 'read', [])).toEqual([]);
    expect(service.dump()).toEqual(before);
  });
});

describe('a flag that clients do not set', () => {
  test.each(['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical'])(
    '%s is refused as not editable [flags.refused-not-editable]',
    async (flag) => {
      const id = await service.say(ada, 'general', 'given', '@**Ben Member**');
      for (const op of ['add', 'remove']) {
        const refusal = await service.refuse(ben, changeFlags, { messages: [id], op, flag });
        expect(refusal.code).toBe('BAD_REQUEST');
        expect(refusal.msg).toMatch(/not editable/);
      }
    },
  );

  test.each(['unread', 'Read', 'important', ''])('%j is refused as unknown', async (flag) => {
    const params = { messages: [1], op: 'add', flag };
    const refusal = await service.refuse(ben, changeFlags, params);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal.msg).toMatch(/Invalid flag/);
  });

  test.each<[Params, string, string]>([
    [{ op: 'add', flag: 'read' }, 'REQUEST_VARIABLE_MISSING', 'messages'],
    [{ messages: [1], flag: 'read' }, 'REQUEST_VARIABLE_MISSING', 'op'],
    [{ messages: [1], op: 'add' }, 'REQUEST_VARIABLE_MISSING', 'flag'],
    [{ messages: 'x', op: 'add', flag: 'read' }, 'REQUEST_VARIABLE_INVALID', 'messages'],
    [{ messages: '[1.5]', op: 'add', flag: 'read' }, 'REQUEST_VARIABLE_INVALID', 'messages'],
    [{ messages: '{}', op: 'add', flag: 'read' }, 'REQUEST_VARIABLE_INVALID', 'messages'],
  ])('%j is refused', async (params, code, name) => {
    expect(await service.refuse(ben, changeFlags, params)).toMatchObject({ code, var_name: name });
  });

  test('another op is refused', async () => {
    const params = { messages: [1], op: 'set', flag: 'read' };
    const refusal = await service.refuse(ben, changeFlags, params);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal.msg).toBe("Invalid op 'set': expected add or remove");
  });
});

describe('a message that the caller does not hold', () => {
  test('a message that is not held becomes a historical copy, read, by being starred [flags.message-not-held]', async () => {
    const id = await service.say(ada, 'engineering', 'history');
    expect(await flags(cleo, [id])).toEqual([undefined]);
    await change(cleo, 'add', 'starred', [id]);
    expect(await queues.heard()).toEqual({ [cleo]: [flagEvent('add', 'starred', [id])] });
    const read = await service.read(cleo, id);
    expect([...(read?.flags ?? [])].sort()).toEqual(['historical', 'read', 'starred']);
    expect(await narrowed(cleo, ['is', 'starred'])).toContain(id);
    expect(await starredOf(cleo)).toContain(id);
  });

  test('a historical copy stays read and held whatever is done with it then', async () => {
    const id = await service.say(ada, 'engineering', 'stays');
    await change(cleo, 'add', 'starred', [id]);
    await queues.heard();
    await change(cleo, 'remove', 'read', [id]);
    expect(await queues.heard()).toEqual({});
    await change(cleo, 'remove', 'starred', [id]);
    expect([...((await service.read(cleo, id))?.flags ?? [])].sort()).toEqual([
      'historical',
      'read',
    ]);
    expect(await narrowed(cleo, ['is', 'unread'])).not.toContain(id);
  });

  test('a historical copy does not mention its late holder, though it mentioned everybody', async () => {
    const id = await service.say(ada, 'engineering', 'late', '@**all**');
    await change(cleo, 'add', 'starred', [id]);
    expect((await service.read(cleo, id))?.flags).not.toContain('wildcard_mentioned');
    expect(await narrowed(cleo, ['is', 'mentioned'])).not.toContain(id);
  });

  test.each(['read', 'collapsed'])(
    'a message that is not held is passed over for %s',
    async (flag) => {
      const id = await service.say(ada, 'engineering', 'passed over');
      await queues.heard();
      const before = service.dump();
      await change(cleo, 'add', flag, [id]);
      await change(cleo, 'remove', flag, [id]);
      expect(service.dump()).toEqual(before);
    },
  );

  test.each<[string, string, string]>([
    ['a guest outside of a public stream', gus, 'engineering'],
    ['a member outside of a private stream', cleo, 'leads'],
  ])('a message that is not held is not copied for %s', async (_, who, stream) => {
    const id = await service.say(ada, stream, 'closed');
    await queues.heard();
    const before = service.dump();
    await change(who, 'add', 'starred', [id]);
    expect(service.dump()).toEqual(before);
    expect(await queues.heard()).toEqual({});
  });
});

describe('reading message by message', () => {
  const rowsOf = (table: string, userId: number): number =>
    (service.dump()[table] ?? []).filter((row) => row['account_id'] === userId).length;

  test('messages read one by one leave no row for each, in whatever order they are read', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 40; i++) ids.push(await service.say(ada, 'general', `topic ${i % 3}`));
    for (const id of [...ids].sort((a, b) => (a % 7) - (b % 7))) {
      await change(echoBot, 'add', 'read', [id]);
    }
    const { messages } = await service.ask(echoBot, api.messages.page, {
      anchor: 'newest',
      num_before: 40,
      num_after: 0,
    });
    expect(messages.every((message) => message.flags.includes('read'))).toBe(true);
    await service.ask(echoBot, api.readState.markAllAsRead);
    const id = await service.say(ada, 'general', 'topic 0');
    await change(echoBot, 'add', 'read', [id]);
    expect(rowsOf('read_exception', 6)).toBe(0);
  });

  test('messages read one by one leave few rows though one in between stays unread', async () => {
    await service.ask(cleo, api.readState.markAllAsRead);
    const left = await service.say(ada, 'general', 'left');
    for (let i = 0; i < 20; i++) {
      await change(cleo, 'add', 'read', [await service.say(ada, 'general', 'left')]);
    }
    expect(rowsOf('read_exception', 3)).toBeLessThanOrEqual(3);
    expect(await narrowed(cleo, ['is', 'unread'])).toEqual([left]);
  });
});
