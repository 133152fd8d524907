/** Real services in processes of their own, and plain requests to them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { projectDir } from '#scripts/project-dir.ts';
import { entryOf } from '../entries.ts';
import { problemOf } from '../fuzz/answers.ts';

const ownClock = fileURLToPath(new URL('own-clock.ts', import.meta.url));
const servingLine = /^serving (http:\/\/\S+)$/m;

export interface ServiceOptions {
  /** Seeds and behaves as a development server. */
  readonly dev?: boolean;
  /** Default: a new temporary folder, removed when the service stops. */
  readonly dataDir?: string;
  /** More options; `--port 0` unless a port is among them. */
  readonly args?: readonly string[];
  /** Its clock stands still until it is set by `setClock`. */
  readonly hasOwnClock?: boolean;
}

export interface RunningService {
  readonly origin: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Ends it with SIGTERM: its exit code, -1 where a signal ended it. */
  readonly stop: () => Promise<number>;
  /** Ends it with SIGKILL. A data directory of its own stays for a next start. */
  readonly kill: () => Promise<void>;
  readonly stderr: () => string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as parsed JSON. */
  readonly body: Record<string, unknown>;
}

export interface Credentials {
  readonly email: string;
  readonly key: string;
}

/** Starts a service and waits until it accepts requests; rejects with its stderr when it ends instead. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'hearth-service-')));
  const args = options.args ?? [];
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...(options.hasOwnClock === true ? ['--import', ownClock] : []),
      entryOf('serve'),
      ...(options.dev === true ? ['--dev'] : []),
      ...['--data-dir', dataDir],
      ...(args.includes('--port') ? [] : ['--port', '0']),
      ...args,
    ],
    {
      cwd: projectDir,
      stdio: ['ignore', 'pipe', 'pipe', ...(options.hasOwnClock === true ? ['ipc' as const] : [])],
    },
  );
  if (child.stdout === null || child.stderr === null) throw new Error('the service has no pipes');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = once(child, 'close').then(() => child.exitCode ?? -1);
  const end = (signal: NodeJS.Signals): Promise<number> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  const removeOwnDir = async (): Promise<void> => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const origin = await firstAddress(child, ended, () => stderr).catch(async (error: unknown) => {
    await removeOwnDir();
    throw error;
  });
  return {
    origin,
    dataDir,
    process: child,
    stderr: () => stderr,
    stop: async () => {
      const code = await end('SIGTERM');
      await removeOwnDir();
      return code;
    },
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

/** As `startService`, stopped when the test that called it ends. */
export async function startServiceForTest(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService(options);
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

function firstAddress(
  child: ChildProcess,
  ended: Promise<number>,
  stderr: () => string,
): Promise<string> {
  let stdout = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      const address = servingLine.exec(stdout)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    void ended.then((code) => {
      reject(new Error(`the service ended with code ${code} before it served: ${stderr()}`));
    });
  });
}

/** Sets the clock of a service that has its own; settles when the service goes by it. */
export async function setClock({ process: child }: RunningService, atMs: number): Promise<void> {
  const isSet = once(child, 'message');
  child.send(atMs);
  await isSet;
}

/** The API key of an account of a development service. */
export async function apiKey(origin: string, email: string): Promise<string> {
  const { body } = await call(origin, null, 'POST', '/dev_fetch_api_key', { username: email });
  if (typeof body['api_key'] !== 'string') throw new Error(JSON.stringify(body));
  return body['api_key'];
}

/** E-mail address and key of an account of a development service, as `call` takes them. */
export async function credentials(origin: string, email: string): Promise<Credentials> {
  return { email, key: await apiKey(origin, email) };
}

export const basicAuth = ({ email, key }: Credentials): string =>
  `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;

/**
 * One request as any client sends it: GET arguments in the query, others as a form. Arguments that are not
 * strings go as JSON. Rejects when the answer is not one that the endpoint documents.
 * @param path  relative to /api/v1
 */
// eslint-disable-next-line max-params -- the parts of a request, in the order in which they are read
export async function call(
  origin: string,
  auth: Credentials | null,
  method: string,
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const url = new URL(`/api/v1${path}`, origin);
  const isQuery = method === 'GET' || method === 'HEAD';
  if (isQuery) for (const [name, value] of fields) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method,
    headers: auth === null ? {} : { authorization: basicAuth(auth) },
    ...(isQuery ? {} : { body: fields }),
  });
  const text = await response.text();
  const problem = problemOf(method, url.pathname, { status: response.status, text });
  if (problem !== undefined) throw new Error(`${method} ${path} answered ${problem}: ${text}`);
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

/**
 * Somebody who was added signs in with what they were given, and chooses a password of their own. Answers their key.
 */
export async function chooseOwnPassword(
  origin: string,
  {
    email,
    given,
    password,
  }: { readonly email: string; readonly given: string; readonly password: string },
): Promise<string> {
  const login = { username: email, password: given };
  const { body } = await call(origin, null, 'POST', '/fetch_api_key', login);
  const change = { old_password: given, new_password: password };
  const auth = { email, key: String(body['api_key']) };
  const { status, body: changed } = await call(origin, auth, 'PATCH', '/settings', change);
  if (status !== 200) throw new Error(JSON.stringify(changed));
  return String(changed['api_key']);
}
