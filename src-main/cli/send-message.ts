/** `hearth send`: posts one message by a key, from a shell or a pipe. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CauseSchema } from '#shared/api/cause-schema.ts';
import { codeOf } from '#node/error-code.ts';
import type { SendCommand } from './command-kinds.ts';
import type { CommandOutput } from './command-output.ts';
import { ExplainedError, withCause } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const TIMEOUT_MS = 30_000;

interface Account {
  readonly site: string;
  readonly email: string;
  readonly key: string;
  /** A file of certificates (PEM) that are trusted in place of the system's; empty for those. */
  readonly cert_bundle: string;
}

async function fileText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new ExplainedError(cliWords('send_file_not_readable', { what, file }));
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
    if (isApi && /^(?:email|key|site|cert_bundle)$/.test(name)) fields[name] = value.trim();
  }
  return fields;
}

/** @throws what the file does not say, or that it is no address */
function checked(account: Account, file: string): Account {
  for (const [name, value] of Object.entries(account)) {
    if (value === '' && name !== 'cert_bundle')
      throw new ExplainedError(cliWords('send_file_incomplete', { file, name }));
  }
  if (!/^https?:\/\//i.test(account.site) || !URL.canParse(account.site)) {
    throw new ExplainedError(cliWords('send_address_invalid', { address: account.site }));
  }
  return account;
}

/** Options count before the file, which is only read where something is missing. */
async function accountOf(command: SendCommand): Promise<Account> {
  const { url, email, keyFile, certBundle, config } = command;
  const key = keyFile === null ? null : (await fileText(keyFile, 'The key file')).trim();
  const file = config ?? join(homedir(), '.zuliprc');
  const isComplete = [url, email, key].every((each) => each !== null);
  const { cert_bundle: bundle = '', ...stored } = isComplete
    ? {}
    : readZuliprc(await fileText(file, 'The file'));
  const given = Object.entries({ site: url, email, key }).filter(([, value]) => value !== null);
  const none = { site: '', email: '', key: '' };
  const trusted = certBundle ?? (bundle === '' ? '' : resolve(dirname(file), atHome(bundle)));
  return checked({ ...none, ...stored, ...Object.fromEntries(given), cert_bundle: trusted }, file);
}

const isOfCertificate = (error: Error): boolean =>
  /^(?:CERT_|DEPTH_|ERR_TLS_CERT|SELF_SIGNED|UNABLE_TO)/.test(codeOf(error));

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'there was no answer within 30 seconds';
  if (!isOfCertificate(error)) return error.message === '' ? codeOf(error) : error.message;
  return `its certificate is not trusted (${error.message}); where it is the organization's own, name office-ca.pem of its data folder with --cert-bundle, or as cert_bundle in the zuliprc`;
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Follows no redirect: the key is for this address. */
async function post(
  { site, email, key, cert_bundle: bundle }: Account,
  fields: Readonly<Record<string, string>>,
): Promise<Answered> {
  const url = new URL('/api/v1/messages', site);
  const body = new URLSearchParams(fields).toString();
  const headers = {
    authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
    'user-agent': 'hearth-send',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const how = { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const trust = bundle === '' ? {} : { ca: await fileText(bundle, 'The file of certificates') };
  const { request } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  return new Promise((resolve, reject) => {
    const asking = request(url, { ...how, ...trust });
    asking.on('error', reject);
    asking.on('response', (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((answer) => resolve({ status, body: answer }), reject);
    });
    asking.end(body);
  });
}

const atHome = (path: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const Answer = z.object({
  result: z.string(),
  msg: z.string(),
  cause: CauseSchema,
  id: z.int().optional(),
});

/**
 * The message's id.
 * @param input  what is sent where the command line has no text
 * @throws Error with one sentence that says why nothing was sent
 */
async function sendMessage(command: SendCommand, input: NodeJS.ReadableStream): Promise<number> {
  const account = await accountOf(command);
  const content = (command.text ?? (await text(input))).trimEnd();
  if (content.trim() === '') throw new ExplainedError(cliWords('send_nothing'));
  const { stream, topic } = command;
  const fields = { type: 'stream', to: JSON.stringify(stream), topic, content };
  const { status, body } = await post(account, fields).catch((error: unknown) => {
    if (error instanceof ExplainedError) throw error;
    const unreachable = { address: account.site, reason: reasonOf(error) };
    throw new ExplainedError(cliWords('send_unreachable', unreachable));
  });
  const said = Answer.safeParse(jsonOf(body));
  if (!said.success) {
    throw new ExplainedError(cliWords('send_status', { address: account.site, status }));
  }
  const { id, msg, cause } = said.data;
  if (id === undefined) throw new ExplainedError(withCause(msg, cause));
  return id;
}

export async function runSend(command: SendCommand): Promise<CommandOutput> {
  const id = await sendMessage(command, process.stdin);
  return { lines: [`posted as ${String(id)}`], warnings: [], fields: { id }, exitCode: 0 };
}
