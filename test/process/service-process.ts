/** The real headless service as its own process. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryOf } from '../support/entries.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The address of the line that it prints; rejects when it ends without one. */
  readonly origin: Promise<string>;
  /** The code of the line after that; rejects when it ends without one. */
  readonly setupCode: Promise<string>;
  /** The link of the line after that; rejects as well. */
  readonly passwordLink: Promise<string>;
  /** What a pattern takes out of what it prints, now or later; rejects when it ends without it. */
  readonly printed: (line: RegExp) => Promise<string>;
  readonly ended: Promise<Ended>;
}

const children = new Set<ChildProcess>();
const folders: string[] = [];

/** After each test, by `clean-up.ts`: what began before the first one ends with it. */
export async function cleanUp(): Promise<void> {
  const ended = [...children].map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ended);
  // What the test ends by itself, by `onTestFinished`, runs until after this and may still write there.
  const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  for (const folder of folders.splice(0)) await rm(folder, patiently);
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-launch-'));
  folders.push(folder);
  return folder;
}

export const serve = (...args: readonly string[]): ServiceProcess =>
  runService([process.execPath, entryOf('serve'), ...args]);

/** @param words  a program with its arguments that serves */
export function runService(
  [program = '', ...args]: readonly string[],
  options: Pick<SpawnOptions, 'detached' | 'env'> = {},
): ServiceProcess {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal, ...output });
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: unknown) => (output.stderr += String(text)));
  child.stdout.setEncoding('utf8').on('data', (text: unknown) => (output.stdout += String(text)));
  const printed = (line: RegExp): Promise<string> => {
    const found = new Promise<string>((resolve, reject) => {
      const look = (): void => {
        const value = line.exec(output.stdout)?.[1];
        if (value !== undefined) resolve(value);
      };
      look();
      child.stdout.on('data', look);
      void ended.then(({ stderr }) => reject(new Error(`ended without a line: ${stderr}`)));
    });
    // A test that expects it to fail never asks.
    found.catch(() => undefined);
    return found;
  };
  const origin = printed(/^serving (\S+)\n/);
  const setupCode = printed(/^serving .*\nsetup code (\S+)\n/);
  const passwordLink = printed(/^serving .*\npassword link (\S+)\n/);
  return { child, origin, setupCode, passwordLink, printed, ended };
}

/** Ends it as an operator would, and waits until it has ended. */
export function stop(service: ServiceProcess): Promise<Ended> {
  service.child.kill('SIGTERM');
  return service.ended;
}

export async function post(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** The Authorization header of an account of a development service. */
export async function signIn(origin: string, email: string): Promise<string> {
  const response = await post(`${origin}/api/v1/dev_fetch_api_key`, { username: email });
  const { api_key: key } = (await response.json()) as { api_key: string };
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}
