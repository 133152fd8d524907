/** Somebody's computer: what it keeps outlives the client that runs on it, which may be stopped, killed and started again. */
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { AccountStorage, ClientPorts, Clock, Http } from '#client/ports.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type {
  Account,
  CacheStatus,
  Connection,
  MessagePage,
  ReadTarget,
  ShownMessage,
  View,
} from '#shared/bridge/models/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { createRealClient, type RealClient, valueOf } from './client.ts';

/** Within which a service has to answer whoever signs in. They ask once, and one that has just started may need a second. */
const SIGN_IN_LIMIT_MS = 10_000;
/** Within which it has to answer what a person does. Much of that is asked once, too. */
const CALL_LIMIT_MS = 30_000;

const clockWith = (whole: readonly number[]): Clock => ({
  now: Date.now,
  random: Math.random,
  wait: async (delayMs, signal) => {
    const shortened = whole.includes(delayMs) ? delayMs : delayMs / 10;
    // Aborting ends the wait; that is all there is to the rejection.
    await delay(shortened, undefined, { signal, ref: false }).catch(() => undefined);
  },
});

/** What is waited for takes a tenth of its time: pauses, and the limits of what is asked again by itself. */
export const quickClock = clockWith([SIGN_IN_LIMIT_MS, CALL_LIMIT_MS]);

/** For a line on which nothing answers: calls are given up after a tenth of their time, also on a busy machine. */
export const hastyClock = clockWith([SIGN_IN_LIMIT_MS]);

/** For a service whose polls are short, so that the quick clock does not give them up. */
export const quickService = [
  '--no-rate-limits',
  ...['--heartbeat-seconds', '1'],
  ...['--longpoll-seconds', '2'],
] as const;

export const everything: View = { kind: 'search', terms: [] };

/** This message was read, and nothing else. */
export const readOnly = (id: number): ReadTarget => ({
  kind: 'passage',
  view: { kind: 'feed' },
  fromId: id,
  toId: id,
  seenIds: [id],
});

/** What a service says of a path that it does not know. */
const nothingThere = { result: 'error', msg: 'There is nothing here', code: 'NOT_FOUND' };

interface Joining {
  readonly origin: string;
  readonly email: string;
  /** The safety words of an office that is known by its key. */
  readonly words?: string;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly atMs: number;
}

/** A client that runs, with its first account. */
export class Running {
  readonly #real: RealClient;
  readonly account: Account;

  constructor(real: RealClient, account: Account) {
    this.#real = real;
    this.account = account;
  }

  get client(): RealClient['client'] {
    return this.#real.client;
  }

  get heard(): RealClient['heard'] {
    return this.#real.heard;
  }

  get connection(): Connection | undefined {
    return this.connectionOf(this.account);
  }

  connectionOf({ id }: Account): Connection | undefined {
    return this.heard.connectionChanged.findLast(({ accountId }) => accountId === id)?.connection;
  }

  until(condition: () => boolean): Promise<void> {
    return this.#real.until(condition);
  }

  live(): Promise<void> {
    return this.until(() => this.connection?.state === 'live');
  }

  offline(): Promise<void> {
    return this.until(() => this.connection?.state === 'offline');
  }

  async state(): Promise<ClientState> {
    return valueOf(await this.client.state(this.account.id));
  }

  async status(): Promise<CacheStatus> {
    return valueOf(await this.client.cacheStatus(this.account.id));
  }

  /** Settles when all of the history is here. */
  async filled(): Promise<void> {
    await expect
      .poll(async () => {
        this.client.reconsider();
        return (await this.status()).backfill;
      })
      .toBe('complete');
  }

  async page(view: View = everything, before = 1000): Promise<MessagePage> {
    const request = { view, anchor: 'newest', before, after: 0 } as const;
    return valueOf(await this.client.messages(this.account.id, request));
  }

  /** The same once nothing is missing in it: on a busy machine the service may answer too late at first. */
  async completePage(view: View = everything, before = 1000): Promise<MessagePage> {
    let page: MessagePage | undefined;
    await expect
      .poll(async () => {
        page = await this.page(view, before);
        return page.isComplete;
      })
      .toBe(true);
    return page!;
  }

  /** What it told of new messages, in that order. */
  arrived(): readonly ShownMessage[] {
    return this.heard.messagesArrived.flatMap(({ messages }) => messages);
  }

  send(content: string, userIds: readonly number[] = [2]): Promise<unknown> {
    const conversation = { kind: 'private', userIds } as const;
    return this.client.sendMessage(this.account.id, { conversation, content }, null).then(valueOf);
  }
}

export class Computer {
  /** What the client asked of its services. */
  readonly requests: Request[] = [];
  /** As the person chose them. */
  choices = defaultPreferences;
  /** How long its pauses take, and what it waits for. */
  clock: Clock = quickClock;
  /** Wraps what keeps the accounts' data. */
  wrap: (storage: AccountStorage) => AccountStorage = (storage) => storage;
  /** Whether its services tell events on an answer that stays open; older ones do not, and its client fetches them. */
  hasStreams = true;
  #dir: string;
  readonly #keys = new Map<string, string>();
  #accounts: readonly Account[] = [];
  #isPlugged = { value: true };

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Its folder is removed when the test ends, unless it is a given one. */
  static async buy(dir?: string): Promise<Computer> {
    if (dir !== undefined) return new Computer(dir);
    const computer = new Computer(await mkdtemp(join(tmpdir(), 'hearth-computer-')));
    onTestFinished(() => rm(computer.#dir, { recursive: true, force: true }));
    return computer;
  }

  get dir(): string {
    return this.#dir;
  }

  get accounts(): readonly Account[] {
    return this.#accounts;
  }

  requestsTo(path: string): readonly Request[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Signs in, and waits until the client is live. */
  async join(
    { origin, email, ...known }: Joining,
    more: Partial<ClientPorts> = {},
  ): Promise<Running> {
    const real = createRealClient({ ...this.#ports(), ...more });
    const account = valueOf(
      await real.client.connect({ address: origin, email, password: '', ...known }),
    );
    const running = new Running(real, account);
    await running.live();
    return running;
  }

  /** An account that another process joined in this computer's folder. */
  adopt(account: Account, key: string): void {
    this.#accounts = [account];
    this.#keys.set(account.id, key);
  }

  /** As a copied profile or a new keychain leaves it: what was kept is here, the keys are not. */
  loseKeys(): void {
    this.#keys.clear();
  }

  /** Starts the client with the accounts that it has. */
  async start(more: Partial<ClientPorts> = {}): Promise<Running> {
    const real = createRealClient({ ...this.#ports(), ...more });
    const { accounts, problem } = valueOf(await real.client.start());
    expect(problem).toBeNull();
    return new Running(real, accounts[0]!);
  }

  /** Ends the client as a power cut does: what was on disk stays, and nothing of it writes or asks any more. */
  async kill(running: Running): Promise<void> {
    const left = await mkdtemp(join(tmpdir(), 'hearth-computer-'));
    // Without a pause between the files: nothing is written between them.
    this.#copyNow(left);
    this.#isPlugged.value = false;
    this.#isPlugged = { value: true };
    const old = this.#dir;
    this.#dir = left;
    await running.client.stop();
    await rm(old, { recursive: true, force: true });
  }

  #copyNow(target: string): void {
    cpSync(this.#dir, target, { recursive: true });
  }

  #ports(): Partial<ClientPorts> {
    const plug = this.#isPlugged;
    const http: Http = (request) => {
      if (!plug.value) return Promise.reject(new Error('switched off'));
      const { pathname, searchParams } = new URL(request.url);
      if (!this.hasStreams && pathname.endsWith('/events/stream')) {
        return Promise.resolve({ status: 404, text: JSON.stringify(nothingThere) });
      }
      const fields =
        typeof request.body === 'string' ? new URLSearchParams(request.body) : searchParams;
      const params = Object.fromEntries(fields);
      this.requests.push({
        method: request.method,
        path: pathname.slice(7),
        params,
        atMs: performance.now(),
      });
      return desktopHttp(request);
    };
    return {
      http,
      clock: this.clock,
      storage: this.wrap(createAccountStorage(this.#dir)),
      choices: () => this.choices,
      keys: {
        find: async (id) => this.#keys.get(id),
        save: async (id, key) => void this.#keys.set(id, key),
        remove: async (id) => void this.#keys.delete(id),
      },
      accounts: {
        list: async () => this.#accounts,
        save: async (list) => {
          this.#accounts = list;
        },
      },
    };
  }
}
