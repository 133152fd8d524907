/** What the main process and the worker thread of a hosted service say to each other. */
import { readServerIdentity } from '../tls/server-identity.ts';
import { type StartErrorCode, startErrorCodes } from '../start-error.ts';
import type { Explanation } from '#shared/i18n/explained-error.ts';

/** What the worker is to run; it gets it when it starts. */
export interface HostJob {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The service's secret: 64 hexadecimal digits. */
  readonly secret: string;
  /** The office's key, as `readServerIdentity` takes it. */
  readonly officeKey: string;
  /** The built renderer, for browsers that join; null where there is none. */
  readonly rendererDir: string | null;
}

type Cause = NonNullable<Explanation['cause']>;

export type HostRequest =
  | { readonly type: 'stop' }
  /** For whoever sits at this computer; `id` names the question in its answer. */
  | { readonly type: 'password-link'; readonly id: number; readonly email: string }
  /** Lets outgoing bots reach something inside this computer's network, or no longer; both null only ask. */
  | {
      readonly type: 'targets';
      readonly id: number;
      readonly allow: string | null;
      readonly remove: string | null;
    }
  /** The computer goes to sleep, or is awake again. */
  | { readonly type: 'sleep'; readonly id: number; readonly isAsleep: boolean }
  /** From now on it listens at these addresses of this computer, beside its own. */
  | { readonly type: 'doors'; readonly id: number; readonly addresses: readonly string[] };

export type HostReport =
  | {
      readonly type: 'listening';
      readonly origin: string;
      readonly setupCode: string | null;
      /** By which its people's computers know the office. */
      readonly pin: string;
      /** To everybody but administrators here, since it was restored. */
      readonly isClosed: boolean;
    }
  | ({ readonly type: 'failed'; readonly code: StartErrorCode } & Explanation)
  /** Clients were told. */
  | { readonly type: 'sleep'; readonly id: number }
  | LinkReport
  | TargetsReport
  | ListenersReport;

export interface LinkReport {
  readonly type: 'password-link';
  readonly id: number;
  /** Null where there is none; `refusal` then says why. */
  readonly link: string | null;
  readonly refusal: string;
  readonly cause?: Cause;
}

export interface TargetsReport {
  readonly type: 'targets';
  readonly id: number;
  /** All that are allowed; null where nothing was changed, and `refusal` says why. */
  readonly targets: readonly string[] | null;
  readonly refusal: string;
  readonly cause?: Cause;
}

export interface ListenersReport {
  readonly type: 'doors';
  readonly id: number;
  /** Addresses at which it cannot listen, with the system's code. */
  readonly closed: readonly { readonly address: string; readonly code: string }[];
  /** Addresses of those who are connected. */
  readonly visitors: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** @throws when it is not a job, which is a bug of the caller */
export function readHostJob(value: unknown): HostJob {
  const { dataDir, port, secret, officeKey, rendererDir } = fieldsOf(value);
  if (typeof dataDir !== 'string' || typeof port !== 'number') throw new Error('not a host job');
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) throw new Error('not a secret');
  if (typeof officeKey !== 'string' || readServerIdentity(officeKey) === undefined) {
    throw new Error('not an office key');
  }
  return {
    dataDir,
    port,
    secret,
    officeKey,
    rendererDir: typeof rendererDir === 'string' ? rendererDir : null,
  };
}

/** Undefined for what is no request. */
export function readHostRequest(value: unknown): HostRequest | undefined {
  const { type, id, email, addresses, allow, remove, isAsleep } = fieldsOf(value);
  if (type === 'stop') return { type };
  if (type === 'targets' && typeof id === 'number') {
    return { type, id, allow: textOrNull(allow), remove: textOrNull(remove) };
  }
  if (type === 'doors' && typeof id === 'number') return { type, id, addresses: texts(addresses) };
  if (type === 'sleep' && typeof id === 'number') return { type, id, isAsleep: isAsleep === true };
  return type === 'password-link' && typeof id === 'number' && typeof email === 'string'
    ? { type, id, email }
    : undefined;
}

function readListeners(id: number, { closed, visitors }: Fields): ListenersReport {
  const refused = Array.isArray(closed) ? closed.map(fieldsOf) : [];
  return {
    type: 'doors',
    id,
    closed: refused.map(({ address, code }) => ({ address: String(address), code: String(code) })),
    visitors: texts(visitors),
  };
}

function readCause({ cause }: Fields): Pick<Explanation, 'cause'> {
  const { name, values } = fieldsOf(cause);
  return typeof name === 'string' ? { cause: { name, values: fieldsOf(values) } } : {};
}

function readLink(id: number, fields: Fields): LinkReport | undefined {
  const { link, refusal } = fields;
  if (typeof refusal !== 'string') return undefined;
  const made = typeof link === 'string' ? link : null;
  return { type: 'password-link', id, link: made, refusal, ...readCause(fields) };
}

function readTargets(id: number, fields: Fields): TargetsReport | undefined {
  const { targets, refusal } = fields;
  if (typeof refusal !== 'string') return undefined;
  const all = Array.isArray(targets) ? texts(targets) : null;
  return { type: 'targets', id, targets: all, refusal, ...readCause(fields) };
}

function readListening({ origin, setupCode, pin, isClosed }: Fields): HostReport | undefined {
  if (typeof origin !== 'string' || typeof pin !== 'string') return undefined;
  return {
    type: 'listening',
    origin,
    setupCode: typeof setupCode === 'string' ? setupCode : null,
    pin,
    isClosed: isClosed === true,
  };
}

function readFailed(fields: Fields): HostReport | undefined {
  const { type, code, message } = fields;
  const known = startErrorCodes.find((startErrorCode) => startErrorCode === code);
  return type === 'failed' && known !== undefined && typeof message === 'string'
    ? { type, code: known, message, ...readCause(fields) }
    : undefined;
}

/** Undefined for what is no report. */
export function readHostReport(value: unknown): HostReport | undefined {
  const fields = fieldsOf(value);
  const { type, id } = fields;
  if (type === 'sleep') return typeof id === 'number' ? { type, id } : undefined;
  if (type === 'doors') return typeof id === 'number' ? readListeners(id, fields) : undefined;
  if (type === 'password-link') return typeof id === 'number' ? readLink(id, fields) : undefined;
  if (type === 'targets') return typeof id === 'number' ? readTargets(id, fields) : undefined;
  return type === 'listening' ? readListening(fields) : readFailed(fields);
}
