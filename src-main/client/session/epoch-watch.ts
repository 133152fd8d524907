/** Whether who answers is the office as it was seen last, and not a computer that it has left (API decisions 15.11). */
import { api as endpoints } from '../../contract/api/index.ts';
import { type Epoch, isLaterEpoch } from '../../contract/epoch.ts';
import { failure, success } from '../../bridge/outcome.ts';
import type { Api, ApiOutcome } from '../transport/api.ts';

export interface EpochWatchParts {
  /** Without credentials: whoever is behind gets none. */
  readonly apiAt: (address: string) => Api;
  /** As it was seen last. */
  readonly known: Epoch | undefined;
  readonly keep: (epoch: Epoch) => void;
  /** A computer that the office has left says where it is now. */
  readonly sent: (addresses: readonly string[]) => void;
}

const MEET_LIMIT_MS = 15_000;

const leftBehind = (address: string): string =>
  `The computer at ${address} has an older copy of this organization, which goes on elsewhere. Nothing was sent to it.`;

const goneFrom = (address: string): string =>
  `The organization has moved from ${address} to another computer, which does not answer yet.`;

export class EpochWatch {
  readonly #parts: EpochWatchParts;
  #known: Epoch | undefined;

  constructor(parts: EpochWatchParts) {
    this.#parts = parts;
    this.#known = parts.known;
  }

  /** The latest that was seen. */
  get known(): Epoch | undefined {
    return this.#known;
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
    if (!settings.ok) return settings;
    const { epoch, successor } = settings.value;
    if (successor !== undefined) {
      this.#learn(successor.epoch);
      sent(successor.addresses);
      return failure('LEFT_BEHIND', goneFrom(address));
    }
    const known = this.#known;
    if (known !== undefined && isLaterEpoch(known, epoch)) {
      const { n, id, parent, signature } = known;
      if (signature !== null) {
        await api.call(endpoints.server.meetEpoch, { n, id, parent, signature }, options);
      }
      return failure('LEFT_BEHIND', leftBehind(address));
    }
    if (epoch !== undefined) this.#learn(epoch);
    return success(null);
  }

  #learn(epoch: Epoch): void {
    if (!isLaterEpoch(epoch, this.#known)) return;
    this.#known = epoch;
    this.#parts.keep(epoch);
  }
}
