/** The computer that an organization comes to. Killed at any time, it goes on where it was when it is begun again. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { unpackTar } from '../archive/tar.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { flushDirectory, flushTree } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import type { MigrationProgress, IncomingOrganization } from '#node/threads/backup-messages.ts';
import {
  type TransferCode,
  findTransferCode,
  transferCodeText,
} from '#node/migration/transfer-code.ts';
import { IDENTITY_KEY_FILE, FINGERPRINT_FILE, SECRET_FILE } from '#node/tls/server-identity.ts';
import { FORM } from '#service/db/migrations/index.ts';
import { openHandedOver } from '#service/db/sqlite/restored.ts';
import { findDamage, readSnapshot } from '#service/db/sqlite/snapshot.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { explainError } from '../collect.ts';
import { checkTarget, moveIntoPlace, unpackOne } from '../restore.ts';
import { digestOf, confirmationNumberOf, writeState } from '#node/migration/transfer-files.ts';
import { type Handover, HandoverSchema, PreviousHost, UnreachableError } from './source-client.ts';

export interface MigrationTargetRequest {
  readonly code: TransferCode;
  /** A folder that is empty or not there yet. */
  readonly dataDir: string;
  /** As this computer calls itself. */
  readonly computer: string;
}

export interface MigratedOrganization {
  readonly name: string;
  readonly fingerprint: string;
  readonly messages: number;
}

const MigrationState = z.object({
  token: z.string(),
  mover: z.string(),
  /** With which it goes on where it was begun by clicking: it lets nobody in who has not read `mover` as well. */
  code: z.string().optional(),
  /** SHA-256 of what was taken, once all of it is on disk. */
  digest: z.string().nullable(),
  handover: HandoverSchema.nullable(),
});
type MigrationState = z.output<typeof MigrationState>;

const PROGRESS_FILE = 'arrival.json';
/** In the finished folder: by which code it came. */
const MOVED_FILE = 'moved.json';
const OFFICE = 'office';
const LONGEST_PAUSE_MS = 10_000;
const ASK_EVERY_MS = 1_000;
/** Often enough to be seen moving. */
const TELL_EVERY_BYTES = 4 * 1024 * 1024;

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  });
}

class MigrationTarget {
  readonly #request: MigrationTargetRequest;
  readonly #folder: string;
  readonly #office: string;
  #progress: MigrationState;

  private constructor(request: MigrationTargetRequest, progress: MigrationState) {
    this.#request = request;
    this.#folder = folderOf(request.dataDir);
    this.#office = join(this.#folder, OFFICE);
    this.#progress = progress;
  }

  /** Goes on with what an earlier try of this code has left, or begins. */
  static async begin(request: MigrationTargetRequest): Promise<MigrationTarget> {
    await checkTarget(request.dataDir);
    const folder = folderOf(request.dataDir);
    const token = digestOf(request.code.token);
    const left = await readIfThere(join(folder, PROGRESS_FILE));
    const known = left === undefined ? undefined : MigrationState.parse(JSON.parse(left));
    if (known?.token === token) return new MigrationTarget(request, known);
    if (known !== undefined && known.digest !== null) {
      throw new ExplainedError(backupWords('move_unfinished', { folder }));
    }
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await flushDirectory(dirname(folder));
    const mover = randomBytes(32).toString('hex');
    const code = transferCodeText(request.code);
    const arrival = new MigrationTarget(request, {
      token,
      mover,
      code,
      digest: null,
      handover: null,
    });
    await arrival.#keep({});
    return arrival;
  }

  async run(
    onStep: (at: MigrationProgress) => void,
    signal: AbortSignal,
  ): Promise<MigratedOrganization> {
    const host = new PreviousHost(this.#request.code, this.#progress.mover);
    try {
      while (this.#progress.handover === null) {
        if (this.#progress.digest === null) await this.#take(host, onStep, signal);
        onStep({ step: 'asking' });
        await this.#end(host, signal);
      }
    } finally {
      host.close();
    }
    onStep({ step: 'finishing' });
    return this.#finish(this.#progress.handover);
  }

  async #keep(changes: Partial<MigrationState>): Promise<void> {
    this.#progress = { ...this.#progress, ...changes };
    await writeState(join(this.#folder, PROGRESS_FILE), this.#progress);
  }

  async #take(
    host: PreviousHost,
    onStep: (at: MigrationProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    onStep({ step: 'claiming' });
    const content = await this.#claim(host, onStep, signal);
    const taking = (takenBytes: number): void => onStep({ step: 'taking', content, takenBytes });
    taking(0);
    await rm(this.#office, { recursive: true, force: true });
    await mkdir(this.#office, { mode: 0o700 });
    const response = await host.archive(signal);
    const digest = await this.#unpack(response, taking).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof Error) || codeOf(error) !== 'ECONNRESET') throw error;
      throw new UnreachableError(backupWords('move_connection_ended'));
    });
    const damage = findDamage(databaseIn(this.#office));
    if (damage !== undefined) {
      throw new ExplainedError(backupWords('move_database_damaged', { damage }));
    }
    await flushTree(this.#office);
    await this.#keep({ digest });
  }

  /** Waits until somebody has agreed at the other computer, where that asks. */
  async #claim(
    host: PreviousHost,
    onStep: (at: MigrationProgress) => void,
    signal: AbortSignal,
  ): Promise<IncomingOrganization> {
    const { code, computer } = this.#request;
    for (;;) {
      const {
        name,
        size_bytes: sizeBytes,
        schema,
        is_waiting,
      } = await host.claim(computer, signal);
      if (schema > FORM) throw new ExplainedError(backupWords('move_needs_newer_version'));
      const number = confirmationNumberOf(this.#progress.mover);
      const content = { name, pin: code.fingerprint, sizeBytes, number };
      if (!is_waiting) return content;
      onStep({ step: 'waiting', content });
      await delay(ASK_EVERY_MS, undefined, { signal });
    }
  }

  /** @returns the digest of all bytes, also of those behind the last file */
  async #unpack(
    response: AsyncIterable<Uint8Array>,
    onTaken: (bytes: number) => void,
  ): Promise<string> {
    let taken = 0;
    let told = 0;
    const hash = createHash('sha256');
    const chunks = response[Symbol.asyncIterator]();
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) return;
        hash.update(next.value);
        taken += next.value.length;
        if (taken - told >= TELL_EVERY_BYTES) onTaken((told = taken));
        yield next.value;
      }
    }
    for await (const entry of unpackTar(hashed())) {
      if (entry.name !== 'about.json') await unpackOne(this.#office, entry);
    }
    const rest = hashed();
    while ((await rest.next()).done !== true);
    return hash.digest('hex');
  }

  /** Asks until it is answered: the other one may have let go already. */
  async #end(host: PreviousHost, signal: AbortSignal): Promise<void> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const handover = await host.end(this.#progress.digest ?? '', signal);
        await this.#keep(handover === null ? { digest: null } : { handover });
        return;
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        await delay(pauseMs, undefined, { signal });
      }
    }
  }

  async #finish({ epoch, secret, office_key: officeKey }: Handover): Promise<MigratedOrganization> {
    const { dataDir, code } = this.#request;
    const database = databaseIn(this.#office);
    const now = Math.floor(Date.now() / 1000);
    openHandedOver(database, epoch, now);
    const { name, messages } = readSnapshot(database);
    const options = { mode: 0o600 } as const;
    await writeFile(join(this.#office, SECRET_FILE), Buffer.from(secret, 'hex'), options);
    await writeFile(join(this.#office, IDENTITY_KEY_FILE), `${officeKey}\n`, options);
    await writeFile(join(this.#office, FINGERPRINT_FILE), `${code.fingerprint}\n`, options);
    await writeState(join(this.#office, MOVED_FILE), {
      token: digestOf(code.token),
      name,
      messages,
      // For telling the other computer where the organization is now.
      mover: this.#progress.mover,
      from: transferCodeText(code),
    });
    await flushTree(this.#office);
    await moveIntoPlace(this.#office, dataDir);
    await rm(this.#folder, { recursive: true, force: true });
    return { name, messages, fingerprint: code.fingerprint };
  }
}

/** Beside the folder, so that it can get its name at once. */
const folderOf = (dataDir: string): string => join(dirname(dataDir), `${basename(dataDir)}.moving`);

const FinishedMigration = z.object({ token: z.string(), name: z.string(), messages: z.number() });

/** The code of a move that was begun here and may have been handed over already; undefined where there is none. */
export async function unfinishedMigration(dataDir: string): Promise<string | undefined> {
  const left = await readIfThere(join(folderOf(dataDir), PROGRESS_FILE));
  if (left === undefined) return undefined;
  const { code, digest } = MigrationState.parse(JSON.parse(left));
  return digest === null ? undefined : code;
}

const RedirectSource = z.object({ mover: z.string(), from: z.string() });

/** Who is to be told where the organization is now; undefined where it did not move here. */
export async function findPreviousHost(dataDir: string): Promise<PreviousHost | undefined> {
  const left = await readIfThere(join(dataDir, MOVED_FILE));
  const moved = left === undefined ? undefined : RedirectSource.safeParse(JSON.parse(left)).data;
  const code = moved && findTransferCode(moved.from);
  return moved === undefined || code === undefined
    ? undefined
    : new PreviousHost(code, moved.mover);
}

/** What an earlier try has finished, but for saying so. */
async function findFinishedMigration({
  code,
  dataDir,
}: MigrationTargetRequest): Promise<MigratedOrganization | undefined> {
  const left = await readIfThere(join(dataDir, MOVED_FILE));
  if (left === undefined) return undefined;
  const { token, name, messages } = FinishedMigration.parse(JSON.parse(left));
  if (token !== digestOf(code.token)) return undefined;
  await rm(folderOf(dataDir), { recursive: true, force: true });
  return { name, messages, fingerprint: code.fingerprint };
}

/**
 * Takes an organization over. The folder has its name when the other computer has let go, and not before.
 * @throws ExplainedError and other errors of one sentence
 */
export async function receiveOrganization(
  request: MigrationTargetRequest,
  onStep: (at: MigrationProgress) => void,
  signal: AbortSignal,
): Promise<MigratedOrganization> {
  try {
    const finished = await findFinishedMigration(request);
    if (finished !== undefined) return finished;
    const arrival = await MigrationTarget.begin(request);
    return await arrival.run(onStep, signal);
  } catch (error) {
    throw explainError(error, dirname(request.dataDir));
  }
}
