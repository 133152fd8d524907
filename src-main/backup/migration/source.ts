/** The service of an organization that leaves for another computer: what it does for that one (architecture 4). */
import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '#shared/api/errors.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { codeOf } from '#node/error-code.ts';
import {
  restoreGenerationBytes,
  migrationBytes,
  type ServerIdentity,
} from '#node/tls/server-identity.ts';
import { RECOVERY_KIT_FILE } from '../archive/recovery-kit.ts';
import { packTar, type TarSource } from '../archive/tar.ts';
import type { MigrationOperations } from '#service/features/organization/operations/migration.ts';
import type { MigrationSource } from '#service/http/migration.ts';
import { linkOrCopy, collect, makeStagingFolder } from '../collect.ts';
import { FORM } from '#service/db/migrations/index.ts';
import { fileSources, textSource } from '../compressed-files.ts';
import { STAGING_PREFIX, archiveEntries } from '../sealed-copy.ts';
import { nextRestoreGeneration } from '../restore-generation.ts';
import {
  PENDING_TARGET_FILE,
  CANCEL_FILE,
  CONFIRMED_TARGET_FILE,
  type PendingTarget,
  type SourceState,
  SOURCE_STATE_FILE,
  digestOf,
  confirmationNumberOf,
  TRANSFER_OFFER_FILE,
  readPendingTarget,
  readConfirmedTarget,
  readSourceState,
  readTransferOffer,
  removeState,
  writeState,
} from '#node/migration/transfer-files.ts';

export interface MigrationSourceParts {
  readonly dataDir: string;
  readonly migration: MigrationOperations;
  readonly secret: Uint8Array;
  readonly identity: ServerIdentity;
  readonly version: string;
  readonly now: () => Date;
}

const requestContextOf = (address: string) => ({ caller: null, address, client: 'Hearth' });

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const notValid = () =>
  badRequest(
    'This code is not valid (any more): make another one on the computer that has the organization',
  );

const askedByAnother = () =>
  badRequest(
    'Another computer has come with this code before: look at the computer that has the organization, and make another code there',
  );

/** Chunks as they come, and what they are together; told before the last one goes out. */
async function* withDigest(
  bytes: AsyncIterable<Uint8Array>,
  onDigest: (digest: string) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of bytes) {
    if (held !== undefined) yield held;
    hash.update(chunk);
    held = chunk;
  }
  await onDigest(hash.digest('hex'));
  if (held !== undefined) yield held;
}

class OutgoingMigration implements MigrationSource {
  readonly #parts: MigrationSourceParts;
  #changes: Promise<unknown> = Promise.resolve();
  #gathered = 0;

  constructor(parts: MigrationSourceParts) {
    this.#parts = parts;
  }

  readonly claim: MigrationSource['claim'] = (token, { mover, computer, address }) =>
    this.#inTurn(async () => {
      const { migration } = this.#parts;
      const who = {
        mover: digestOf(mover),
        computer,
        address,
        number: confirmationNumberOf(mover),
      };
      const departing = await this.#departingOf(token, who);
      if (departing !== undefined)
        await migration.close(requestContextOf(address), departing.epoch);
      const { name } = await migration.describe();
      const about = { name, schema: FORM, size_bytes: await this.#size() };
      return departing === undefined
        ? { ...about, epoch: null, is_waiting: true }
        : { ...about, epoch: departing.epoch, is_waiting: false };
    });

  readonly archive: MigrationSource['archive'] = async (mover) => {
    const { dataDir, migration } = this.#parts;
    const { epoch } = await this.#inTurn(async () => {
      const known = await this.#claimedBy(mover);
      // Also where it was killed before it was closed.
      await migration.close(requestContextOf(''), known.epoch);
      return known;
    });
    const folder = join(
      dataDir,
      `${STAGING_PREFIX}${String(process.pid)}-move-${String((this.#gathered += 1))}`,
    );
    await makeStagingFolder(folder);
    try {
      const sources = await this.#sourcesIn(folder);
      return this.#sent(folder, packTar(sources, epoch.n), mover);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  };

  readonly handOver: MigrationSource['handOver'] = async (mover, digest) => {
    const { migration, identity, secret } = this.#parts;
    const { epoch, digests } = await this.#claimedBy(mover);
    if (!digests.includes(digest)) return null;
    const signed = {
      ...epoch,
      signature: base64(identity.sign('epoch', restoreGenerationBytes(epoch))),
    };
    const settled = await migration.handOver(signed);
    await this.#alter((known) => ({ ...known, isHandedOver: true }));
    return {
      epoch: settled,
      signature: base64(identity.sign('move', migrationBytes(epoch, digest))),
      secret: Buffer.from(secret).toString('hex'),
      office_key: identity.exported(),
    };
  };

  readonly arrived: MigrationSource['arrived'] = (mover, addresses) =>
    this.#inTurn(async () => {
      const { dataDir, migration } = this.#parts;
      const { isHandedOver, epoch } = await this.#claimedBy(mover);
      if (!isHandedOver) throw badRequest('The organization has not moved yet');
      await migration.noteAddresses(epoch.id, addresses);
      const known = await this.#claimedBy(mover);
      await writeState(join(dataDir, SOURCE_STATE_FILE), { ...known, addresses });
    });

  readonly look: MigrationSource['look'] = () =>
    this.#inTurn(async () => {
      const { dataDir, migration } = this.#parts;
      if (!(await pathExists(join(dataDir, CANCEL_FILE)))) return false;
      const isOpen = await migration.reopen(requestContextOf(''));
      if (isOpen) {
        const files = [
          TRANSFER_OFFER_FILE,
          PENDING_TARGET_FILE,
          CONFIRMED_TARGET_FILE,
          SOURCE_STATE_FILE,
        ];
        for (const file of files) await removeState(join(dataDir, file));
      }
      await removeState(join(dataDir, CANCEL_FILE));
      return isOpen;
    });

  /** One after the other: each reads what the one before has written. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => undefined);
    return done;
  }

  /** What a crash between the database and the folder has left out. */
  readonly settle = (): Promise<void> =>
    this.#inTurn(async () => {
      const { dataDir, migration } = this.#parts;
      const known = await readSourceState(dataDir);
      if (known === undefined || known.isHandedOver) return;
      if (await migration.isHandedOver(known.epoch.id)) {
        await writeState(join(dataDir, SOURCE_STATE_FILE), { ...known, isHandedOver: true });
      }
    });

  /**
   * Who comes first with the token is let in, and nobody else from then on; where the offer asks first, when somebody at this
   * computer has agreed. Undefined until then.
   */
  async #departingOf(token: string, who: PendingTarget): Promise<SourceState | undefined> {
    const { dataDir, migration, now } = this.#parts;
    const tokenDigest = digestOf(token);
    const known = await readSourceState(dataDir);
    if (known !== undefined) {
      if (known.token === tokenDigest && known.mover === who.mover) return known;
      throw notValid();
    }
    const offer = await readTransferOffer(dataDir);
    if (offer?.token !== tokenDigest || now().getTime() > offer.expiresAt) throw notValid();
    if (offer.asks && !(await this.#isConfirmed(who))) return undefined;
    const { epoch: before } = await migration.describe();
    const { n, id, parent } = nextRestoreGeneration(
      before,
      Math.floor(now().getTime() / 1000),
      undefined,
    );
    const departing = {
      token: tokenDigest,
      mover: who.mover,
      epoch: { n, id, parent },
      digests: [],
      computer: who.computer,
      isHandedOver: false,
      addresses: [],
    };
    await writeState(join(dataDir, SOURCE_STATE_FILE), departing);
    for (const file of [TRANSFER_OFFER_FILE, PENDING_TARGET_FILE, CONFIRMED_TARGET_FILE]) {
      await removeState(join(dataDir, file));
    }
    return departing;
  }

  /** Asks for one computer at a time, so that whoever confirms cannot be shown another one meanwhile. */
  async #isConfirmed(who: PendingTarget): Promise<boolean> {
    const { dataDir } = this.#parts;
    const asked = await readPendingTarget(dataDir);
    if (asked === undefined) await writeState(join(dataDir, PENDING_TARGET_FILE), who);
    else if (asked.mover !== who.mover) throw askedByAnother();
    return (await readConfirmedTarget(dataDir)) === who.mover;
  }

  async #size(): Promise<number> {
    const { dataDir, migration } = this.#parts;
    return (await stat(databaseIn(dataDir))).size + (await migration.filesSize());
  }

  async #claimedBy(mover: string): Promise<SourceState> {
    const known = await readSourceState(this.#parts.dataDir);
    if (known?.mover !== digestOf(mover)) throw notValid();
    return known;
  }

  async #sourcesIn(folder: string): Promise<TarSource[]> {
    const { dataDir, version, now } = this.#parts;
    const signal = new AbortController().signal;
    const gathered = await collect({ dataDir, partial: folder, copy: linkOrCopy, signal });
    const { name, messages, files } = gathered;
    const madeAt = now().toISOString();
    const about = { name, madeAt, messages, files: files.length, version };
    const names = files.map((path) => path.join('/'));
    const sources = await archiveEntries(folder, about, await fileSources(folder, names));
    const kit = await readFile(join(dataDir, RECOVERY_KIT_FILE), 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    return kit === undefined ? sources : [...sources, textSource(RECOVERY_KIT_FILE, kit)];
  }

  async *#sent(
    folder: string,
    bytes: AsyncIterable<Uint8Array>,
    mover: string,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* withDigest(bytes, (digest) => this.#remember(mover, digest));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #remember(mover: string, digest: string): Promise<void> {
    await this.#alter(
      (known) => ({
        ...known,
        digests: [...new Set([...known.digests, digest])],
      }),
      mover,
    );
  }

  #alter(change: (known: SourceState) => SourceState, mover?: string): Promise<void> {
    return this.#inTurn(async () => {
      const { dataDir } = this.#parts;
      const known =
        mover === undefined ? await readSourceState(dataDir) : await this.#claimedBy(mover);
      if (known !== undefined) await writeState(join(dataDir, SOURCE_STATE_FILE), change(known));
    });
  }
}

/** Also does what was written into the folder while nothing ran. */
export async function createMigrationSource(parts: MigrationSourceParts): Promise<MigrationSource> {
  const departure = new OutgoingMigration(parts);
  await departure.look();
  await departure.settle();
  return departure;
}
