/** A running HTTP side over handlers that record what reaches them. */
import { connect, type Socket } from 'node:net';
import { api, type Api } from '#shared/api/endpoints/index.ts';
import type { Table } from '#shared/api/endpoint.ts';
import type { ApiHandlers, Call, CallerRecord } from '#service/core/ports/handlers.ts';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { type AppParts, createApp } from '#service/http/app.ts';
import { defaultLimits } from '#shared/limits.ts';
import { type HttpServer, listen, type ListenOptions } from '#service/http/server.ts';

export interface Seen {
  readonly name: string;
  readonly call: Call;
  readonly params: Readonly<Record<string, unknown>>;
}

type Answer = (call: Call, params: Readonly<Record<string, unknown>>) => Promise<object>;

const apiKeys = createApiKeys(new Uint8Array(32).fill(7));

const account = (userId: number, name: string, more: Partial<CallerRecord> = {}): CallerRecord => ({
  userId,
  email: `${name}@example.com`,
  fullName: name,
  role: 'member',
  botType: null,
  ownerId: null,
  keyGeneration: 1,
  isActive: true,
  isRealmActive: true,
  ...more,
});

export const adaRecord = account(1, 'Ada');
const accounts = [
  adaRecord,
  account(2, 'gone', { isActive: false }),
  account(3, 'hook-bot', { botType: 2, ownerId: 1 }),
  account(4, 'echo-bot', { botType: 1, ownerId: 1 }),
  account(5, 'closed', { isRealmActive: false, isActive: false }),
  account(6, 'member-of-restored', { restoredFrom: 1_763_800_200 }),
  account(7, 'admin-of-restored', { restoredFrom: 1_763_800_200, role: 'admin' }),
];

export const keyOf = (userId: number): string => apiKeys.derive(userId, 1);

export const basic = (email: string, key: string): string =>
  `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;

export const ada = basic('ada@example.com', keyOf(1));

export class ManualClock implements Clock {
  nowMs = 1_000_000_000_000;
  readonly now = (): number => this.nowMs;
  readonly setTimer = (): (() => void) => () => undefined;
}

export interface Double extends Pick<HttpServer, 'listenOn' | 'remoteClients'> {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen[];
  readonly logged: unknown[];
  readonly clock: ManualClock;
  /** E-mails and key hashes that were looked up. */
  readonly lookups: string[];
  /** Answers of endpoints, by `aggregate.name`; the others answer with nothing. */
  readonly answers: Record<string, Answer>;
  readonly stopAccepting: () => void;
  readonly drain: (limitMs: number) => Promise<void>;
}

function handlersFor(double: Pick<Double, 'seen' | 'answers'>): ApiHandlers<Api> {
  const tables = Object.entries<Table>(api).map(([aggregate, table]) => {
    const handlers = Object.keys(table).map((key) => {
      const name = `${aggregate}.${key}`;
      const handler = async (call: Call, params: Readonly<Record<string, unknown>>) => {
        double.seen.push({ name, call, params });
        return (await double.answers[name]?.(call, params)) ?? {};
      };
      return [key, handler] as const;
    });
    return [aggregate, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(tables) as unknown as ApiHandlers<Api>;
}

export async function startDouble(
  parts: Partial<AppParts> = {},
  listening: Partial<ListenOptions> = {},
): Promise<Double> {
  const seen: Seen[] = [];
  const logged: unknown[] = [];
  const lookups: string[] = [];
  const answers: Record<string, Answer> = {};
  const clock = new ManualClock();
  const write = (message: string, data?: object): void => void logged.push({ message, ...data });
  const log: Log = { info: write, warn: write, error: write };
  const app = createApp({
    handlers: handlersFor({ seen, answers }),
    callers: {
      findCallerByEmail: async (email) => {
        lookups.push(email);
        return accounts.find((each) => each.email.toLowerCase() === email.toLowerCase());
      },
      findCallerByKeyHash: async (hash) => {
        lookups.push(hash);
        return accounts.find((each) => apiKeys.hash(keyOf(each.userId)) === hash);
      },
      noteKeyUse: () => undefined,
    },
    openEventStream: () => Promise.resolve(),
    deliveryRecorder: { noteRefused: () => undefined },
    apiKeys,
    files: {
      mostUploadBytes: async () => ({ ...defaultLimits, ...parts.limits }).uploadBytes,
      findUpload: () => Promise.resolve('absent' as const),
      findAvatarFile: () => Promise.resolve(undefined),
      findAvatarUrl: () => Promise.resolve(undefined),
      findIconUrl: () => Promise.resolve('/icon.png'),
    },
    version: '1.2.3',
    integrations: [
      {
        name: 'helloworld',
        title: 'Hello World',
        about: 'Greets.',
        subject: 'anything',
        eventSource: null,
        events: [],
        isSigned: false,
        answersProbes: true,
        steps: [],
      },
    ],
    log,
    clock,
    rendererDir: null,
    ...parts,
  });
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    ...listening,
  });
  const port = Number(new URL(server.origin).port);
  return { ...server, port, seen, logged, clock, lookups, answers };
}

/** A connection on which a test writes what it likes. */
export class RawConnection {
  readonly socket: Socket;
  /** Everything that was received, once the server has closed the connection. */
  readonly all: Promise<string>;
  #received = '';
  #waiting: { readonly pattern: RegExp; readonly resolve: (text: string) => void } | undefined;

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect(port, host);
    this.all = new Promise((resolve) => {
      this.socket.on('close', () => resolve(this.#received));
    });
    this.socket.on('error', () => undefined);
    this.socket.setEncoding('utf8').on('data', (text: unknown) => this.#receive(String(text)));
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Resolves as soon as what was received matches. */
  received(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting = { pattern, resolve };
      this.#receive('');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    if (this.#waiting?.pattern.test(this.#received) === true) {
      this.#waiting.resolve(this.#received);
    }
  }
}

/** Sends one request as written and resolves with the whole answer, when the server closes the connection. */
export function exchange(port: number, request: string | Uint8Array): Promise<string> {
  const connection = new RawConnection(port);
  connection.write(request);
  return connection.all;
}
