/** Whether who answers is the office as it was seen last, and not a computer that it has left (API decisions 15.11). */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import {
  type RestoreGeneration,
  isLaterRestoreGeneration,
} from '#shared/api/restore-generation.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import type { NextKeyNotice } from '../ports.ts';
import { type Api, type CallOptions, isWrongServer } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface NextKeyLookup {
  /** Their fingerprints. */
  readonly known: () => readonly string[];
  /** Without credentials, and to nobody but who has this key. */
  readonly apiAt: (address: string, pin: string) => Api;
  /** The office tells of one. */
  readonly receive: (notice: NextKeyNotice) => void;
  /** One answers: the key of before counts for nothing from then on. */
  readonly moveTo: (pin: string, at: NextKeyAddress) => void;
}

export interface NextKeyAddress {
  readonly address: string;
  /** The numbers of before count for nothing: whoever has the old key can make any. */
  readonly epoch: RestoreGeneration | undefined;
}

export interface RestoreDetectorParts {
  /** Without credentials: whoever is behind gets none. */
  readonly apiAt: (address: string) => Api;
  /** As it was seen last. */
  readonly known: RestoreGeneration | undefined;
  readonly save: (epoch: RestoreGeneration) => void;
  /** Who goes on as the office once its key is stolen; absent where nobody can tell. */
  readonly nextKeys?: NextKeyLookup | undefined;
  /** A computer that the office has left says where it is now. */
  readonly sent: (addresses: readonly string[]) => void;
}

const MEET_LIMIT_MS = 15_000;
const SEEK_LIMIT_MS = 3_000;

const underAnotherKey = (address: string): Outcome<never> =>
  failure('UNREACHABLE', clientWords('organization_behind_other_key', { address }));

export class RestoreDetector {
  readonly #parts: RestoreDetectorParts;
  #known: RestoreGeneration | undefined;
  /** Whoever has the key of before is the office no more. */
  #isOver = false;

  constructor(parts: RestoreDetectorParts) {
    this.#parts = parts;
    this.#known = parts.known;
  }

  /** The latest that was seen. */
  get known(): RestoreGeneration | undefined {
    return this.#known;
  }

  /** Whoever is heard of with the other key comes first: whoever has stolen the old one may be nearer. */
  async seek(addresses: readonly string[], signal: AbortSignal): Promise<void> {
    const options = { signal, limitMs: SEEK_LIMIT_MS };
    await Promise.all(addresses.map((address) => this.#findSuccessor(address, options)));
  }

  /** Asks before anything else is said; a computer that is behind hears of it. Fails with LEFT_BEHIND there. */
  async meet(
    address: string,
    { signal, isProbe }: { readonly signal: AbortSignal; readonly isProbe: boolean },
  ): Promise<ApiOutcome<null>> {
    const { apiAt, sent } = this.#parts;
    const api = apiAt(address);
    const options = { signal, limitMs: MEET_LIMIT_MS, isProbe };
    const settings = await api.call(endpoints.server.settings, {}, options);
    if (!settings.ok) return this.#meetSuccessor(address, settings, options);
    const { epoch, successor, successor_key: notice } = settings.value;
    if (notice !== undefined) this.#parts.nextKeys?.receive(notice);
    if (successor !== undefined) {
      this.#learn(successor.epoch);
      sent(successor.addresses);
      return failure('LEFT_BEHIND', clientWords('organization_moved_away', { address }));
    }
    const known = this.#known;
    if (known !== undefined && isLaterRestoreGeneration(known, epoch)) {
      const { n, id, parent, signature } = known;
      if (signature !== null) {
        await api.call(endpoints.server.meetEpoch, { n, id, parent, signature }, options);
      }
      return failure('LEFT_BEHIND', clientWords('organization_left_behind', { address }));
    }
    // Another address may have shown meanwhile who it is now.
    if (this.#isOver) return underAnotherKey(address);
    if (epoch !== undefined) this.#learn(epoch);
    return success(null);
  }

  /** Somebody else answers there, who may be the office with the key that it has told of before. */
  async #meetSuccessor(
    address: string,
    met: ApiOutcome<never>,
    options: CallOptions,
  ): Promise<ApiOutcome<null>> {
    if (met.ok || !isWrongServer(met.failure)) return met;
    const isFound = await this.#findSuccessor(address, options);
    return isFound ? underAnotherKey(address) : met;
  }

  async #findSuccessor(address: string, options: CallOptions): Promise<boolean> {
    const { nextKeys } = this.#parts;
    for (const pin of nextKeys?.known() ?? []) {
      const api = nextKeys?.apiAt(address, pin);
      const settings = await api?.call(endpoints.server.settings, {}, options);
      if (settings?.ok !== true) continue;
      this.#isOver = true;
      nextKeys?.moveTo(pin, { address, epoch: settings.value.epoch });
      return true;
    }
    return false;
  }

  #learn(epoch: RestoreGeneration): void {
    if (!isLaterRestoreGeneration(epoch, this.#known)) return;
    this.#known = epoch;
    this.#parts.save(epoch);
  }
}
