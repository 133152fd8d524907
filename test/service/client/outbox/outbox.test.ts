import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryOutbox } from '#client/outbox/memory-outbox.ts';
import { OutboxError, type OutboxStore } from '#client/outbox/outbox-store.ts';
import { createOutbox, type Outbox, type OutboxParts } from '#client/outbox/outbox.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { Conversation, OutboxItem } from '#shared/bridge/models/client.ts';
import { ada, ben, idOf, startTestService, type TestService } from '#test/support/service/api.ts';
import { codeOf, valueOf } from '#test/support/client/client.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { FaultyNetwork, fastClock } from '#test/support/client/faulty-http.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const toBen: Conversation = { kind: 'private', userIds: [idOf[ben] ?? 0] };
const toSelf: Conversation = { kind: 'private', userIds: [] };

interface World {
  readonly network: FaultyNetwork;
  readonly store: OutboxStore;
  readonly told: (readonly OutboxItem[])[];
  readonly accepted: Map<string, number>;
  readonly outbox: Outbox;
  readonly until: (condition: () => boolean) => Promise<void>;
}

async function world(
  more: Partial<OutboxParts> & { readonly email?: string } = {},
): Promise<World> {
  const network = new FaultyNetwork(() => service.origin);
  const store = more.store ?? createMemoryOutbox();
  const told: (readonly OutboxItem[])[] = [];
  const accepted = new Map<string, number>();
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const each of waiting) each();
  };
  const credentials = { email: ada, key: await service.keyOf(ada) };
  const outbox = createOutbox({
    store,
    clock: fastClock,
    api: network.api(credentials),
    ownUserId: idOf[ada] ?? 0,
    queueId: () => null,
    changed: (items) => {
      told.push(items);
      look();
    },
    accepted: (localId, messageId) => {
      accepted.set(localId, messageId);
      look();
    },
    ...more,
  });
  onTestFinished(() => outbox.stop());
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { network, store, told, accepted, outbox, until };
}

const submit = (outbox: Outbox, content: string, conversation: Conversation = toBen): OutboxItem =>
  valueOf(outbox.submit({ conversation, content }, null));

const stateOf = (outbox: Outbox): readonly string[] => outbox.items().map(({ state }) => state);

/** What the service has, by how often. */
async function timesSent(content: string): Promise<number> {
  const page = { anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false };
  const { messages } = await service.ask(ada, api.messages.page, page);
  return messages.filter((message) => message.content === content).length;
}

describe('a message that is written', () => {
  test('a written message is on disk and shown before anything is sent, and is sent when the session is live', async () => {
    const { outbox, store, network, told, accepted, until } = await world();
    const item = submit(outbox, 'first words');
    expect(item).toMatchObject({ state: 'waiting', content: 'first words', failure: '' });
    expect(store.listItems()).toMatchObject([{ localId: item.localId, mayBeSent: false }]);
    expect(told.at(-1)).toEqual([item]);
    expect(network.requests).toEqual([]);
    outbox.resume();
    await until(() => accepted.has(item.localId));
    expect(stateOf(outbox)).toEqual(['sending']);
    expect(await timesSent('first words')).toBe(1);
  });

  test('a written message stays until the message itself is here, then is gone from the disk too', async () => {
    const { outbox, store, accepted, until } = await world();
    outbox.resume();
    const { localId } = submit(outbox, 'until confirmed');
    await until(() => accepted.has(localId));
    expect(outbox.items()).toHaveLength(1);
    expect(store.listItems()).toHaveLength(1);
    outbox.confirm(localId, accepted.get(localId) ?? 0);
    expect(outbox.items()).toEqual([]);
    expect(store.listItems()).toEqual([]);
  });

  test('a written message is marked as perhaps sent on disk before it is on the wire', async () => {
    const { outbox, store, network } = await world();
    network.usual = 'hung';
    submit(outbox, 'before going live');
    outbox.resume();
    submit(outbox, 'while live', toSelf);
    expect(network.requests).toHaveLength(2);
    expect(store.listItems().map(({ mayBeSent }) => mayBeSent)).toEqual([true, true]);
  });

  test('a written message takes the draft of its place with it', async () => {
    const { outbox, store } = await world();
    store.putDraft({ key: 'x', view: toBen, topic: null, content: 'draft', changedAtSeconds: 1 });
    valueOf(outbox.submit({ conversation: toBen, content: 'draft' }, 'x'));
    expect(store.listDrafts()).toEqual([]);
  });

  test('a written message is refused with a sentence where there is nothing in it, or where the disk is full', async () => {
    const full = (): never => {
      throw new OutboxError('DISK_FULL', 'The disk is full.');
    };
    const { outbox, network } = await world({ store: { ...createMemoryOutbox(), submit: full } });
    outbox.resume();
    expect(outbox.submit({ conversation: toBen, content: ' \n' }, null)).toMatchObject({
      failure: { code: 'BAD_REQUEST', argument: 'content' },
    });
    expect(outbox.submit({ conversation: toBen, content: 'x' }, null)).toMatchObject({
      failure: { code: 'DISK_FULL', message: 'The disk is full.' },
    });
    expect([outbox.items(), network.requests]).toEqual([[], []]);
  });
});

describe('where no answer comes', () => {
  test.each(['cut', 'lost', 'strange', 'late'] as const)(
    'a message is sent again under the same id until it is there, once (%s)',
    async (fault) => {
      const { outbox, network, accepted, until } = await world();
      network.faults.push(fault, fault, fault);
      outbox.resume();
      const { localId } = submit(outbox, `once after ${fault}`);
      await until(() => accepted.has(localId));
      expect(network.requests.length).toBeGreaterThan(3);
      const ids = network.requests.map(({ body }) =>
        new URLSearchParams(String(body)).get('local_id'),
      );
      expect(new Set(ids)).toEqual(new Set([localId]));
      await network.quiet();
      expect(await timesSent(`once after ${fault}`)).toBe(1);
    },
  );

  test('it waits visibly, and what comes after it in the conversation waits behind it', async () => {
    const { outbox, network, accepted, until } = await world();
    network.usual = 'cut';
    outbox.resume();
    submit(outbox, 'head');
    submit(outbox, 'tail');
    await until(() => network.requests.length > 2);
    expect(stateOf(outbox)).not.toContain('failed');
    expect(network.requests.every(({ body }) => String(body).includes('content=head'))).toBe(true);
    network.usual = 'none';
    await until(() => accepted.size === 2);
    const [first = 0, second = 0] = accepted.values();
    expect(first).toBeLessThan(second);
  });

  test('another conversation is not held up', async () => {
    const { outbox, network, accepted, until } = await world();
    network.faults.push('hung');
    outbox.resume();
    submit(outbox, 'stuck');
    const { localId } = submit(outbox, 'passes by', toSelf);
    await until(() => accepted.has(localId));
    expect(outbox.items()[0]).toMatchObject({ content: 'stuck', state: 'sending' });
  });

  test('a connection that comes back ends the pause and the attempt that began before it was lost', async () => {
    const clock = new FakeClock();
    const { outbox, network, accepted, until } = await world({ clock });
    network.faults.push('hung', 'cut');
    outbox.resume();
    submit(outbox, 'hung before');
    submit(outbox, 'cut before', toSelf);
    await until(() => stateOf(outbox).includes('waiting'));
    outbox.pause();
    outbox.resume();
    await until(() => accepted.size === 2);
    expect(await timesSent('hung before')).toBe(1);
  });

  test('after many answers that nobody understands somebody is asked, and may try again', async () => {
    const { outbox, network, accepted, until } = await world();
    network.usual = 'strange';
    outbox.resume();
    const { localId } = submit(outbox, 'strange ways');
    await until(() => stateOf(outbox)[0] === 'failed');
    expect(outbox.items()[0]?.failure).toMatch(/may have been sent.*look before you send it again/);
    network.usual = 'none';
    expect(codeOf(outbox.retry(localId))).toBe('ok');
    await until(() => accepted.has(localId));
  });
});

describe('where the service refuses', () => {
  const nowhere: Conversation = { kind: 'stream', streamId: 4711, topic: 'x' };

  test("the message fails with the service's own sentence and its cause, and is not repeated, and the next is sent", async () => {
    const { outbox, network, store, until } = await world();
    outbox.resume();
    submit(outbox, 'refused', nowhere);
    submit(outbox, 'also refused', nowhere);
    await until(() => stateOf(outbox).every((state) => state === 'failed'));
    expect(outbox.items()[0]?.failure).toBe("Stream with ID '4711' does not exist");
    expect(network.requests).toHaveLength(2);
    const long = submit(outbox, 'x'.repeat(10_001));
    await until(() => stateOf(outbox)[2] === 'failed');
    const cause = { name: 'message_too_long', values: { bytes: 10_001, limit: 10_000 } };
    const refusals = [
      { code: 'STREAM_DOES_NOT_EXIST' },
      { code: 'STREAM_DOES_NOT_EXIST' },
      { code: 'BAD_REQUEST', cause },
    ];
    expect(outbox.items().map(({ refusal }) => refusal)).toEqual(refusals);
    expect(store.listItems().map(({ refusal }) => refusal)).toEqual(refusals);
    expect(codeOf(outbox.retry(long.localId))).toBe('ok');
    expect(outbox.items()[2]).toMatchObject({ failure: '', refusal: undefined });
  });

  test('it can be taken back to write it anew, and is gone', async () => {
    const { outbox, store, until } = await world();
    outbox.resume();
    const { localId } = submit(outbox, 'to be mended', nowhere);
    await until(() => stateOf(outbox)[0] === 'failed');
    expect(valueOf(await outbox.withdraw(localId))).toEqual({
      conversation: nowhere,
      content: 'to be mended',
    });
    expect([outbox.items(), store.listItems()]).toEqual([[], []]);
    expect(codeOf(await outbox.withdraw(localId))).toBe('ALREADY_SENT');
  });

  test('a refused key makes everything wait for somebody to sign in', async () => {
    const network = new FaultyNetwork(() => service.origin);
    const credentials = { email: ada, key: 'x'.repeat(32) };
    const { outbox, until, store } = await world({ api: network.api(credentials) });
    outbox.resume();
    submit(outbox, 'without a key');
    await until(() => network.requests.length === 1 && stateOf(outbox)[0] === 'waiting');
    submit(outbox, 'later');
    expect(stateOf(outbox)).toEqual(['waiting', 'waiting']);
    expect(store.listItems().map(({ mayBeSent }) => mayBeSent)).toEqual([false, false]);
    expect(network.requests).toHaveLength(1);
  });

  test('a limit on calls is waited for as long as the service says, and the message may be taken back meanwhile', async () => {
    const limited = await startTestService({ limits: { apiCalls: 1 } });
    onTestFinished(() => limited.stop());
    const clock = new FakeClock();
    const network = new FaultyNetwork(() => limited.origin);
    const credentials = { email: ada, key: await limited.keyOf(ada) };
    const { outbox, accepted, until, store } = await world({
      clock,
      api: network.api(credentials),
    });
    outbox.resume();
    submit(outbox, 'within the limit');
    const { localId } = submit(outbox, 'above it');
    await until(() => network.requests.length === 2 && stateOf(outbox)[1] === 'waiting');
    expect(accepted.size).toBe(1);
    expect(store.listItems()[1]?.mayBeSent).toBe(false);
    expect(clock.pending.some((ms) => ms > 5000)).toBe(true);
    expect(codeOf(await outbox.withdraw(localId))).toBe('ok');
  });
});

describe('taking a message back', () => {
  test('taking a message back succeeds as long as it was never on the wire', async () => {
    const { outbox, network } = await world();
    const { localId } = submit(outbox, 'never mind');
    expect(valueOf(await outbox.withdraw(localId)).content).toBe('never mind');
    outbox.resume();
    expect(network.requests).toEqual([]);
  });

  test('taking a message back waits for the attempt under way and is refused where that succeeds', async () => {
    const { outbox } = await world();
    outbox.resume();
    const { localId } = submit(outbox, 'too late');
    expect(codeOf(await outbox.withdraw(localId))).toBe('ALREADY_SENT');
    expect(await timesSent('too late')).toBe(1);
  });

  test('taking a message back is refused while nobody knows whether it arrived, also after a restart', async () => {
    const { outbox, network, store, until } = await world({ clock: new FakeClock() });
    network.faults.push('lost');
    outbox.resume();
    const { localId } = submit(outbox, 'who knows');
    await until(() => stateOf(outbox)[0] === 'waiting');
    expect(await outbox.withdraw(localId)).toMatchObject({
      failure: { code: 'ALREADY_SENT', message: expect.stringContaining('may have been sent') },
    });
    await outbox.stop();
    const later = await world({ store, clock: new FakeClock() });
    expect(codeOf(await later.outbox.withdraw(localId))).toBe('ALREADY_SENT');
    later.outbox.resume();
    await later.until(() => later.accepted.has(localId));
    expect(await timesSent('who knows')).toBe(1);
  });

  test('the message itself, told by an event, ends an attempt that has no answer', async () => {
    const { outbox, network, until } = await world();
    network.faults.push('hung');
    outbox.resume();
    const { localId } = submit(outbox, 'told by an event');
    await until(() => network.requests.length === 1);
    const taken = outbox.withdraw(localId);
    outbox.confirm(localId, 1);
    expect(codeOf(await taken)).toBe('ALREADY_SENT');
    expect(outbox.items()).toEqual([]);
  });
});

describe('after a long time', () => {
  const daysMs = (days: number): number => days * 24 * 60 * 60 * 1000;
  const old = (days: number, mayBeSent: boolean) => ({
    conversation: toBen,
    content: `${String(days)} days, ${String(mayBeSent)}`,
    localId: `0000000${mayBeSent ? '1' : '0'}-0000-4000-8000-0000000000${String(days)}`,
    writtenAtSeconds: Math.floor((Date.now() - daysMs(days)) / 1000),
    state: 'waiting' as const,
    failure: '',
    mayBeSent,
  });

  test.each([
    [24, false, 'sending', ''],
    [26, false, 'failed', 'Send it now if it is still wanted'],
    [26, true, 'failed', 'look before you send it again'],
  ])('a message of %i days (perhaps sent: %s) is %s', async (days, mayBeSent, state, words) => {
    const store = createMemoryOutbox();
    store.putItem(old(days, mayBeSent));
    const { outbox, accepted, until } = await world({ store });
    outbox.resume();
    expect(outbox.items()).toMatchObject([{ state, failure: expect.stringContaining(words) }]);
    if (state === 'failed') {
      const cause = { values: { days: 25 } };
      expect(store.listItems()).toMatchObject([{ refusal: { code: 'TOO_OLD', cause } }]);
      outbox.retry(old(days, mayBeSent).localId);
    }
    await until(() => accepted.size === 1);
  });

  test('a message that grows old while the application runs is not repeated either', async () => {
    const clock = new FakeClock();
    const { outbox, network } = await world({ clock });
    submit(outbox, 'growing old');
    await clock.advance(daysMs(26));
    outbox.resume();
    expect(stateOf(outbox)).toEqual(['failed']);
    expect(network.requests).toEqual([]);
  });
});

test('a fault of the application fails the message at hand and no other, and does not go round in circles', async () => {
  const { outbox, network, accepted, until } = await world({
    queueId: () => {
      if (network.requests.length === 0 && outbox.items()[0]?.state !== 'failed') {
        throw new Error('a bug');
      }
      return null;
    },
  });
  const first = submit(outbox, 'unlucky');
  submit(outbox, 'lucky');
  outbox.resume();
  await until(() => accepted.size === 1);
  expect(outbox.items()[0]).toMatchObject({
    state: 'failed',
    failure: 'This message could not be sent: Error: a bug. Try again, or copy it.',
    refusal: { code: 'FAILED_HERE', cause: { values: { reason: 'Error: a bug' } } },
  });
  outbox.retry(first.localId);
  await until(() => accepted.size === 2);
});

test('what the disk did not let go is removed with the next connection, and not sent again', async () => {
  const kept = createMemoryOutbox();
  let isFull = true;
  const removeItem: OutboxStore['removeItem'] = (localId) => {
    if (isFull) throw new OutboxError('DISK_FULL', 'full');
    kept.removeItem(localId);
  };
  const { outbox, network, accepted, until } = await world({ store: { ...kept, removeItem } });
  outbox.resume();
  const { localId } = submit(outbox, 'sticky');
  await until(() => accepted.has(localId));
  outbox.confirm(localId, accepted.get(localId) ?? 0);
  expect([outbox.items().length, kept.listItems().length]).toEqual([0, 1]);
  isFull = false;
  outbox.resume();
  expect(kept.listItems()).toEqual([]);
  expect(network.requests).toHaveLength(1);
});
