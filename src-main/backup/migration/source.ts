/** The service of an organization that leaves for another computer: what it does for that one (architecture 4). */
import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '#shared/api/errors.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { isThere } from '#node/files/exists.ts';
import { codeOf } from '#node/error-code.ts';
import { epochBytes, moveBytes, type OfficeKey } from '#node/tls/server-identity.ts';
import { RECOVERY_KIT_FILE } from '../archive/recovery-kit.ts';
import { packTar, type TarSource } from '../archive/tar.ts';
import type { MoveOperations } from '#service/features/organization/operations/migration.ts';
import type { Departure } from '#service/http/migration.ts';
import { borrow, gather, makePartial } from '../collect.ts';
import { FORM } from '#service/db/migrations/index.ts';
import { fileSources, textSource } from '../compressed-files.ts';
import { GATHERING, officeOf } from '../sealed-copy.ts';
import { nextEpoch } from '../restore-generation.ts';
import {
  ASKED_FILE,
  CALL_OFF_FILE,
  CONFIRMED_FILE,
  type Asked,
  type Departing,
  DEPARTURE_FILE,
  digestOf,
  numberOf,
  OFFER_FILE,
  readAsked,
  readConfirmed,
  readDeparting,
  readOffer,
  removeDurably,
  writeWhole,
} from '#node/migration/transfer-files.ts';

export interface DepartureParts {
  readonly dataDir: string;
  readonly moves: MoveOperations;
  readonly secret: Uint8Array;
  readonly officeKey: OfficeKey;
  readonly version: string;
  readonly now: () => Date;
}

const deedOf = (address: string) => ({ caller: null, address, client: 'Hearth' });

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

class Departures implements Departure {
  readonly #parts: DepartureParts;
  #changes: Promise<unknown> = Promise.resolve();
  #gathered = 0;

  constructor(parts: DepartureParts) {
    this.#parts = parts;
  }

  readonly claim: Departure['claim'] = (token, { mover, computer, address }) =>
    this.#inTurn(async () => {
      const { moves } = this.#parts;
      const who = { mover: digestOf(mover), computer, address, number: numberOf(mover) };
      const departing = await this.#departingOf(token, who);
      if (departing !== undefined) await moves.close(deedOf(address), departing.epoch);
      const { name } = await moves.present();
      const about = { name, schema: FORM, size_bytes: await this.#size() };
      return departing === undefined
        ? { ...about, epoch: null, is_waiting: true }
        : { ...about, epoch: departing.epoch, is_waiting: false };
    });

  readonly archive: Departure['archive'] = async (mover) => {
    const { dataDir, moves } = this.#parts;
    const { epoch } = await this.#inTurn(async () => {
      const known = await this.#claimedBy(mover);
      // Also where it was killed before it was closed.
      await moves.close(deedOf(''), known.epoch);
      return known;
    });
    const folder = join(
      dataDir,
      `${GATHERING}${String(process.pid)}-move-${String((this.#gathered += 1))}`,
    );
    await makePartial(folder);
    try {
      const sources = await this.#sourcesIn(folder);
      return this.#sent(folder, packTar(sources, epoch.n), mover);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  };

  readonly handOver: Departure['handOver'] = async (mover, digest) => {
    const { moves, officeKey, secret } = this.#parts;
    const { epoch, digests } = await this.#claimedBy(mover);
    if (!digests.includes(digest)) return null;
    const signed = { ...epoch, signature: base64(officeKey.sign('epoch', epochBytes(epoch))) };
    const settled = await moves.handOver(signed);
    await this.#alter((known) => ({ ...known, isHandedOver: true }));
    return {
      epoch: settled,
      signature: base64(officeKey.sign('move', moveBytes(epoch, digest))),
      secret: Buffer.from(secret).toString('hex'),
      office_key: officeKey.exported(),
    };
  };

  readonly arrived: Departure['arrived'] = (mover, addresses) =>
    this.#inTurn(async () => {
      const { dataDir, moves } = this.#parts;
      const { isHandedOver, epoch } = await this.#claimedBy(mover);
      if (!isHandedOver) throw badRequest('The organization has not moved yet');
      await moves.tellPlace(epoch.id, addresses);
      const known = await this.#claimedBy(mover);
      await writeWhole(join(dataDir, DEPARTURE_FILE), { ...known, addresses });
    });

  readonly look: Departure['look'] = () =>
    this.#inTurn(async () => {
      const { dataDir, moves } = this.#parts;
      if (!(await isThere(join(dataDir, CALL_OFF_FILE)))) return false;
      const isOpen = await moves.reopen(deedOf(''));
      if (isOpen) {
        const files = [OFFER_FILE, ASKED_FILE, CONFIRMED_FILE, DEPARTURE_FILE];
        for (const file of files) await removeDurably(join(dataDir, file));
      }
      await removeDurably(join(dataDir, CALL_OFF_FILE));
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
      const { dataDir, moves } = this.#parts;
      const known = await readDeparting(dataDir);
      if (known === undefined || known.isHandedOver) return;
      if (await moves.isHandedOver(known.epoch.id)) {
        await writeWhole(join(dataDir, DEPARTURE_FILE), { ...known, isHandedOver: true });
      }
    });

  /**
   * Who comes first with the token is let in, and nobody else from then on; where the offer asks first, when somebody at this
   * computer has agreed. Undefined until then.
   */
  async #departingOf(token: string, who: Asked): Promise<Departing | undefined> {
    const { dataDir, moves, now } = this.#parts;
    const tokenDigest = digestOf(token);
    const known = await readDeparting(dataDir);
    if (known !== undefined) {
      if (known.token === tokenDigest && known.mover === who.mover) return known;
      throw notValid();
    }
    const offer = await readOffer(dataDir);
    if (offer?.token !== tokenDigest || now().getTime() > offer.expiresAt) throw notValid();
    if (offer.asks && !(await this.#isConfirmed(who))) return undefined;
    const { epoch: before } = await moves.present();
    const { n, id, parent } = nextEpoch(before, Math.floor(now().getTime() / 1000), undefined);
    const departing = {
      token: tokenDigest,
      mover: who.mover,
      epoch: { n, id, parent },
      digests: [],
      ...{ computer: who.computer, isHandedOver: false, addresses: [] },
    };
    await writeWhole(join(dataDir, DEPARTURE_FILE), departing);
    for (const file of [OFFER_FILE, ASKED_FILE, CONFIRMED_FILE]) {
      await removeDurably(join(dataDir, file));
    }
    return departing;
  }

  /** Asks for one computer at a time, so that whoever confirms cannot be shown another one meanwhile. */
  async #isConfirmed(who: Asked): Promise<boolean> {
    const { dataDir } = this.#parts;
    const asked = await readAsked(dataDir);
    if (asked === undefined) await writeWhole(join(dataDir, ASKED_FILE), who);
    else if (asked.mover !== who.mover) throw askedByAnother();
    return (await readConfirmed(dataDir)) === who.mover;
  }

  async #size(): Promise<number> {
    const { dataDir, moves } = this.#parts;
    return (await stat(databaseIn(dataDir))).size + (await moves.filesSize());
  }

  async #claimedBy(mover: string): Promise<Departing> {
    const known = await readDeparting(this.#parts.dataDir);
    if (known?.mover !== digestOf(mover)) throw notValid();
    return known;
  }

  async #sourcesIn(folder: string): Promise<TarSource[]> {
    const { dataDir, version, now } = this.#parts;
    const signal = new AbortController().signal;
    const gathered = await gather({ dataDir, partial: folder, take: borrow, signal });
    const { name, messages, files } = gathered;
    const madeAt = now().toISOString();
    const about = { name, madeAt, messages, files: files.length, version };
    const names = files.map((path) => path.join('/'));
    const sources = await officeOf(folder, about, await fileSources(folder, names));
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

  #alter(change: (known: Departing) => Departing, mover?: string): Promise<void> {
    return this.#inTurn(async () => {
      const { dataDir } = this.#parts;
      const known =
        mover === undefined ? await readDeparting(dataDir) : await this.#claimedBy(mover);
      if (known !== undefined) await writeWhole(join(dataDir, DEPARTURE_FILE), change(known));
    });
  }
}

/** Also does what was written into the folder while nothing ran. */
export async function createDeparture(parts: DepartureParts): Promise<Departure> {
  const departure = new Departures(parts);
  await departure.look();
  await departure.settle();
  return departure;
}
