/**
 * Random organizations, in which streams of every kind are joined, left, opened, closed, archived and brought back, and
 * people change their roles: what each reach shows an account is what a model says that goes through every message.
 */
import { expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { type HistoryScope, historyScopes } from '#shared/api/narrow.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { type Random, randomFrom } from '#test/support/random.ts';

const STEPS = 90;
const everyone = [ada, ben, cleo, gus, echoBot] as const;
const others = [ben, cleo, gus, echoBot] as const;
const words = ['pineapple', 'parachute'] as const;

interface Stream {
  readonly id: number;
  readonly name: string;
  isPrivate: boolean;
  isShared: boolean;
  isArchived: boolean;
  readonly members: Set<string>;
  /** Who was in it when it was archived. */
  returning: readonly string[];
}

interface Sent {
  readonly id: number;
  /** Null for a private conversation. */
  readonly stream: Stream | null;
  readonly word: string;
  /** To whom it was delivered, and who has made a copy. */
  readonly holders: Set<string>;
}

class Organization {
  readonly service: TestService;
  readonly random: Random;
  readonly streams: Stream[] = [];
  readonly guests = new Set<string>([gus]);
  messages: Sent[] = [];

  constructor(service: TestService, random: Random) {
    this.service = service;
    this.random = random;
  }

  /** By going through everything that the rules ask, for one message. */
  shows(who: string, { stream, holders }: Sent, reach: HistoryScope): boolean {
    if (holders.has(who)) return true;
    if (reach === 'held' || stream === null || stream.isArchived) return false;
    const isMember = stream.members.has(who);
    if (!isMember && reach === 'subscribed') return false;
    return stream.isPrivate ? isMember && stream.isShared : isMember || !this.guests.has(who);
  }

  async step(): Promise<void> {
    const { random } = this;
    const works: readonly (() => Promise<unknown>)[] = [
      () => this.open(),
      () => this.#join(),
      () => this.#join(),
      () => this.#leave(),
      () => this.#say(),
      () => this.#say(),
      () => this.#say(),
      () => this.#tell(),
      () => this.#star(),
      () => this.#change(),
      () => this.#changeRole(),
      () => this.#delete(),
      () => (random.chance(0.4) ? this.#archive() : this.#say()),
      () => this.#restore(),
    ];
    await random.pick(works)();
  }

  /** Streams stay what they are where somebody is refused. */
  async open(): Promise<void> {
    const { random, service } = this;
    const name = `s${String(this.streams.length)}`;
    const principals = [ada, ...others.filter(() => random.chance(0.4))];
    const { subscribed } = await service.ask(ada, api.streams.subscribe, {
      subscriptions: [{ name }],
      principals,
      invite_only: random.chance(0.6),
      ...(random.chance(0.5) ? { history_public_to_subscribers: random.chance(0.7) } : {}),
    });
    const { stream_id: id } = await service.ask(ada, api.streams.findId, { stream: name });
    const facts = { isPrivate: false, isShared: false, isArchived: false, returning: [] };
    this.streams.push({ id, name, ...facts, members: new Set(Object.keys(subscribed)) });
    await this.#learn();
  }

  /** What the service makes of the flags is no matter of this model. */
  async #learn(): Promise<void> {
    const { streams } = await this.service.ask(ada, api.streams.list, { include_all_active: true });
    for (const stream of this.streams) {
      const told = streams.find(({ stream_id: id }) => id === stream.id);
      stream.isArchived = told === undefined;
      if (told === undefined) continue;
      stream.isPrivate = told.invite_only;
      stream.isShared = told.history_public_to_subscribers;
    }
  }

  async #join(): Promise<void> {
    const { random, service } = this;
    const stream = random.pick(this.streams);
    const principals = random.chance(0.5) ? [] : [random.pick(others)];
    const who = principals.length === 0 ? random.pick(everyone) : ada;
    if (stream.isArchived) return;
    const { status, body } = await service.answer(who, api.streams.subscribe, {
      subscriptions: [{ name: stream.name }],
      principals,
    });
    if (status === 200)
      for (const each of Object.keys(body['subscribed'] as Params)) stream.members.add(each);
  }

  async #leave(): Promise<void> {
    const { random, service } = this;
    const stream = random.pick(this.streams);
    const who = random.pick(others);
    const { status } = await service.answer(ada, api.subscriptions.unsubscribe, {
      subscriptions: [stream.name],
      principals: [who],
    });
    if (status === 200) stream.members.delete(who);
  }

  async #say(): Promise<void> {
    const { random, service } = this;
    const stream = random.pick(this.streams);
    const word = random.pick(words);
    const { status, body } = await service.answer(
      random.pick([ada, ben, cleo]),
      api.messages.send,
      {
        type: 'stream',
        to: stream.name,
        topic: random.pick(['a', 'b']),
        content: `one ${word}`,
      },
    );
    if (status === 200) {
      this.messages.push({
        id: Number(body['id']),
        stream,
        word,
        holders: new Set(stream.members),
      });
    }
  }

  async #tell(): Promise<void> {
    const { random, service } = this;
    const to = everyone.filter(() => random.chance(0.4));
    const who = random.pick([ada, ben, cleo]);
    const word = random.pick(words);
    if (to.length === 0) return;
    const id = await service.tell(who, to, `one ${word}`);
    this.messages.push({ id, stream: null, word, holders: new Set([who, ...to]) });
  }

  /** Whoever stars what they may read has a copy from then on. */
  async #star(): Promise<void> {
    if (this.messages.length === 0) return;
    const message = this.random.pick(this.messages);
    const who = this.random.pick(everyone);
    const isReadable = this.shows(who, message, 'readable');
    const flag = { messages: [message.id], flag: 'starred', op: 'add' };
    await this.service.answer(who, api.readState.changeFlags, flag);
    if (isReadable) message.holders.add(who);
  }

  async #change(): Promise<void> {
    const stream = this.random.pick(this.streams);
    await this.service.answer(ada, api.streamAdmin.update, {
      stream_id: stream.id,
      is_private: this.random.chance(0.6),
      history_public_to_subscribers: this.random.chance(0.5),
    });
    await this.#learn();
  }

  async #changeRole(): Promise<void> {
    const who = this.random.pick([ben, cleo, gus]);
    const isGuest = this.random.chance(0.5);
    const role = isGuest ? 600 : 400;
    await this.service.ask(ada, api.userAdmin.update, { user_id: idOf[who], role });
    if (isGuest) this.guests.add(who);
    else this.guests.delete(who);
  }

  async #delete(): Promise<void> {
    if (this.messages.length === 0) return;
    const { id } = this.random.pick(this.messages);
    const { status } = await this.service.answer(ada, api.lifecycle.delete, { message_id: id });
    if (status === 200) this.messages = this.messages.filter((each) => each.id !== id);
  }

  async #archive(): Promise<void> {
    const stream = this.random.pick(this.streams);
    if (stream.isArchived) return;
    await this.service.ask(ada, api.streamAdmin.archive, { stream_id: stream.id });
    stream.returning = [...stream.members];
    stream.members.clear();
    await this.#learn();
  }

  /** A person is in every stream of this model, and so nobody else comes in. */
  async #restore(): Promise<void> {
    const archived = this.streams.filter((stream) => stream.isArchived);
    if (archived.length === 0) return;
    const stream = this.random.pick(archived);
    const change = { stream_id: stream.id, is_archived: false };
    await this.service.ask(ada, api.streamAdmin.update, change);
    for (const who of stream.returning) stream.members.add(who);
    await this.#learn();
  }
}

async function idsShown(
  service: TestService,
  who: string,
  params: Params,
): Promise<readonly number[]> {
  const all = { anchor: 'newest', num_before: 5000, num_after: 0 };
  const { messages } = await service.ask(who, api.messages.page, { ...all, ...params });
  return messages.map(({ id }) => id);
}

/** What the account is shown by every reach, of everything, of a word, of its hits by relevance, and one by one. */
async function checkAccount(world: Organization, who: string): Promise<void> {
  const { service } = world;
  for (const reach of historyScopes) {
    const expected = world.messages.filter((message) => world.shows(who, message, reach));
    const ids = expected.map(({ id }) => id);
    expect(await idsShown(service, who, { reach }), `${who} ${reach}`).toEqual(ids);
    for (const word of words) {
      const found = expected.flatMap((each) => (each.word === word ? [each.id] : []));
      const narrow = [['search', word]];
      const hits = await idsShown(service, who, { reach, narrow });
      expect(hits, `${who} ${reach} ${word}`).toEqual(found);
      const ranked = await idsShown(service, who, { reach, narrow, order: 'relevance' });
      expect(ranked.toSorted((a, b) => a - b)).toEqual(found);
    }
  }
  for (const message of world.messages) {
    const { status } = await service.answer(who, api.lifecycle.get, { message_id: message.id });
    expect(status === 200, `${who} ${String(message.id)}`).toBe(
      world.shows(who, message, 'readable'),
    );
  }
}

test.each([1, 2, 3, 4])(
  'every reach shows what one may read (%i) [reach.shows-read]',
  async (seed) => {
    const service = await startTestService();
    try {
      const world = new Organization(service, randomFrom(seed));
      for (let count = 0; count < 4; count += 1) await world.open();
      for (let count = 1; count <= STEPS; count += 1) {
        await world.step();
      }
      for (const who of everyone) await checkAccount(world, who);
    } finally {
      await service.stop();
    }
  },
);
