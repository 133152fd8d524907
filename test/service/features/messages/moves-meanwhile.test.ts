/** Whatever others do while messages move: everybody sees what they would see had it been done before the move, or after it. */
import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { isLong } from '#test/support/long.ts';
import { randomFrom, seedsOf } from '#test/support/random.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  everybody,
  gus,
  hookBot,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import {
  type PausedMoves,
  type Moment,
  startPausedMoves,
} from '#test/support/service/held-moves.ts';
import { backUp } from '#test/support/service/restored.ts';

const { edit } = api.lifecycle;
const [seed = 0] = seedsOf('MOVES_SEED', 1);

/** Two streams: the first has everybody, and messages of two topics; the second one, which is private, has Ada and Ben. */
interface World {
  readonly service: TestService;
  /** In every name of it. */
  readonly mark: string;
  readonly streamIds: readonly [from: number, to: number];
  readonly ids: readonly number[];
  /** By which Ben moves, whatever becomes of it. */
  readonly authorization: string;
}

const idAt = ({ ids }: World, index: number): number => ids[index] ?? 0;

async function build(service: TestService, mark: string): Promise<World> {
  const [from, to] = [`from ${mark}`, `to ${mark}`];
  await service.join(ben, [from], { principals: everybody });
  await service.join(ben, [to], { principals: [ada, ben], invite_only: true });
  const idOfStream = async (stream: string): Promise<number> =>
    (await service.ask(ben, api.streams.findId, { stream })).stream_id;
  const ids: number[] = [];
  for (const [index, who] of [ada, cleo, gus, ben, cleo, ada, gus, echoBot].entries()) {
    const content = index % 2 === 0 ? 'text' : 'for @**Cleo Member** and @**Gus Guest**';
    ids.push(await service.say(who, from, `topic ${mark}`, content));
  }
  ids.push(await service.say(ada, from, `other ${mark}`));
  const flag = (who: string, messages: readonly number[], name: string) =>
    service.ask(who, api.readState.changeFlags, { messages, op: 'add', flag: name });
  await flag(cleo, ids.slice(0, 4), 'read');
  await flag(gus, ids.slice(2, 3), 'starred');
  await flag(ben, ids.slice(5, 7), 'starred');
  for (const who of [ada, gus]) await mute(who, mark);
  const authorization = await service.authorization(ben);
  return {
    service,
    mark,
    ids,
    authorization,
    streamIds: [await idOfStream(from), await idOfStream(to)],
  };
  function mute(who: string, each: string): Promise<unknown> {
    const muted = { stream: from, topic: `topic ${each}`, op: 'add' };
    return service.ask(who, api.subscriptions.muteTopic, muted);
  }
}

interface Kind {
  readonly title: string;
  readonly to: (world: World) => object;
}

const kinds: readonly Kind[] = [
  { title: 'to a new name', to: ({ mark }) => ({ topic: `new ${mark}` }) },
  { title: 'into another topic', to: ({ mark }) => ({ topic: `other ${mark}` }) },
  { title: 'to a private stream', to: ({ streamIds: [, to] }) => ({ stream_id: to }) },
];

/** What somebody does, and what has to be put right before the next one. */
interface Deed {
  readonly title: string;
  readonly act: (world: World) => Promise<unknown>;
  readonly undo?: (world: World) => Promise<unknown>;
}

const sayIn = ({ service, mark }: World, who: string, topic: string): Promise<unknown> =>
  service.say(who, `from ${mark}`, `${topic} ${mark}`, 'sent meanwhile, @**Cleo Member**');
const change = ({ service }: World, who: string, params: object): Promise<unknown> =>
  service.ask(who, edit, { ...params });
const role = ({ service }: World, who: string, number: number): Promise<unknown> =>
  service.ask(ada, api.userAdmin.update, { user_id: idOf[who], role: number });
const flagOf = (world: World, who: string, index: number, more: object) =>
  world.service.ask(who, api.readState.changeFlags, { messages: [idAt(world, index)], ...more });
const starred = { op: 'add', flag: 'starred' };
const read = { op: 'add', flag: 'read' };
const unread = { op: 'remove', flag: 'read' };
const reactivate =
  (who: string) =>
  ({ service }: World) =>
    service.ask(ada, api.userAdmin.reactivate, { user_id: idOf[who] });
const deactivate =
  (who: string) =>
  ({ service }: World) =>
    service.ask(ada, api.userAdmin.deactivate, { user_id: idOf[who] });

const deeds: readonly Deed[] = [
  { title: 'a message is sent', act: (world) => sayIn(world, cleo, 'topic') },
  { title: 'a message is sent to where they go', act: (world) => sayIn(world, gus, 'other') },
  {
    title: 'a message is edited',
    act: (world) => change(world, cleo, { message_id: idAt(world, 1), content: 'edited' }),
  },
  {
    title: 'the named message is edited',
    act: (world) =>
      change(world, ada, { message_id: idAt(world, 0), content: 'for @**Ben Member**' }),
  },
  {
    title: 'a message is deleted',
    act: (world) => world.service.ask(ada, api.lifecycle.delete, { message_id: idAt(world, 2) }),
  },
  {
    title: 'the named message is deleted',
    act: (world) => world.service.ask(ada, api.lifecycle.delete, { message_id: idAt(world, 0) }),
  },
  { title: 'a message is starred', act: (world) => flagOf(world, cleo, 4, starred) },
  { title: 'a message is read', act: (world) => flagOf(world, gus, 5, read) },
  { title: 'a message is unread again', act: (world) => flagOf(world, cleo, 3, unread) },
  {
    title: 'the stream is read',
    act: ({ service, streamIds: [from] }) =>
      service.ask(gus, api.readState.markStreamAsRead, { stream_id: from }),
  },
  {
    title: 'the topic is muted',
    act: ({ service, mark }) =>
      service.ask(cleo, api.subscriptions.muteTopic, {
        ...{ stream: `from ${mark}`, topic: `topic ${mark}`, op: 'add' },
      }),
  },
  {
    title: 'somebody joins',
    act: ({ service, mark }) => service.join(ben, [`to ${mark}`], { principals: [cleo] }),
  },
  {
    title: 'somebody leaves',
    act: ({ service, mark }) =>
      service.ask(ada, api.subscriptions.unsubscribe, { subscriptions: [`to ${mark}`] }),
  },
  {
    title: 'somebody is removed',
    act: ({ service, mark }) =>
      service.ask(ada, api.subscriptions.unsubscribe, {
        ...{ subscriptions: [`from ${mark}`], principals: [gus] },
      }),
  },
  {
    title: 'one of the messages is moved',
    act: (world) => change(world, ada, { message_id: idAt(world, 3), topic: `own ${world.mark}` }),
  },
  {
    title: 'the later messages are moved',
    act: (world) =>
      change(world, ada, {
        ...{ message_id: idAt(world, 4), topic: `later ${world.mark}` },
        propagate_mode: 'change_later',
      }),
  },
  { title: 'a reader is deactivated', act: deactivate(cleo), undo: reactivate(cleo) },
  {
    title: 'the mover is deactivated',
    act: deactivate(ben),
    // The bot is Ben's.
    undo: (world) => reactivate(ben)(world).then(() => reactivate(hookBot)(world)),
  },
  {
    title: 'the mover is no administrator any more',
    act: (world) => role(world, ben, 400),
    undo: (world) => role(world, ben, 200),
  },
  {
    title: 'the keys of the mover are ended',
    act: ({ service }) => service.ask(ada, api.devices.renewKeys, { user_id: idOf[ben] }),
  },
];

/** Without what differs from one world to the next: times, MACs, and numbers of other things than messages. */
function plain({ ids, streamIds, mark }: World, seen: unknown): string {
  const first = ids[0] ?? 0;
  const left = /^(timestamp|.*_timestamp|proofs?|recipient_id|color|date_created|email_address)$/;
  const ofMessages = /^(id|.*message_ids?|messages|max_id)$/;
  const walk = (value: unknown, key: string): unknown => {
    if (key === 'muted_topics') {
      // What was muted in the worlds before is told as well.
      return (value as unknown[]).filter((each) => JSON.stringify(each).includes(mark));
    }
    if (Array.isArray(value)) return value.map((each) => walk(each, key));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).filter(([name]) => !left.test(name));
      return Object.fromEntries(entries.map(([name, each]) => [name, walk(each, name)]));
    }
    if (typeof value !== 'number') return value;
    if (key.includes('stream')) return `stream ${streamIds.indexOf(value)}`;
    return ofMessages.test(key) && value >= first ? `message ${value - first}` : value;
  };
  return JSON.stringify(walk(seen, ''), null, 1).replaceAll(mark, '');
}

type Proofs = Readonly<Record<string, string>>;

interface StateOfTopics {
  readonly unread_msgs: { readonly streams: readonly { readonly topic: string }[] };
  readonly muted_topics: readonly (readonly [stream: string, topic: string])[];
}

interface Seen {
  readonly proofs: Proofs;
  readonly [key: string]: unknown;
}

/** Undefined for somebody who is not let in. */
async function messagesOf({ service, ids }: World, who: string) {
  const page = { anchor: ids[0], num_before: 0, num_after: 100, with_source: true };
  const { status, body } = await service.answer(who, api.messages.page, page);
  return status === 200 ? api.messages.page.result.parse(body).messages : undefined;
}

/** What somebody sees of a world: messages, which of them are unread, and the topics that are muted. */
async function seenBy(world: World, who: string): Promise<Seen> {
  const { service, mark } = world;
  const messages = await messagesOf(world, who);
  if (messages === undefined) return { proofs: {} };
  const kinds = ['message', 'update_message_flags', 'muted_topics'];
  const state = await service.ask(who, api.events.register, { fetch_event_types: kinds });
  const { unread_msgs: all, muted_topics: topics } = state as unknown as StateOfTopics;
  const unread = all.streams.filter(({ topic }) => topic.includes(mark));
  const muted = topics.flatMap(([stream, topic]) =>
    topic.includes(mark) ? [[stream, topic]] : [],
  );
  const proofs: Proofs = Object.fromEntries(
    messages.flatMap(({ id, proof }) => (proof === undefined ? [] : [[id, proof]])),
  );
  return { messages, unread, muted, proofs };
}

/** What everybody sees in the end, and what they were told; that MACs which they were told are right. */
async function outcomeOf(world: World, work: () => Promise<unknown>): Promise<string> {
  const { service } = world;
  const queues = await Promise.all(
    everybody.map((who) => service.register(who, { with_source: true })),
  );
  const outcome = await work();
  const all: unknown[] = [outcome];
  for (const queue of queues) {
    const { proofs, ...seen } = await seenBy(world, queue.who);
    all.push(queue.who, seen);
    if (seen['messages'] === undefined) continue;
    const events = await queue.now();
    const told: Record<string, string> = {};
    for (const event of events) Object.assign(told, 'proofs' in event ? event.proofs : {});
    const known = Object.entries(told).filter(([id]) => Object.hasOwn(proofs, id));
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(known.map(([id]) => [id, proofs[id]])),
    );
    all.push(events.map(({ id: _, ...event }) => event));
  }
  return plain(world, all);
}

async function move(world: World, kind: Kind): Promise<unknown> {
  const { service, authorization } = world;
  const params = { message_id: idAt(world, 0), propagate_mode: 'change_all', ...kind.to(world) };
  const { status, body } = await service.answer(ben, edit, params, { headers: { authorization } });
  return [status, body['code'], body['msg']];
}

const groups = isLong ? kinds.map((kind) => ({ group: [kind] })) : [{ group: kinds }];

test.for(groups)(
  `what others do while messages move comes before the move or after it (MOVES_SEED=${String(seed)})`,
  { timeout: 600_000 },
  async ({ group }) => {
    const moves: PausedMoves = await startPausedMoves();
    const { service } = moves;
    const random = randomFrom(seed);
    let count = 0;
    await service.ask(ada, api.userAdmin.update, { user_id: idOf[ben], role: 200 });
    const run = async (
      deed: Deed,
      work: (world: World, act: () => Promise<unknown>) => Promise<unknown>,
    ): Promise<string> => {
      count += 1;
      const world = await build(service, `~${count}~`);
      const seen = await outcomeOf(world, () => work(world, () => deed.act(world)));
      await deed.undo?.(world);
      return seen;
    };
    const some = new Set(Array.from({ length: 7 }, () => random.pick(deeds)));
    for (const deed of isLong ? deeds : some) {
      const kind = random.pick(group);
      let pauses = 0;
      const first = await run(deed, async (world, act) => {
        await act();
        return move(world, kind);
      });
      const last = await run(deed, async (world, act) => {
        const moved = await move(world, kind);
        pauses = moves.pauses();
        await act().catch(() => undefined);
        return moved;
      });
      const during = (moment: Moment) =>
        run(deed, (world, act) => moves.during(() => move(world, kind), moment, act));
      const title = `${deed.title} while messages move ${kind.title}`;
      expect(await during('prepared'), `${title}, before`).toBe(first);
      const moments = isLong ? [0, 1, pauses - 1] : [random.below(pauses)];
      for (const moment of moments) {
        expect(await during(moment), `${title}, at pause ${moment} of ${pauses}`).toBe(last);
      }
    }
  },
);

test('a backup that is made while messages move shows and restores what was there before', async () => {
  const moves = await startPausedMoves();
  const { service } = moves;
  await service.ask(ada, api.userAdmin.update, { user_id: idOf[ben], role: 200 });
  const [, , kind] = kinds as [Kind, Kind, Kind];
  const world = await build(service, '~0~');
  const seenIn = async (each: World): Promise<string> => {
    const all: unknown[] = [];
    for (const who of everybody) all.push(await messagesOf(each, who));
    return plain(each, all);
  };
  const before = await seenIn(world);
  const meanwhile: string[] = [];
  let backup = new Uint8Array();
  await moves.during(
    () => move(world, kind),
    2,
    async () => {
      meanwhile.push(await seenIn(world));
      backup = new Uint8Array(await backUp(service));
    },
  );
  const after = await seenIn(world);
  const restored = await startTestService();
  onTestFinished(() => restored.stop());
  await restored.halt();
  await writeFile(restored.file, backup);
  await restored.start();
  const authorization = await restored.authorization(ben);
  const again = { ...world, service: restored, authorization };
  expect(meanwhile).toEqual([before]);
  expect(await seenIn(again)).toBe(before);
  await move(again, kind);
  expect(await seenIn(again)).toBe(after);
  expect(after).not.toBe(before);
});
