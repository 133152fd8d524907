/** The way by which commands on this computer reach the service that runs here: a socket that only its owner may open. */
import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { CauseSchema } from '#shared/api/cause-schema.ts';
import { codeOf } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import type { TargetChange } from '#node/network/webhook-targets.ts';
import { PeopleAnswer, PeopleRequest } from './people-requests.ts';
import { ExplainedError, toldOf, withCause } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const Request = z.discriminatedUnion('command', [
  z.object({ command: z.literal('reset-password'), email: z.string() }),
  z.object({
    command: z.literal('invite'),
    as: z.string().nullable(),
    emails: z.array(z.string()),
    validDays: z.int(),
    maxUses: z.int(),
  }),
  z.object({ command: z.literal('people'), asked: PeopleRequest }),
  z.object({
    command: z.literal('webhook-targets'),
    allow: z.array(z.string()),
    remove: z.array(z.string()),
  }),
]);
const TargetsAnswer = z.object({ targets: z.array(z.string()) });
const LinkAnswer = z.object({ link: z.string() });
const AddressesAnswer = z.object({
  /** HTTPS origins at which the application finds the organization now; none where only browsers do. */
  addresses: z.array(z.string()),
  /** The origin for browsers. */
  webAddress: z.string(),
  /** Whether browsers warn of the certificate there. */
  isWarnedOf: z.boolean(),
});
const InvitationsAnswer = z.object({
  realmName: z.string(),
  inviter: z.string(),
  pin: z.string(),
  ...AddressesAnswer.shape,
  made: z.array(z.object({ email: z.string(), token: z.string(), expires: z.number() })),
});

export type CommandRequest = z.output<typeof Request>;
export type InvitationAddresses = z.output<typeof AddressesAnswer>;
export type CommandInvitations = z.output<typeof InvitationsAnswer>;

/** What a running service does for whoever sits at its computer; what it throws is one sentence. */
export interface CommandHandlers {
  readonly resetPassword: (email: string) => Promise<z.output<typeof LinkAnswer>>;
  readonly invite: (
    asked: Omit<Extract<CommandRequest, { readonly command: 'invite' }>, 'command'>,
  ) => Promise<CommandInvitations>;
  readonly managePeople: (asked: PeopleRequest) => Promise<PeopleAnswer>;
  readonly changeTargets: (change: TargetChange) => Promise<z.output<typeof TargetsAnswer>>;
}

/** What a path of a socket may be long everywhere. */
const MAX_PATH_BYTES = 100;
/** A list of ten thousand people has a tenth of it. */
const MAX_REQUEST = 32 * 1024 * 1024;
const LIMIT_MS = 30_000;
/** Ten thousand people take longer, on a slow disk. */
const PEOPLE_LIMIT_MS = 10 * 60_000;

/** Undefined where the folder's own path is too long for one. */
function socketOf(dataDir: string): string | undefined {
  if (process.platform === 'win32') {
    // What others may do with it is read, which is nothing here.
    const name = createHash('sha256').update(dataDir.toLowerCase()).digest('hex').slice(0, 32);
    return String.raw`\\.\pipe\hearth-${name}`;
  }
  const path = join(dataDir, 'commands.sock');
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? undefined : path;
}

interface LineLimits {
  readonly ms: number;
  readonly characters: number;
}

/** One line of the other side; null where it ends, or is too long, before there is one. */
function lineOf(socket: Socket, { ms, characters }: LineLimits): Promise<string | null> {
  return new Promise((resolve) => {
    const pieces: string[] = [];
    let length = 0;
    socket.setEncoding('utf8');
    socket.setTimeout(ms, () => resolve(null));
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
    socket.on('data', (piece: string) => {
      const end = piece.indexOf('\n');
      length += piece.length;
      pieces.push(end === -1 ? piece : piece.slice(0, end));
      if (end !== -1) resolve(pieces.join(''));
      else if (length > characters) resolve(null);
    });
  });
}

/** A service goes on with what it was started from, and whoever asks has been updated. */
const otherVersion = (): ExplainedError => new ExplainedError(cliWords('command_of_other_version'));

const answerOf = async (commands: CommandHandlers, line: string): Promise<unknown> => {
  const { data: request } = Request.safeParse(JSON.parse(line));
  if (request === undefined) throw otherVersion();
  if (request.command === 'reset-password') return commands.resetPassword(request.email);
  if (request.command === 'people') return commands.managePeople(request.asked);
  if (request.command === 'webhook-targets') return commands.changeTargets(request);
  const { command: _, ...asked } = request;
  return commands.invite(asked);
};

async function serve(socket: Socket, commands: CommandHandlers): Promise<void> {
  const line = await lineOf(socket, { ms: LIMIT_MS, characters: MAX_REQUEST });
  if (line === null) {
    socket.destroy();
    return;
  }
  const answer = await answerOf(commands, line).then(
    (value) => ({ value }),
    (error: unknown) => {
      const { message, cause } = toldOf(error);
      return { refusal: message, cause };
    },
  );
  socket.end(`${JSON.stringify(answer)}\n`);
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** Takes commands from now on; returns what ends that. No reason for keeping an office closed where it cannot. */
export async function serveCommands(
  dataDir: string,
  commands: CommandHandlers,
  log: Pick<Log, 'warn'>,
): Promise<() => Promise<void>> {
  const path = socketOf(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(socket, commands).catch((error: unknown) => {
      log.warn('a command could not be answered', { error });
      socket.destroy();
    });
  });
  if (path === undefined) {
    log.warn('no commands are taken: the path of the data folder is too long for a socket', {});
    return async () => undefined;
  }
  try {
    // The database is ours: whoever had the socket before has ended.
    if (process.platform !== 'win32') await rm(path, { force: true });
    await listening(server, path);
    if (process.platform !== 'win32') await chmod(path, 0o600);
  } catch (error) {
    log.warn('no commands are taken', { reason: codeOf(error) });
    return async () => undefined;
  }
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

const Answer = z.union([
  z.object({ value: z.unknown() }),
  z.object({ refusal: z.string(), cause: CauseSchema }),
]);

/** Undefined where no service runs on the folder. @throws ExplainedError with what the service says against it */
async function ask(dataDir: string, request: CommandRequest): Promise<unknown> {
  const path = socketOf(dataDir);
  if (path === undefined) {
    throw new ExplainedError(cliWords('command_path_too_long', { folder: dataDir }));
  }
  const text = JSON.stringify(request);
  if (text.length >= MAX_REQUEST) {
    throw new ExplainedError(cliWords('command_too_long'));
  }
  const socket = connect(path);
  const isConnected = await new Promise<boolean>((resolve, reject) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', (error) => {
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(codeOf(error))) resolve(false);
      else {
        const refused = { folder: dataDir, code: codeOf(error) };
        reject(new ExplainedError(cliWords('command_refused', refused)));
      }
    });
  });
  if (!isConnected) return undefined;
  const ms = request.command === 'people' ? PEOPLE_LIMIT_MS : LIMIT_MS;
  // The answer says what has been done: none is too long.
  const answered = lineOf(socket, { ms, characters: Infinity });
  socket.write(`${text}\n`);
  const line = await answered;
  socket.destroy();
  if (line === null) throw new ExplainedError(cliWords('command_answer_missing'));
  const { data: answer } = Answer.safeParse(JSON.parse(line));
  if (answer === undefined) throw otherVersion();
  if ('refusal' in answer) throw new ExplainedError(withCause(answer.refusal, answer.cause));
  return answer.value;
}

export const requestPasswordLink = async (
  dataDir: string,
  email: string,
): Promise<string | undefined> => {
  const answer = await ask(dataDir, { command: 'reset-password', email });
  return answer === undefined ? undefined : LinkAnswer.parse(answer).link;
};

/** Undefined where no service runs on the folder. @throws ExplainedError with what the service says against it */
export const requestPeople = async (
  dataDir: string,
  asked: PeopleRequest,
): Promise<PeopleAnswer | undefined> => {
  const answer = await ask(dataDir, { command: 'people', asked });
  return answer === undefined ? undefined : PeopleAnswer.parse(answer);
};

export const requestInvitations = async (
  dataDir: string,
  asked: Parameters<CommandHandlers['invite']>[0],
): Promise<CommandInvitations | undefined> => {
  const answer = await ask(dataDir, { command: 'invite', ...asked });
  return answer === undefined ? undefined : InvitationsAnswer.parse(answer);
};

/** Undefined where no service runs on the folder. @throws ExplainedError with what the service says against it */
export async function requestTargetChange(
  dataDir: string,
  { allow, remove }: TargetChange,
): Promise<readonly string[] | undefined> {
  const request = { allow: [...allow], remove: [...remove] };
  const answer = await ask(dataDir, { command: 'webhook-targets', ...request });
  return answer === undefined ? undefined : TargetsAnswer.parse(answer).targets;
}
