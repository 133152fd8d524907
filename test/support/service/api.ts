/**
 * A development service inside the test's own process, and calls that hold every answer against the endpoint
 * table: status, body, keys and error codes.
 */
import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { causes, type ValueType } from '#shared/api/causes.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint, ResultOf } from '#shared/api/endpoint.ts';
import { type ErrorCode, errorStatuses } from '#shared/api/errors.ts';
import type { Message } from '#shared/api/models/message.ts';
import { defaultLimits, type Limits, withoutRates } from '#shared/limits.ts';
import { compose, type RunningService } from '#hosting/compose-service.ts';
import { defaultTimes } from '#hosting/default-times.ts';

export const ada = 'ada@example.com';
export const ben = 'ben@example.com';
export const cleo = 'cleo@example.com';
export const gus = 'gus@example.com';
export const hookBot = 'hook-bot@example.com';
export const echoBot = 'echo-bot@example.com';

/** Ids of the development accounts, in the order in which they are seeded. */
export const idOf: Readonly<Record<string, number>> = {
  [ada]: 1,
  [ben]: 2,
  [cleo]: 3,
  [gus]: 4,
  [hookBot]: 5,
  [echoBot]: 6,
};

export type Params = Readonly<Record<string, unknown>>;

export interface Options {
  readonly isDevelopment?: boolean;
  readonly queueIdleSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly longpollSeconds?: number;
  /** Default: the usual ones, but everybody may call as often as they like. */
  readonly limits?: Partial<Limits>;
  readonly allowPrivateAddresses?: boolean;
  /** Shown instead of its own. */
  readonly certificate?: { readonly certFile: string; readonly keyFile: string };
  /** Has the token of GET /metrics. */
  readonly metricsTokenFile?: string;
  /** Puts the service together; default: as everywhere. */
  readonly compose?: typeof compose;
}

export interface How {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body as it goes on the wire; the parameters then go into the query. */
  readonly body?: BodyInit;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An error body without its cause; `code` is `NONE` where the body has none. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly msg: string;
  readonly [key: string]: unknown;
}

/** Codes that any endpoint may answer with, because they are decided before its handler is asked. */
export function generalCodes({ auth }: Pick<AnyEndpoint, 'auth'>): readonly ErrorCode[] {
  const decoding: readonly ErrorCode[] = [
    'REQUEST_VARIABLE_MISSING',
    'REQUEST_VARIABLE_INVALID',
    'DISK_FULL',
    'ORGANIZATION_ASLEEP',
  ];
  if (auth === 'none') return decoding;
  return [
    ...decoding,
    'UNAUTHORIZED',
    'INVALID_API_KEY',
    'USER_DEACTIVATED',
    'REALM_DEACTIVATED',
    'ORGANIZATION_CLOSED',
  ];
}

/** Extra keys of an error body by code (API decisions 1.2); those with `?` may be absent. */
const errorKeys: Readonly<Record<ErrorCode, readonly string[]>> = {
  BAD_REQUEST: [],
  NONE: [],
  STREAM_DOES_NOT_EXIST: ['stream', 'stream_id?'],
  BAD_EVENT_QUEUE_ID: ['queue_id'],
  REQUEST_VARIABLE_MISSING: ['var_name'],
  REQUEST_VARIABLE_INVALID: ['var_name', 'bad_value'],
  REQUEST_CONFUSING_VAR: ['var_name1', 'var_name2'],
  BAD_NARROW: ['desc'],
  UNAUTHORIZED_PRINCIPAL: ['principal'],
  WRONG_PASSWORD: [],
  LINK_NOT_VALID: [],
  BAD_IMAGE: [],
  REALM_UPLOAD_QUOTA: [],
  INVITATION_FAILED: ['errors', 'sent_invitations'],
  CANNOT_DEACTIVATE_LAST_USER: ['is_last_admin', 'entity'],
  INVALID_JSON: [],
  MISSING_HTTP_EVENT_HEADER: ['header'],
  UNEXPECTED_WEBHOOK_EVENT_TYPE: ['webhook_name', 'event_type'],
  UNAUTHORIZED: [],
  INVALID_API_KEY: [],
  USER_DEACTIVATED: [],
  REALM_DEACTIVATED: ['is_succeeded?'],
  AUTHENTICATION_FAILED: ['reason'],
  NOT_FOUND: [],
  METHOD_NOT_ALLOWED: ['allowed_methods'],
  PAYLOAD_TOO_LARGE: [],
  RATE_LIMIT_HIT: ['retry-after'],
  INTERNAL_ERROR: [],
  ORGANIZATION_CLOSED: [],
  ORGANIZATION_ASLEEP: ['asleep_since', 'retry-after'],
  DISK_FULL: [],
};

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && code !== 'NONE' && Object.hasOwn(errorStatuses, code);

function valueCodec(type: ValueType): z.ZodType {
  if (typeof type === 'string') return type === 'text' ? z.string() : z.number();
  return 'each' in type ? z.array(z.enum(type.each)) : z.enum(type);
}

/** A cause is a row of the table under the code that came with it, with the values of that row. */
function checkCause(code: ErrorCode, cause: unknown): void {
  const { name, values } = z
    .strictObject({ name: z.string(), values: z.record(z.string(), z.unknown()) })
    .parse(cause);
  const rows: Readonly<Record<string, Readonly<Record<string, ValueType>>>> =
    Object.entries(causes).find(([each]) => each === code)?.[1] ?? {};
  const types = Object.entries(rows[name] ?? {});
  expect(Object.keys(rows)).toContain(name);
  expect(Object.keys(values).sort()).toEqual(types.map(([key]) => key).sort());
  for (const [key, type] of types) {
    expect(valueCodec(type).safeParse(values[key]).error, `${name}: ${key}`).toBe(undefined);
  }
}

function readRefusal({ status, body }: Answer): Refusal {
  const { result, msg, code, cause, ...extra } = body;
  expect(result).toBe('error');
  // Clients print it in one line (API decisions 1.4).
  expect(msg).toMatch(/^\S[^\n]*$/);
  if (code !== undefined) expect(isErrorCode(code), JSON.stringify(code)).toBe(true);
  const known: ErrorCode = isErrorCode(code) ? code : 'NONE';
  expect(status, JSON.stringify(body)).toBe(errorStatuses[known]);
  if (cause !== undefined) checkCause(known, cause);
  const allowed = errorKeys[known];
  for (const key of allowed) if (!key.endsWith('?')) expect(extra).toHaveProperty([key]);
  expect(allowed.map((key) => key.replace('?', ''))).toEqual(
    expect.arrayContaining(Object.keys(extra)),
  );
  return { ...extra, code: known, msg: String(msg) };
}

/** Pages from elsewhere must not read what these give away. */
const development: ReadonlySet<AnyEndpoint> = new Set([
  api.users.devFetchApiKey,
  api.devices.signIn,
  api.compatibility.listDevelopmentUsers,
]);

function checkHeaders(endpoint: AnyEndpoint, headers: Headers): void {
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const isOpen = !development.has(endpoint);
  expect(headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null);
}

/** The keys that the schema does not know would be lost here, and the comparison would tell. */
function checkResult(endpoint: AnyEndpoint, body: Answer['body']): object {
  const { result, msg, ...rest } = body;
  expect({ result, msg }, JSON.stringify(body)).toEqual({ result: 'success', msg: '' });
  const parsed = endpoint.result.parse(rest);
  expect(parsed).toEqual(rest);
  return rest;
}

export function formOf(params: Params): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) {
      fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
  }
  return fields;
}

/** Puts the captures of a path in their places; the rest stays a parameter. */
function fillPath(path: string, params: Params): { readonly path: string; readonly rest: Params } {
  const rest = { ...params };
  const filled = path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    rest[name] = undefined;
    return value;
  });
  return { path: filled, rest };
}

/** GET arguments and those beside a body of its own go into the query, others into a form. */
function requestOf(origin: string, request: string, params: Params, how: How) {
  const [method = '', path = ''] = request.split(' ', 2);
  const url = new URL(`/api/v1${path}`, origin);
  const form = formOf(params);
  const isForm = method !== 'GET' && method !== 'HEAD' && how.body === undefined;
  if (!isForm) for (const [name, value] of form) url.searchParams.set(name, value);
  return { method, url, body: isForm ? form : (how.body ?? null) };
}

export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Columns that merely fetching changes. */
const volatile = new Set(['acknowledged_id', 'last_seen_at', 'reserved_through']);

const versionOf = (db: Database.Database): number =>
  Number(db.pragma('data_version', { simple: true }));

function dumpOf(db: Database.Database): Dump {
  const tables = db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE 'search_%' AND name NOT LIKE 'kept_delivery%' AND name <> 'key_use'`,
    )
    .pluck()
    .all() as string[];
  return Object.fromEntries(tables.map((table) => [table, rowsOf(db, table)]));
}

function rowsOf(db: Database.Database, table: string): Record<string, unknown>[] {
  // That somebody got a key, or did not, is written down whatever becomes of the call.
  const which = table === 'audit_entry' ? "WHERE type NOT LIKE 'sign_in%'" : '';
  const rows = db.prepare(`SELECT * FROM ${table} ${which}`).all();
  return (rows as Record<string, unknown>[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !volatile.has(column))),
  );
}

export class TestService {
  readonly dataDir: string;
  readonly #options: Options;
  readonly #keys = new Map<string, string>();
  #running: RunningService | undefined;
  #db: Database.Database | undefined;

  constructor(dataDir: string, options: Options) {
    this.dataDir = dataDir;
    this.#options = options;
  }

  get origin(): string {
    if (this.#running === undefined) throw new Error('the service does not run');
    return this.#running.origin;
  }

  get file(): string {
    return join(this.dataDir, 'hearth.db');
  }

  async start(): Promise<void> {
    const { compose: composeIt = compose, ...options } = this.#options;
    this.#running = await composeIt({
      ...defaultTimes,
      isDevelopment: true,
      allowPrivateAddresses: false,
      limits: withoutRates(defaultLimits),
      identity: null,
      ...options,
      dataDir: this.dataDir,
      host: '127.0.0.1',
      port: 0,
      secret: null,
      rendererDir: null,
      foreignWritesMs: 0,
    });
  }

  /** As the computer goes to sleep, or wakes. */
  async setAsleep(isAsleep: boolean): Promise<void> {
    await this.#running?.setAsleep(isAsleep);
  }

  /** Ends it cleanly; the data directory stays. */
  async halt(): Promise<void> {
    this.#db?.close();
    this.#db = undefined;
    await this.#running?.stop();
    this.#running = undefined;
  }

  async restart(): Promise<void> {
    await this.halt();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async keyOf(email: string): Promise<string> {
    const known = this.#keys.get(email);
    if (known !== undefined) return known;
    const { api_key: key } = await this.ask(null, api.users.devFetchApiKey, { username: email });
    this.#keys.set(email, key);
    return key;
  }

  /** After its key was renewed. */
  forgetKey(email: string): void {
    this.#keys.delete(email);
  }

  async authorization(email: string): Promise<string> {
    return `Basic ${Buffer.from(`${email}:${await this.keyOf(email)}`).toString('base64')}`;
  }

  /** One request as it is, unchecked. @param request  method and path below `/api/v1` */
  async send(
    who: string | null,
    request: string,
    params: Params = {},
    how: How = {},
  ): Promise<Answer> {
    const { method, url, body: sent } = requestOf(this.origin, request, params, how);
    const authorization = who === null ? {} : { authorization: await this.authorization(who) };
    const response = await fetch(url, {
      method,
      headers: { ...authorization, ...how.headers },
      body: sent,
      signal: how.signal ?? null,
    });
    const text = await response.text();
    const body = text === '' ? {} : (JSON.parse(text) as Answer['body']);
    return { status: response.status, headers: response.headers, body };
  }

  /** A call of an endpoint, its answer checked whichever it is. */
  async answer(
    who: string | null,
    endpoint: AnyEndpoint,
    params: Params = {},
    how: How = {},
  ): Promise<Answer> {
    const { path, rest } = fillPath(endpoint.path, params);
    const answer = await this.send(who, `${endpoint.method} ${path}`, rest, how);
    checkHeaders(endpoint, answer.headers);
    if (answer.status === 200) {
      // These give somebody new keys, which are fetched when they are needed.
      if (endpoint === api.userAdmin.reactivate || endpoint === api.devices.renewKeys) {
        this.#keys.clear();
      }
      checkResult(endpoint, answer.body);
    } else {
      const { code } = readRefusal(answer);
      expect(
        [...endpoint.errors, ...generalCodes(endpoint)],
        JSON.stringify(answer.body),
      ).toContain(code);
    }
    return answer;
  }

  /** A call that succeeds; answers its result without `result` and `msg`. */
  async ask<E extends AnyEndpoint>(
    who: string | null,
    endpoint: E,
    params: Params = {},
    how: How = {},
  ): Promise<ResultOf<E>> {
    const { status, body } = await this.answer(who, endpoint, params, how);
    expect(status, JSON.stringify(body)).toBe(200);
    return checkResult(endpoint, body) as ResultOf<E>;
  }

  /** A call that is refused and changes nothing. */
  async refuse(
    who: string | null,
    endpoint: AnyEndpoint,
    params: Params = {},
    how: How = {},
  ): Promise<Refusal> {
    if (who !== null) await this.keyOf(who);
    const { result: answer, dumps } = await this.dumpsAround(() =>
      this.answer(who, endpoint, params, how),
    );
    expect(answer.status, JSON.stringify(answer.body)).not.toBe(200);
    expect(dumps?.after).toEqual(dumps?.before);
    return readRefusal(answer);
  }

  /** Sends a stream message; answers its id. */
  async say(who: string, stream: string, topic: string, content = 'text'): Promise<number> {
    const params = { type: 'stream', to: stream, topic, content };
    return (await this.ask(who, api.messages.send, params)).id;
  }

  /** Sends a private message; answers its id. */
  async tell(who: string, to: readonly string[], content = 'text'): Promise<number> {
    return (await this.ask(who, api.messages.send, { type: 'private', to, content })).id;
  }

  /** Subscribes to streams by name, creating what is missing. */
  async join(who: string, names: readonly string[], more: Params = {}): Promise<void> {
    const subscriptions = names.map((name) => ({ name }));
    await this.ask(who, api.streams.subscribe, { subscriptions, ...more });
  }

  /** Reads one message as an account sees it, whether or not it holds a copy. */
  async read(who: string, id: number, params: Params = {}): Promise<Message | undefined> {
    const page = { anchor: id, num_before: 0, num_after: 0, ...params };
    return (await this.ask(who, api.messages.page, page)).messages[0];
  }

  async register(who: string, params: Params = {}): Promise<TestQueue> {
    const answer = await this.ask(who, api.events.register, { fetch_event_types: [], ...params });
    return new TestQueue(this, who, { id: answer.queue_id, lastEventId: answer.last_event_id });
  }

  /**
   * Settles when everything that was sent before has arrived: the service answers what it has read, and it reads in
   * the order of arrival.
   */
  async arrived(): Promise<void> {
    await this.ask(null, api.server.settings);
    await this.ask(null, api.server.settings);
  }

  /**
   * Every row of every table, without what merely fetching changes and without what follows later: the search index, and
   * deliveries as they are kept for the owners of bots.
   */
  dump(): Dump {
    return dumpOf(this.#open());
  }

  /**
   * What a piece of work answers, and what a dump held before and after it; no dumps where nobody wrote meanwhile, which
   * is how a refusal ought to be and costs next to nothing, nor where the answer says that they do not matter.
   */
  async dumpsAround<T>(
    work: () => Promise<T>,
    matters: (result: T) => boolean = () => true,
  ): Promise<{ readonly result: T; readonly dumps: { before: Dump; after: Dump } | undefined }> {
    const now = this.#open();
    const version = versionOf(now);
    // A transaction that has read keeps what it saw.
    const then = new Database(this.file, { readonly: true });
    then.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    try {
      const result = await work();
      const isSame = versionOf(now) === version || !matters(result);
      return { result, dumps: isSame ? undefined : { before: dumpOf(then), after: dumpOf(now) } };
    } finally {
      then.close();
    }
  }

  /** The rows of one table. */
  rows(table: string): readonly Readonly<Record<string, unknown>>[] {
    return rowsOf(this.#open(), table);
  }

  #open(): Database.Database {
    return (this.#db ??= new Database(this.file, { readonly: true }));
  }

  /** How many rows of each table a piece of work added; tables that stayed as long are left out. */
  async rowsAdded(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = this.dump();
    await work();
    const after = this.dump();
    const counts = Object.entries(after).map(
      ([table, rows]) => [table, rows.length - (before[table]?.length ?? 0)] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count !== 0));
  }

  /** Changes rows in ways that no endpoint offers yet. */
  change(sql: string, ...values: readonly (string | number)[]): void {
    const db = new Database(this.file, { timeout: 5000 });
    try {
      db.prepare(sql).run(...values);
    } finally {
      db.close();
    }
  }
}

type WireEvent = ResultOf<typeof api.events.poll>['events'][number];

/** A queue as a client uses it: every fetch acknowledges what the one before it answered. */
export class TestQueue {
  readonly id: string;
  readonly who: string;
  readonly #service: TestService;
  lastEventId: number;

  constructor(service: TestService, who: string, queue: { id: string; lastEventId: number }) {
    this.#service = service;
    this.who = who;
    this.id = queue.id;
    this.lastEventId = queue.lastEventId;
  }

  /** Waits for events. */
  async poll(more: Params = {}, how: How = {}): Promise<readonly WireEvent[]> {
    const { events } = await this.#service.ask(
      this.who,
      api.events.poll,
      { queue_id: this.id, last_event_id: this.lastEventId, ...more },
      how,
    );
    const ids = events.map((event) => event.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    for (const id of ids) expect(id).toBeGreaterThan(this.lastEventId);
    this.lastEventId = ids.at(-1) ?? this.lastEventId;
    return events;
  }

  /** What is there now. */
  now(more: Params = {}): Promise<readonly WireEvent[]> {
    return this.poll({ dont_block: true, ...more });
  }

  /** What is there now, each event in a few words. */
  async heard(): Promise<readonly string[]> {
    return (await this.now()).map(describeEvent);
  }
}

const namesOf = (items: readonly { readonly name: string }[]): string =>
  items.map(({ name }) => name).join(',');

const describers: Readonly<Record<string, (event: never) => string>> = {
  message: ({ message }: { message: { id: number } }) => `message ${String(message.id)}`,
  'stream create': describeStreams,
  'stream occupy': describeStreams,
  'stream vacate': describeStreams,
  'stream delete': describeStreams,
  'realm_user add': ({ person }: { person: { email: string } }) => `user ${person.email}`,
  'subscription add': ({ subscriptions }: { subscriptions: { name: string }[] }) =>
    `joined ${namesOf(subscriptions)}`,
  'subscription peer_add': ({ user_id: id, subscriptions }: PeerEvent) =>
    `peer ${String(id)} ${subscriptions.join(',')}`,
  'subscription remove': ({ subscriptions }: { subscriptions: { name: string }[] }) =>
    `left ${namesOf(subscriptions)}`,
  'subscription peer_remove': ({ user_id: id, subscriptions }: PeerEvent) =>
    `peer gone ${String(id)} ${subscriptions.join(',')}`,
  join_requests: ({ count }: { count: number }) => `join_requests ${String(count)}`,
  'subscription update': describeChange,
  'stream update': describeChange,
  'realm update': describeChange,
  'realm update_dict': ({ data }: { data: object }) => `realm ${JSON.stringify(data)}`,
};

interface PeerEvent {
  readonly user_id: number;
  readonly subscriptions: readonly string[];
}

interface ChangeEvent {
  readonly type: string;
  /** The realm has none. */
  readonly name?: string;
  readonly property: string;
  readonly value: unknown;
}

function describeChange({ type, name, property, value }: ChangeEvent): string {
  return `${name ?? type} ${property} ${String(value)}`;
}

function describeStreams({ op, streams }: { op: string; streams: { name: string }[] }): string {
  return `${op} ${namesOf(streams)}`;
}

/** An event in a few words. */
export function describeEvent(event: WireEvent): string {
  const kind = 'op' in event ? `${event.type} ${event.op}` : event.type;
  return describers[kind]?.(event as never) ?? kind;
}

export const everybody = [ada, ben, cleo, gus, echoBot] as const;

/** The events that a piece of work brings each account. */
export async function eventsOf(
  service: TestService,
  work: () => Promise<unknown>,
  params: Params = {},
): Promise<ReadonlyMap<string, readonly WireEvent[]>> {
  const queues = await Promise.all(everybody.map((who) => service.register(who, params)));
  await work();
  const heard = await Promise.all(
    queues.map(async (queue) => [queue.who, await queue.now()] as const),
  );
  await Promise.all(
    queues.map((queue) => service.ask(queue.who, api.events.deleteQueue, { queue_id: queue.id })),
  );
  return new Map(heard);
}

/** What a piece of work makes each account hear, in a few words; those that hear nothing are left out. */
export async function heardOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<Record<string, readonly string[]>> {
  const events = [...(await eventsOf(service, work))];
  return Object.fromEntries(
    events.flatMap(([who, each]) => (each.length === 0 ? [] : [[who, each.map(describeEvent)]])),
  );
}

/** Starts a service on a new temporary directory; `stop` removes it. */
export async function startTestService(options: Options = {}): Promise<TestService> {
  const service = new TestService(await mkdtemp(join(tmpdir(), 'hearth-api-')), options);
  try {
    await service.start();
  } catch (error) {
    await service.stop();
    throw error;
  }
  return service;
}
