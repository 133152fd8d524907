/**
 * Random organizations with private streams: whatever people do, no byte of a text reaches anybody who had no access to it
 * since it was written, through any answer, event, search, file or line of the log. Everything secret has a word of its
 * own, and a naive model says who may know that word.
 */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { shortOrLong } from '../support/long.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestQueue,
  type TestService,
} from '../support/service/api.ts';

const RUNS = shortOrLong(6, 100);
const STEPS = 30;

const everybody = [ada, ben, cleo, gus, echoBot] as const;
type Who = (typeof everybody)[number];
const emailOf: ReadonlyMap<number | undefined, Who> = new Map(
  everybody.map((who) => [idOf[who], who]),
);

interface Secret {
  readonly word: string;
  /** What it is and where, for whoever reads a failure. */
  readonly what: string;
  readonly mayKnow: Set<Who>;
}

interface StreamFact {
  readonly id: number;
  readonly recipient_id: number;
  readonly is_private: number;
  readonly is_history_public: number;
}

interface MessageFact {
  readonly id: number;
  readonly recipient_id: number;
}

/** Who is where, as the database has it; who may read what is decided here. */
interface Facts {
  /** Roles of those who are active. */
  readonly people: ReadonlyMap<Who, string>;
  readonly membersOf: (recipientId: number) => ReadonlySet<Who>;
  /** By recipient. */
  readonly streams: ReadonlyMap<number, StreamFact>;
  readonly messages: readonly MessageFact[];
}

const rows = (db: Database.Database, sql: string): readonly unknown[] => db.prepare(sql).all();

function readFacts(db: Database.Database): Facts {
  const accounts = rows(db, 'SELECT id, role FROM account WHERE is_active = 1');
  const people = (accounts as readonly { id: number; role: string }[]).flatMap(({ id, role }) => {
    const who = emailOf.get(id);
    return who === undefined ? [] : [[who, role] as const];
  });
  const members = new Map<number, Set<Who>>();
  const open = 'SELECT recipient_id, account_id FROM membership WHERE until_id IS NULL';
  for (const each of rows(db, open) as readonly { recipient_id: number; account_id: number }[]) {
    const who = emailOf.get(each.account_id);
    const those = members.get(each.recipient_id) ?? new Set();
    if (who !== undefined) members.set(each.recipient_id, those.add(who));
  }
  const streams = rows(db, 'SELECT id, recipient_id, is_private, is_history_public FROM stream');
  return {
    people: new Map(people),
    membersOf: (recipientId) => members.get(recipientId) ?? new Set(),
    streams: new Map((streams as readonly StreamFact[]).map((each) => [each.recipient_id, each])),
    messages: rows(db, 'SELECT id, recipient_id FROM message') as readonly MessageFact[],
  };
}

/** Who finds a stream by its name; a bot finds where its owner is (API decisions 9.2 and 10.5). */
function finders({ people, membersOf }: Facts, stream: StreamFact): readonly Who[] {
  const members = membersOf(stream.recipient_id);
  const byRole = [...people].filter(([, role]) =>
    stream.is_private === 1 ? role === 'admin' : role !== 'guest',
  );
  const bots: readonly Who[] = members.has(ada) ? [echoBot] : [];
  return [...members, ...bots, ...byRole.map(([who]) => who)];
}

/** @param holders  who was there when the message came to where it stands */
function readersOf(
  { people, membersOf, streams }: Facts,
  { recipient_id: recipientId }: MessageFact,
  holders: ReadonlySet<Who>,
): readonly Who[] {
  const members = [...membersOf(recipientId)];
  const stream = streams.get(recipientId);
  if (stream === undefined) return members;
  if (stream.is_private === 0) {
    return [...members, ...[...people].flatMap(([who, role]) => (role === 'guest' ? [] : [who]))];
  }
  return stream.is_history_public === 1 ? members : members.filter((who) => holders.has(who));
}

/** What was written, by the message or stream that it belongs to. */
class Secrets {
  readonly #all = new Map<string, Secret>();
  readonly #ofMessage = new Map<number, Secret[]>();
  readonly #ofStream = new Map<number, Secret[]>();
  /** Who held a message where only its time's subscribers read it. */
  readonly #holders = new Map<number, Set<Who>>();
  /** Where a message was seen last: coming to another stream it is held by those who are there. */
  readonly #places = new Map<number, number>();
  #count = 0;

  make(what: string): Secret {
    this.#count += 1;
    const word = `zq${this.#count.toString(36).padStart(4, '0')}xv`;
    const secret: Secret = { word, what, mayKnow: new Set() };
    this.#all.set(word, secret);
    return secret;
  }

  addToMessage(id: number, ...secrets: readonly Secret[]): void {
    this.#ofMessage.set(id, [...(this.#ofMessage.get(id) ?? []), ...secrets]);
  }

  addToStream(id: number, secret: Secret): void {
    this.#ofStream.set(id, [...(this.#ofStream.get(id) ?? []), secret]);
  }

  get words(): readonly Secret[] {
    return [...this.#all.values()];
  }

  get messageIds(): readonly number[] {
    return [...this.#ofMessage.keys()];
  }

  /** What is there now says who may know what, from now on. */
  learn(db: Database.Database): void {
    const facts = readFacts(db);
    for (const stream of facts.streams.values()) {
      for (const { mayKnow } of this.#ofStream.get(stream.id) ?? []) {
        for (const who of finders(facts, stream)) mayKnow.add(who);
      }
    }
    for (const message of facts.messages) {
      const secrets = this.#ofMessage.get(message.id) ?? [];
      const readers = readersOf(facts, message, this.#holdersOf(facts, message));
      for (const { mayKnow } of secrets) for (const who of readers) mayKnow.add(who);
    }
  }

  #holdersOf(facts: Facts, { id, recipient_id: recipientId }: MessageFact): ReadonlySet<Who> {
    if (this.#places.get(id) !== recipientId) {
      this.#places.set(id, recipientId);
      this.#holders.set(id, new Set(facts.membersOf(recipientId)));
    }
    return this.#holders.get(id) ?? new Set();
  }

  /** What an answer holds that its reader may not know. @param asked  what they wrote themselves comes back in errors */
  leaksIn(who: Who, text: string, asked = ''): readonly string[] {
    return [...new Set(text.match(/zq[0-9a-z]{4}xv/g))].flatMap((word) => {
      const secret = this.#all.get(word);
      if (secret === undefined || secret.mayKnow.has(who) || asked.includes(word)) return [];
      return [`${who} learns ${word}, ${secret.what}`];
    });
  }
}

/** An organization of one run: what people do in it, and what each of them is told. */
class Office {
  readonly secrets = new Secrets();
  readonly #service: TestService;
  readonly #db: Database.Database;
  readonly #queues: readonly (readonly [Who, TestQueue])[];
  readonly #streams: { readonly id: number; name: string }[] = [];
  readonly #topics: string[] = [];
  readonly #files: string[] = [];
  readonly found: string[] = [];

  private constructor(service: TestService, queues: readonly (readonly [Who, TestQueue])[]) {
    this.#service = service;
    this.#db = new Database(service.file, { readonly: true });
    this.#queues = queues;
  }

  static async open(service: TestService): Promise<Office> {
    const queues = await Promise.all(
      everybody.map(
        async (who) =>
          [who, await service.register(who, { all_public_streams: who !== gus })] as const,
      ),
    );
    return new Office(service, queues);
  }

  async close(): Promise<void> {
    this.#db.close();
    for (const [who, queue] of this.#queues) {
      await this.#service.answer(who, api.events.deleteQueue, { queue_id: queue.id });
    }
  }

  /** Whether it was done; what the caller is told counts as well. */
  async #do(who: Who, endpoint: AnyEndpoint, params: Params): Promise<Params | null> {
    const { status, body } = await this.#service.answer(who, endpoint, params);
    this.secrets.learn(this.#db);
    this.#look(who, `${endpoint.method} ${endpoint.path}`, body, JSON.stringify(params));
    return status === 200 ? body : null;
  }

  #look(who: Who, where: string, answer: unknown, asked = ''): void {
    const leaks = this.secrets.leaksIn(who, JSON.stringify(answer), asked);
    this.found.push(...leaks.map((leak) => `${where}: ${leak}`));
  }

  readonly #one = <T>(items: readonly T[], number: number): T | undefined =>
    items[number % Math.max(1, items.length)];

  async createStream(who: Who, number: number): Promise<void> {
    const name = this.secrets.make('the name of a stream');
    const description = this.secrets.make('the description of a stream');
    const principals = everybody.filter((_, at) => ((number >> at) & 1) === 1);
    const body = await this.#do(who, api.streams.subscribe, {
      subscriptions: [{ name: `room ${name.word}`, description: `for ${description.word}` }],
      ...{
        principals,
        invite_only: number % 5 !== 0,
        history_public_to_subscribers: number % 2 === 0,
      },
    });
    if (body === null) return;
    const named = rows(this.#db, `SELECT id FROM stream WHERE name = 'room ${name.word}'`);
    const [made] = named as readonly { readonly id: number }[];
    if (made === undefined) return;
    this.#streams.push({ id: made.id, name: `room ${name.word}` });
    this.secrets.addToStream(made.id, name);
    this.secrets.addToStream(made.id, description);
    this.secrets.learn(this.#db);
  }

  async renameStream(who: Who, number: number): Promise<void> {
    const stream = this.#one(this.#streams, number);
    if (stream === undefined) return;
    const secret = this.secrets.make('a new name of a stream');
    this.secrets.addToStream(stream.id, secret);
    const name = `room ${secret.word}`;
    const params = { stream_id: stream.id, new_name: JSON.stringify(name) };
    if ((await this.#do(who, api.streamAdmin.update, params)) !== null) stream.name = name;
  }

  async changePrivacy(who: Who, number: number): Promise<void> {
    const stream = this.#one(this.#streams, number);
    if (stream === undefined) return;
    await this.#do(who, api.streamAdmin.update, {
      stream_id: stream.id,
      is_private: number % 4 !== 0,
      history_public_to_subscribers: number % 3 === 0,
    });
  }

  async addTo(who: Who, number: number, other: Who): Promise<void> {
    const stream = this.#one(this.#streams, number);
    if (stream === undefined) return;
    await this.#do(who, api.streams.subscribe, {
      subscriptions: [{ name: stream.name }],
      ...(other === who ? {} : { principals: [other] }),
    });
  }

  async takeFrom(who: Who, number: number, other: Who): Promise<void> {
    const stream = this.#one(this.#streams, number);
    if (stream === undefined) return;
    await this.#do(who, api.subscriptions.unsubscribe, {
      subscriptions: [stream.name],
      ...(other === who ? {} : { principals: [other] }),
    });
  }

  async send(who: Who, number: number, other: Who): Promise<void> {
    const stream = this.#one(this.#streams, number);
    const content = this.secrets.make('the text of a message');
    const topic = this.secrets.make('a topic');
    const old = number % 2 === 0 ? this.#one(this.#topics, number) : undefined;
    const file = number % 7 === 0 ? await this.#upload(who) : null;
    const text = `${content.word} @**all** @**Cleo Member** ${file === null ? '' : `[f](${file.uri})`}`;
    const body = await this.#do(who, api.messages.send, {
      ...(number % 5 === 0 || stream === undefined
        ? { type: 'private', to: [other] }
        : { type: 'stream', to: stream.name, topic: old ?? topic.word }),
      content: text,
    });
    if (body === null) return;
    if (old === undefined) this.#topics.push(topic.word);
    const reused = this.secrets.words.filter(({ word }) => word === old);
    const written = [content, topic, ...reused, ...(file === null ? [] : file.secrets)];
    this.secrets.addToMessage(Number(body['id']), ...written);
    this.secrets.learn(this.#db);
  }

  async #upload(who: Who): Promise<{ readonly uri: string; readonly secrets: readonly Secret[] }> {
    const [name, inside] = [this.secrets.make('the name of a file'), this.secrets.make('a file')];
    for (const { mayKnow } of [name, inside]) mayKnow.add(who);
    const form = new FormData();
    form.set('file', new Blob([`about ${inside.word}`]), `${name.word}.txt`);
    const { uri } = await this.#service.ask(who, api.uploads.upload, {}, { body: form });
    this.#files.push(uri);
    return { uri, secrets: [name, inside] };
  }

  async edit(who: Who, number: number): Promise<void> {
    const id = this.#one(this.secrets.messageIds, number);
    if (id === undefined) return;
    const content = this.secrets.make('a text that was changed');
    const params = { message_id: id, content: content.word };
    if ((await this.#do(who, api.lifecycle.edit, params)) === null) return;
    this.secrets.addToMessage(id, content);
    this.secrets.learn(this.#db);
  }

  /** To another topic, or to another stream. */
  async move(who: Who, number: number): Promise<void> {
    const id = this.#one(this.secrets.messageIds, number);
    const stream = this.#one(this.#streams, number >> 3);
    if (id === undefined || stream === undefined) return;
    const topic = this.secrets.make('a topic that was changed');
    const before = this.#topicsOfMessages();
    const body = await this.#do(who, api.lifecycle.edit, {
      ...{ message_id: id, topic: topic.word },
      propagate_mode: ['change_one', 'change_later', 'change_all'][number % 3],
      ...(number % 2 === 0 ? {} : { stream_id: stream.id }),
    });
    if (body === null) return;
    this.#topics.push(topic.word);
    for (const [messageId, topicId] of this.#topicsOfMessages()) {
      if (before.get(messageId) !== topicId) this.secrets.addToMessage(messageId, topic);
    }
    this.secrets.learn(this.#db);
  }

  #topicsOfMessages(): ReadonlyMap<number, number> {
    const messages = rows(this.#db, 'SELECT id, topic_id FROM message');
    return new Map(
      (messages as readonly { id: number; topic_id: number }[]).map((each) => [
        each.id,
        each.topic_id,
      ]),
    );
  }

  async react(who: Who, number: number): Promise<void> {
    const id = this.#one(this.secrets.messageIds, number);
    if (id === undefined) return;
    const requests: readonly (readonly [AnyEndpoint, Params])[] = [
      [api.reactions.add, { message_id: id, emoji_name: 'heart' }],
      [api.readState.changeFlags, { messages: [id], op: 'add', flag: 'starred' }],
      [api.submessages.add, { message_id: id, msg_type: 'w', content: '{}' }],
      [api.lifecycle.delete, { message_id: id }],
    ];
    const [endpoint, params] = requests[number % requests.length] ?? requests[0]!;
    await this.#do(who, endpoint, params);
  }

  async changeRole(number: number): Promise<void> {
    const other = this.#one([ben, cleo, gus], number) ?? ben;
    const role = [200, 400, 600][number % 3];
    await this.#do(ada, api.userAdmin.update, { user_id: idOf[other], role });
  }

  async leaveOffice(number: number): Promise<void> {
    const user = { user_id: idOf[this.#one([ben, cleo], number) ?? ben] };
    await this.#do(ada, api.userAdmin.deactivate, user);
    await this.#do(ada, api.userAdmin.reactivate, user);
  }

  /** What everybody hears, and what everybody finds who looks everywhere. */
  async lookEverywhere(): Promise<void> {
    this.secrets.learn(this.#db);
    for (const [who, queue] of this.#queues) {
      const polled = await this.#service.answer(who, api.events.poll, {
        ...{ queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true },
      });
      // The queue of an account ends with it.
      for (const event of (polled.body['events'] ?? []) as readonly Params[]) {
        this.#look(who, `an event ${String(event['type'])} ${String(event['op'])}`, event);
      }
    }
    for (const who of everybody) await this.#lookAs(who);
  }

  async #ask(who: Who, endpoint: AnyEndpoint, params: Params = {}): Promise<unknown> {
    const { body } = await this.#service.answer(who, endpoint, params);
    this.#look(who, `${endpoint.method} ${endpoint.path}`, body, JSON.stringify(params));
    return body;
  }

  async #lookAs(who: Who): Promise<void> {
    const page = { anchor: 'newest', num_before: 1000, num_after: 0 };
    await this.#ask(who, api.events.register, { include_subscribers: true });
    for (const includes of [{}, { include_all_active: true }, { include_owner_subscribed: true }]) {
      await this.#ask(who, api.streams.list, includes);
    }
    await this.#ask(who, api.streams.subscriptions, { include_subscribers: true });
    for (const reach of ['held', 'readable']) {
      await this.#ask(who, api.messages.page, { ...page, reach, with_source: true });
      const inPublic = [{ operator: 'streams', operand: 'public' }];
      await this.#ask(who, api.messages.page, { ...page, reach, narrow: inPublic });
      for (const { id } of this.#streams) {
        const narrow = [{ operator: 'stream', operand: id }];
        await this.#ask(who, api.messages.page, { ...page, reach, narrow });
      }
    }
    for (const { id } of this.#streams) {
      for (const endpoint of [api.streams.topics, api.streams.get, api.streams.members]) {
        await this.#ask(who, endpoint, { stream_id: id });
      }
    }
    for (const messageId of this.secrets.messageIds) {
      await this.#ask(who, api.lifecycle.get, { message_id: messageId });
      await this.#ask(who, api.lifecycle.history, { message_id: messageId });
    }
    await this.#ask(who, api.search.matchesNarrow, {
      msg_ids: this.secrets.messageIds,
      narrow: [{ operator: 'search', operand: 'all' }],
    });
    await this.#searchAs(who);
    for (const path of this.#files) {
      const authorization = await this.#service.authorization(who);
      const answer = await fetch(new URL(path, this.#service.origin), {
        headers: { authorization },
      });
      this.#look(who, 'a file', await answer.text());
    }
  }

  /** A word that somebody may not know finds nothing. */
  async #searchAs(who: Who): Promise<void> {
    for (const { word, what, mayKnow } of this.secrets.words) {
      if (mayKnow.has(who)) continue;
      const narrow = [{ operator: 'search', operand: word }];
      const body = await this.#ask(who, api.messages.page, {
        ...{ anchor: 'newest', num_before: 5, num_after: 0, reach: 'readable', narrow },
      });
      const { messages = [] } = body as { messages?: readonly unknown[] };
      if (messages.length > 0) this.found.push(`a search: ${who} finds ${word}, ${what}`);
    }
  }
}

const doings = [
  'createStream',
  'renameStream',
  'changePrivacy',
  'addTo',
  'addTo',
  'takeFrom',
  'takeFrom',
  'send',
  'send',
  'send',
  'send',
  'edit',
  'move',
  'react',
] as const;

const who = fc.constantFrom(...everybody);
const step = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      what: fc.constantFrom(...doings),
      who: fc.oneof(who, fc.constantFrom<Who>(ada, ben)),
      other: who,
      number: fc.nat(10_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('changeRole' as const, 'leaveOffice' as const),
      number: fc.nat(100),
    }),
  },
);
const first = [0b00011, 0b00111, 0b01011].map(
  (number) => ({ what: 'createStream', who: ada, other: ada, number: number + 32 }) as const,
);

const logged: string[] = [];
beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** Streams whose names look alike are named to administrators, who may list every stream. */
const isNameWarning = (line: string): boolean =>
  line.includes('"message":"a name looks like another one') && line.includes('"kind":"stream"');

test('nobody learns a word of what they have no access to [leaks.nobody-learns-word]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const service = await startTestService();
      const office = await Office.open(service);
      for (const each of [...first, ...steps]) {
        if ('who' in each) await office[each.what](each.who, each.number, each.other);
        else await office[each.what](each.number);
      }
      await office.lookEverywhere();
      await office.close();
      await service.stop();
      expect(office.found).toEqual([]);
      expect(logged.filter((line) => !isNameWarning(line)).join('')).not.toMatch(/zq[0-9a-z]{4}xv/);
    }),
    // Each run is an organization of its own: making a failing one smaller takes minutes.
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);
