/** What the main process and the worker thread of a hosted service say to each other. */
import { type StartErrorCode, startErrorCodes } from './start-error.ts';

/** What the worker is to run; it gets it when it starts. */
export interface HostJob {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The service's secret: 64 hexadecimal digits. */
  readonly secret: string;
  /** The built renderer, for browsers that join; null where there is none. */
  readonly rendererDir: string | null;
}

export interface HostRequest {
  readonly type: 'stop';
}

export type HostReport =
  | { readonly type: 'listening'; readonly origin: string }
  | { readonly type: 'failed'; readonly code: StartErrorCode; readonly message: string };

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** @throws when it is not a job, which is a bug of the caller */
export function readHostJob(value: unknown): HostJob {
  const { dataDir, port, secret, rendererDir } = fieldsOf(value);
  if (typeof dataDir !== 'string' || typeof port !== 'number') throw new Error('not a host job');
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) throw new Error('not a secret');
  return {
    dataDir,
    port,
    secret,
    rendererDir: typeof rendererDir === 'string' ? rendererDir : null,
  };
}

/** Undefined for what is no request. */
export function readHostRequest(value: unknown): HostRequest | undefined {
  return fieldsOf(value)['type'] === 'stop' ? { type: 'stop' } : undefined;
}

/** Undefined for what is no report. */
export function readHostReport(value: unknown): HostReport | undefined {
  const { type, origin, code, message } = fieldsOf(value);
  if (type === 'listening' && typeof origin === 'string') return { type, origin };
  const known = startErrorCodes.find((startErrorCode) => startErrorCode === code);
  if (type === 'failed' && known !== undefined && typeof message === 'string') {
    return { type, code: known, message };
  }
  return undefined;
}
