/** The organization of this computer leaves for another one, as a person here sees it and has the last word on it. */
import { join } from 'node:path';
import type { MoveOutStatus } from '#shared/bridge/models/moving.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { knowing } from '#client/accounts/known-addresses.ts';
import type { Client } from '#client/client.ts';
import type { Clock } from '#client/ports.ts';
import type { Keeper, KeepingAnswer } from '#node/threads/backup-messages.ts';
import type { Log } from '#node/log.ts';
import {
  readAsked,
  readConfirmed,
  readDeparting,
  readOffer,
} from '#node/migration/transfer-files.ts';
import { OFFICE_PIN_FILE } from '#node/tls/server-identity.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';

export interface MovingOutParts {
  readonly keeper: Keeper;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly rehouse: Client['rehouse'];
}

export interface MovingOut {
  readonly status: () => Promise<Outcome<MoveOutStatus>>;
  readonly offer: () => Promise<Outcome<MoveOutStatus>>;
  readonly confirm: (number: string) => Promise<Outcome<MoveOutStatus>>;
  readonly callOff: () => Promise<Outcome<MoveOutStatus>>;
  /** Looks from now on, until it is ended. */
  readonly begin: (tell: (status: MoveOutStatus) => void) => void;
  readonly end: () => void;
}

/** Somebody watches it. */
const LOOK_MS = 500;
/** A command may have begun one, and the other computer may have got another address. */
const REST_MS = 15_000;

export const createMovingOut = (parts: MovingOutParts): MovingOut => new Leaving(parts);

class Leaving implements MovingOut {
  readonly #parts: MovingOutParts;
  readonly #ended = new AbortController();
  #woken = new AbortController();
  #code: { readonly text: string; readonly expiresAtSeconds: number } | null = null;
  #tell: (status: MoveOutStatus) => void = () => undefined;
  #told = '';
  /** Where the accounts of this computer were sent last. */
  #sentTo = '';

  constructor(parts: MovingOutParts) {
    this.#parts = parts;
  }

  readonly status: MovingOut['status'] = async () => success(await this.#look());

  readonly offer: MovingOut['offer'] = async () => {
    const { keeper, dataDir } = this.#parts;
    const made = await keeper('offerMove', { dataDir });
    if (made.ok) {
      const { code: text, expiresAtSeconds } = made.value;
      this.#code = { text, expiresAtSeconds };
    }
    return this.#answer(made);
  };

  readonly confirm: MovingOut['confirm'] = async (number) => {
    const { keeper, dataDir } = this.#parts;
    return this.#answer(await keeper('confirmMove', { dataDir, number }));
  };

  readonly callOff: MovingOut['callOff'] = async () => {
    const { keeper, dataDir } = this.#parts;
    const calledOff = await keeper('callOffMove', { dataDir });
    if (calledOff.ok) this.#code = null;
    return this.#answer(calledOff);
  };

  readonly begin: MovingOut['begin'] = (tell) => {
    this.#tell = tell;
    void this.#keepLooking();
  };

  readonly end = (): void => {
    this.#ended.abort();
    this.#woken.abort();
  };

  async #answer(
    done: KeepingAnswer<'offerMove' | 'confirmMove' | 'callOffMove'>,
  ): Promise<Outcome<MoveOutStatus>> {
    this.#woken.abort();
    if (!done.ok) return failure(done.failure.code, done.failure.message);
    return success(await this.#look());
  }

  async #keepLooking(): Promise<void> {
    const { clock, log } = this.#parts;
    while (!this.#ended.signal.aborted) {
      this.#woken = new AbortController();
      const phase = await this.#look().then(
        (status) => status.phase,
        (error: unknown) => {
          log.error('a move could not be looked at', { error });
          return 'none';
        },
      );
      const isResting = phase === 'none' || phase === 'expired' || this.#sentTo !== '';
      await clock.wait(isResting ? REST_MS : LOOK_MS, this.#woken.signal);
    }
  }

  async #look(): Promise<MoveOutStatus> {
    const status = await this.#read();
    if (status.phase === 'moved') await this.#follow(status.addresses);
    const text = JSON.stringify(status);
    if (text !== this.#told) {
      this.#told = text;
      this.#tell(status);
    }
    return status;
  }

  async #read(): Promise<MoveOutStatus> {
    const { dataDir } = this.#parts;
    const departing = await readDeparting(dataDir);
    if (departing !== undefined) {
      const { computer, addresses, isHandedOver } = departing;
      return isHandedOver ? { phase: 'moved', computer, addresses } : { phase: 'moving', computer };
    }
    const offer = await readOffer(dataDir);
    if (offer === undefined) return { phase: 'none' };
    if (offer.expiresAt <= this.#parts.clock.now()) return this.#expired();
    const asked = await readAsked(dataDir);
    if (asked === undefined) {
      const code = this.#code?.text ?? null;
      return { phase: 'offered', code, expiresAtSeconds: Math.floor(offer.expiresAt / 1000) };
    }
    const { mover, ...who } = asked;
    return { phase: 'asked', ...who, isConfirmed: (await readConfirmed(dataDir)) === mover };
  }

  /** One that nobody here has seen is nothing to speak of. */
  #expired(): MoveOutStatus {
    return this.#code === null ? { phase: 'none' } : { phase: 'expired' };
  }

  /** Who is signed in here is so at the other computer from now on. */
  async #follow(addresses: readonly string[]): Promise<void> {
    const [address, ...others] = addresses;
    if (address === undefined || addresses.join(' ') === this.#sentTo) return;
    const kept = await readIfThere(join(this.#parts.dataDir, OFFICE_PIN_FILE));
    const pin = kept?.toString('latin1').trim();
    if (pin === undefined) return;
    await this.#parts.rehouse((account) =>
      account.isHosted ? knowing({ ...account, isHosted: false, pin, address }, others) : account,
    );
    this.#sentTo = addresses.join(' ');
  }
}
