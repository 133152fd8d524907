/** `hearth send`: posts one message by a key, from a shell or a pipe. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { SendCommand } from './command-kinds.ts';

const TIMEOUT_MS = 30_000;

interface Account {
  readonly site: string;
  readonly email: string;
  readonly key: string;
}

/** Why nothing was sent, in one sentence. */
const refuse = (sentence: string): Error => new Error(sentence);

async function fileText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw refuse(`${what} ${file} cannot be read`);
  }
}

/** The section `api` of a zuliprc: names and values with `=` between. */
export function readZuliprc(source: string): Readonly<Partial<Account>> {
  const fields: Record<string, string> = {};
  let isApi = false;
  for (const line of source.split(/\r?\n/)) {
    const section = /^\[(.*)\]$/.exec(line.trim())?.[1];
    if (section !== undefined) isApi = section.trim() === 'api';
    const [, key = '', value = ''] = /^([^=:]*)[=:](.*)$/.exec(line) ?? [];
    const name = key.trim();
    if (isApi && /^(?:email|key|site)$/.test(name)) fields[name] = value.trim();
  }
  return fields;
}

/** @throws what the file does not say, or that it is no address */
function checked(account: Account, file: string): Account {
  for (const [name, value] of Object.entries(account)) {
    if (value === '') throw refuse(`${file} does not say the ${name}`);
  }
  if (!/^https?:\/\//i.test(account.site) || !URL.canParse(account.site)) {
    throw refuse(`${account.site} is not an address that begins with https:// or http://`);
  }
  return account;
}

/** Options count before the file, which is only read where something is missing. */
async function accountOf({ url, email, keyFile, config }: SendCommand): Promise<Account> {
  const key = keyFile === null ? null : (await fileText(keyFile, 'The key file')).trim();
  const file = config ?? join(homedir(), '.zuliprc');
  const isComplete = [url, email, key].every((each) => each !== null);
  const stored = isComplete ? {} : readZuliprc(await fileText(file, 'The file'));
  const given = Object.entries({ site: url, email, key }).filter(([, value]) => value !== null);
  const none = { site: '', email: '', key: '' };
  return checked({ ...none, ...stored, ...Object.fromEntries(given) }, file);
}

/** Nothing that `fetch` throws says more than that, but for its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'there was no answer within 30 seconds';
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

const Answer = z.object({ result: z.string(), msg: z.string(), id: z.int().optional() });

/**
 * The message's id.
 * @param input  what is sent where the command line has no text
 * @throws Error with one sentence that says why nothing was sent
 */
export async function sendMessage(
  command: SendCommand,
  input: NodeJS.ReadableStream,
): Promise<number> {
  const { site, email, key } = await accountOf(command);
  const content = (command.text ?? (await text(input))).trimEnd();
  if (content.trim() === '') throw refuse('There is nothing to send');
  const { stream, topic } = command;
  const body = new URLSearchParams({ type: 'stream', to: JSON.stringify(stream), topic, content });
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  let answer: Response;
  try {
    answer = await fetch(new URL('/api/v1/messages', site), {
      method: 'POST',
      headers: { authorization, 'user-agent': 'hearth-send' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw refuse(`${site} cannot be reached: ${reasonOf(error)}`);
  }
  const said = Answer.safeParse(await answer.json().catch(() => null));
  if (!said.success) throw refuse(`${site} answered with the HTTP status ${String(answer.status)}`);
  const { id, msg } = said.data;
  if (id === undefined) throw refuse(msg);
  return id;
}
