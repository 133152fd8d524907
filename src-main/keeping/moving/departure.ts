/** The service of an organization that leaves for another computer: what it does for that one (architecture 4). */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../../contract/errors.ts';
import { codeOf } from '../../platform/error-code.ts';
import { epochBytes, moveBytes, type OfficeKey } from '../../platform/office-identity.ts';
import { RECOVERY_KIT_FILE } from '../../archive/recovery-kit.ts';
import { packTar, type TarSource } from '../../archive/tar.ts';
import type { MoveOperations } from '../../service/domain/organization/moves.ts';
import type { Departure } from '../../service/http/moving/serve.ts';
import { borrow, gather, isThere, makePartial } from '../gather.ts';
import { GATHERING, officeOf, textSource } from '../sealed-copy.ts';
import { nextEpoch } from '../epoch.ts';
import {
  CALL_OFF_FILE,
  type Departing,
  DEPARTURE_FILE,
  digestOf,
  OFFER_FILE,
  readDeparting,
  readOffer,
  removeDurably,
  writeWhole,
} from './move-files.ts';

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

  readonly claim: Departure['claim'] = (token, mover, address) =>
    this.#inTurn(async () => {
      const { moves } = this.#parts;
      const departing = await this.#departingOf(token, mover);
      await moves.close(deedOf(address), departing.epoch);
      const { name } = await moves.present();
      return { name, epoch: departing.epoch };
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
    return {
      epoch: settled,
      signature: base64(officeKey.sign('move', moveBytes(epoch, digest))),
      secret: Buffer.from(secret).toString('hex'),
      office_key: officeKey.exported(),
    };
  };

  readonly look: Departure['look'] = () =>
    this.#inTurn(async () => {
      const { dataDir, moves } = this.#parts;
      if (!(await isThere(join(dataDir, CALL_OFF_FILE)))) return false;
      const isOpen = await moves.reopen(deedOf(''));
      if (isOpen) {
        for (const file of [OFFER_FILE, DEPARTURE_FILE]) await removeDurably(join(dataDir, file));
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

  /** Who comes first with the token is let in, and nobody else from then on. */
  async #departingOf(token: string, mover: string): Promise<Departing> {
    const { dataDir, moves, now } = this.#parts;
    const [tokenDigest, moverDigest] = [digestOf(token), digestOf(mover)];
    const known = await readDeparting(dataDir);
    if (known !== undefined) {
      if (known.token === tokenDigest && known.mover === moverDigest) return known;
      throw notValid();
    }
    const offer = await readOffer(dataDir);
    if (offer?.token !== tokenDigest || now().getTime() > offer.expiresAt) throw notValid();
    const { epoch: before } = await moves.present();
    const { n, id, parent } = nextEpoch(before, Math.floor(now().getTime() / 1000), undefined);
    const departing = {
      token: tokenDigest,
      mover: moverDigest,
      epoch: { n, id, parent },
      digests: [],
    };
    await writeWhole(join(dataDir, DEPARTURE_FILE), departing);
    await removeDurably(join(dataDir, OFFER_FILE));
    return departing;
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
    const sources = await officeOf(folder, about, gathered);
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

  #remember(mover: string, digest: string): Promise<void> {
    return this.#inTurn(async () => {
      const known = await this.#claimedBy(mover);
      const digests = [...new Set([...known.digests, digest])];
      await writeWhole(join(this.#parts.dataDir, DEPARTURE_FILE), { ...known, digests });
    });
  }
}

/** Also does what was written into the folder while nothing ran. */
export async function createDeparture(parts: DepartureParts): Promise<Departure> {
  const departure = new Departures(parts);
  await departure.look();
  return departure;
}
