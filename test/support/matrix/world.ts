/** The organization in which the operations are tried: its accounts, its places, and what everybody hears. */
import Database from 'better-sqlite3';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  type TestQueue,
  type TestService,
} from '../service/api.ts';
import { png, upload } from '../images.ts';
import { type Caller, type Name, isStranger, listeners, members, names } from './cast.ts';
import type { Moment, Place, Thing } from './facts.ts';

const PASSWORD = 'a long password';
/** How many messages are used up in a place, at most, of each moment. */
const USED: Readonly<Record<Place, number>> = {
  ...{
    public: 75,
    shared: 45,
    protected: 45,
    archived: 45,
    'archived private': 45,
    conversation: 45,
  },
  ...{ announcements: 1, 'private announcements': 1 },
};

/** That somebody was told of something. */
export interface Heard {
  readonly id: number;
  readonly who: Name;
  /** Type and operation. */
  readonly kind: string;
}

export interface Stage {
  readonly id: number;
  readonly name: string;
  readonly filled: Readonly<Record<Moment, Filled>>;
}

/** The messages of a moment, and the file to which the first of them links. */
interface Filled {
  readonly ids: readonly number[];
  readonly file: string;
}

const isPrivate: Readonly<Record<Place, boolean>> = {
  ...{ public: false, announcements: false, archived: false, conversation: true },
  ...{ shared: true, protected: true, 'private announcements': true, 'archived private': true },
};

export class MatrixWorld {
  readonly service: TestService;
  readonly #emails = new Map<Caller, string>([
    ['admin', ada],
    ['author', ben],
    ['member inside', cleo],
    ['guest inside', gus],
    ["admin's bot", echoBot],
    ['incoming bot', hookBot],
  ]);
  readonly #ids = new Map<Caller, number>();
  readonly #stages = new Map<Place, Promise<Stage>>();
  readonly #taken = new Map<string, number>();
  #queues: readonly (readonly [Name, TestQueue])[] = [];
  #db: Database.Database | undefined;
  #deactivated = '';
  #made = 0;
  #newest = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  async prepare(): Promise<void> {
    for (const name of [
      ...(['admin inside', 'member', 'former member', 'guest', 'former guest'] as const),
      ...(['resident', 'bystander', 'a deactivated account'] as const),
    ]) {
      await this.#addPerson(name);
    }
    await this.service.ask(ada, api.userAdmin.update, {
      user_id: this.idOf('admin inside'),
      role: 200,
    });
    for (const { name, owner, bot } of members) {
      if (owner !== undefined && !this.#emails.has(name))
        await this.#addBot(name, owner as Name, bot);
    }
    for (const name of ['guest', 'former guest'] as const) {
      await this.service.ask(ada, api.userAdmin.update, { user_id: this.idOf(name), role: 600 });
    }
    const principals = names.map((name) => this.emailOf(name));
    await this.service.join(ada, ['general'], { principals });
    this.#deactivated = await this.service.authorization(this.emailOf('a deactivated account'));
    await this.service.ask(ada, api.userAdmin.deactivate, {
      user_id: this.idOf('a deactivated account'),
    });
    await this.#learnIds();
    this.#db = new Database(this.service.file, { readonly: true });
    this.#queues = await Promise.all(
      listeners.map(
        async ({ name }) => [name, await this.service.register(this.emailOf(name))] as const,
      ),
    );
  }

  async stop(): Promise<void> {
    this.#db?.close();
    await this.service.stop();
  }

  async #learnIds(): Promise<void> {
    const { members: accounts } = await this.service.ask(ada, api.users.list);
    for (const [name, email] of this.#emails) {
      this.#ids.set(name, accounts.find((each) => each.email === email)?.user_id ?? 0);
    }
  }

  async #addPerson(name: Caller): Promise<void> {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const account = { email, password: PASSWORD, full_name: `The ${name}` };
    this.#ids.set(name, (await this.service.ask(ada, api.users.create, account)).user_id);
    this.#emails.set(name, email);
  }

  async #addBot(name: Name, owner: Name, kind: string | null): Promise<void> {
    const { email } = await this.service.ask(this.emailOf(owner), api.bots.create, {
      full_name: `The bot ${String(this.#emails.size)}`,
      short_name: `bot${String(this.#emails.size)}`,
      ...(kind === 'outgoing'
        ? { bot_type: 3, payload_url: 'https://hooks.example.com/hearth' }
        : {}),
    });
    this.#emails.set(name, email);
  }

  emailOf(name: Caller): string {
    const email = this.#emails.get(name);
    if (email === undefined) throw new Error(`${name} has no address`);
    return email;
  }

  idOf(name: Caller): number {
    return this.#ids.get(name) ?? 0;
  }

  /** What comes with a call; nothing for nobody. */
  async authorizationOf(caller: Caller): Promise<Readonly<Record<string, string>>> {
    if (caller === 'nobody') return {};
    if (caller === 'a deactivated account') return { authorization: this.#deactivated };
    if (!isStranger(caller)) {
      return { authorization: await this.service.authorization(this.emailOf(caller)) };
    }
    // An administrator's address, and the right key of somebody else.
    const key = await this.service.keyOf(this.emailOf('member'));
    return { authorization: `Basic ${Buffer.from(`${ada}:${key}`).toString('base64')}` };
  }

  /** Something that was not there before. */
  fresh(prefix: string): string {
    return `${prefix}${String(++this.#made)}`;
  }

  async person(): Promise<number> {
    const answer = await this.service.ask(ada, api.users.create, {
      email: `${this.fresh('person')}@example.com`,
      password: PASSWORD,
      full_name: this.fresh('Person '),
    });
    return answer.user_id;
  }

  /** One that the author owns. */
  async bot(): Promise<number> {
    const params = { full_name: this.fresh('Bot '), short_name: this.fresh('bot') };
    return (await this.service.ask(ben, api.bots.create, params)).user_id;
  }

  /** The place of a kind that stays as it is. */
  async stage(place: Place): Promise<Stage> {
    const known = this.#stages.get(place) ?? this.build(place, USED[place]);
    this.#stages.set(place, known);
    return known;
  }

  /** A message that is not used up, or one that nobody else gets. */
  async message({ place, moment }: Thing, isSpent: boolean): Promise<number> {
    const { ids } = (await this.stage(place)).filled[moment];
    const key = `${place} ${moment}`;
    const at = isSpent ? (this.#taken.get(key) ?? 0) + 1 : 0;
    if (isSpent) this.#taken.set(key, at);
    const id = ids[at];
    if (id === undefined) throw new Error(`no message is left: ${key}`);
    return id;
  }

  /** Another place of a kind. */
  async build(place: Place, count = 1): Promise<Stage> {
    if (place === 'conversation') return this.#buildConversation(count);
    const name = this.fresh('place ');
    await this.service.join(ben, [name], {
      invite_only: isPrivate[place],
      history_public_to_subscribers: place === 'shared' || place === 'archived private',
    });
    const { stream_id: id } = await this.service.ask(ben, api.streams.findId, { stream: name });
    const say = (content: string) => this.service.say(ben, name, 'plans', content);
    const before = await this.#fill(count, say);
    const there = members
      .filter((each) => each.at !== 'out')
      .map((each) => this.emailOf(each.name));
    await this.service.join(ben, [name], { principals: there });
    const held = await this.#fill(count, say);
    const former = members
      .filter((each) => each.at === 'former')
      .map((each) => this.emailOf(each.name));
    await this.service.ask(ada, api.subscriptions.unsubscribe, {
      subscriptions: [name],
      principals: former,
    });
    const after = await this.#fill(count, say);
    await this.#finish(place, id);
    return { id, name, filled: { before, held, after } };
  }

  async #finish(place: Place, id: number): Promise<void> {
    if (place.endsWith('announcements')) {
      await this.service.ask(ada, api.streamAdmin.update, {
        stream_id: id,
        is_announcement_only: true,
      });
    }
    if (place.startsWith('archived'))
      await this.service.ask(ada, api.streamAdmin.archive, { stream_id: id });
  }

  /** Where there are several, the first of them links to a file. */
  async #fill(count: number, say: (content: string) => Promise<number>): Promise<Filled> {
    if (count === 1) return { ids: [await say(this.fresh('soup '))], file: '' };
    const { uri: file } = await this.service.ask(
      ben,
      api.uploads.upload,
      {},
      { body: upload(png) },
    );
    const first = await say(`${this.fresh('soup ')} [file](${file})`);
    const rest = Array.from({ length: count - 1 }, () => say(this.fresh('soup ')));
    return { ids: [first, ...(await Promise.all(rest))], file };
  }

  async #buildConversation(count: number): Promise<Stage> {
    const to = members
      .filter(({ at, bot }) => at === 'in' && (bot === null || bot === 'generic'))
      .map(({ name }) => this.emailOf(name));
    const held = await this.#fill(count, (content) => this.service.tell(ben, to, content));
    return { id: 0, name: '', filled: { before: held, held, after: held } };
  }

  /** The newest event there is: what a call brings has an id above it. */
  newestEvent(): number {
    // Everything that was fetched may have been trimmed.
    const newest = this.#count(`SELECT coalesce(max(id), 0) FROM event`);
    this.#newest = Math.max(this.#newest, newest);
    return this.#newest;
  }

  /** The tables that calls have changed that were refused and must leave everything as it is. */
  async changedBy(calls: () => Promise<unknown>): Promise<readonly string[]> {
    const countsBefore = this.#counts();
    const { dumps } = await this.service.dumpsAround(calls);
    if (dumps === undefined) return [];
    const before: Readonly<Record<string, unknown>> = { ...dumps.before, ...countsBefore };
    const after: Readonly<Record<string, unknown>> = { ...dumps.after, ...this.#counts() };
    // The log is trimmed by the way: of it only what is new counts.
    return Object.keys(after).filter(
      (name) => name !== 'event' && JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
  }

  #counts() {
    const entries = this.#count('SELECT count(*) FROM audit_entry');
    return { 'newest event': this.newestEvent(), 'entries of the audit log': entries };
  }

  /** Every event above an id that somebody was told, in the order of ids for each. */
  async heard(after: number): Promise<readonly Heard[]> {
    if (this.newestEvent() === after) return [];
    const heard = await Promise.all(
      this.#queues.map(async ([who, queue]) => {
        queue.lastEventId = Math.max(queue.lastEventId, after);
        return (await queue.now()).map((event) => ({
          ...{ id: event.id, who },
          kind: 'op' in event ? `${event.type} ${event.op}` : event.type,
        }));
      }),
    );
    return heard.flat();
  }

  #count(sql: string): number {
    return Number(this.#db?.prepare(sql).pluck().get());
  }
}
