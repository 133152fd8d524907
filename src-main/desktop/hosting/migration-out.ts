/** The organization of this computer leaves for another one, as a person here sees it and has the last word on it. */
import { join } from 'node:path';
import type { MigrationSourceStatus } from '#shared/bridge/models/moving.ts';
import { success, type Outcome } from '#shared/bridge/outcome.ts';
import { withKnownAddresses } from '#client/accounts/known-addresses.ts';
import type { Client } from '#client/client.ts';
import type { Clock } from '#client/ports.ts';
import type { BackupThread, BackupJobAnswer } from '#node/threads/backup-messages.ts';
import type { Log } from '#node/log.ts';
import {
  readPendingTarget,
  readConfirmedTarget,
  readSourceState,
  readTransferOffer,
} from '#node/migration/transfer-files.ts';
import { FINGERPRINT_FILE } from '#node/tls/server-identity.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';

export interface MigrationSourceParts {
  readonly backupThread: BackupThread;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly reassignHost: Client['reassignHost'];
}

export interface MigrationSource {
  readonly status: () => Promise<Outcome<MigrationSourceStatus>>;
  readonly offer: () => Promise<Outcome<MigrationSourceStatus>>;
  readonly confirm: (number: string) => Promise<Outcome<MigrationSourceStatus>>;
  readonly callOff: () => Promise<Outcome<MigrationSourceStatus>>;
  /** Looks from now on, until it is ended. */
  readonly begin: (tell: (status: MigrationSourceStatus) => void) => void;
  readonly end: () => void;
}

/** Somebody watches it. */
const LOOK_MS = 500;
/** A command may have begun one, and the other computer may have got another address. */
const REST_MS = 15_000;

export const createMigrationSource = (parts: MigrationSourceParts): MigrationSource =>
  new ActiveMigrationSource(parts);

class ActiveMigrationSource implements MigrationSource {
  readonly #parts: MigrationSourceParts;
  readonly #ended = new AbortController();
  #woken = new AbortController();
  #code: { readonly text: string; readonly expiresAtSeconds: number } | null = null;
  #tell: (status: MigrationSourceStatus) => void = () => undefined;
  #told = '';
  /** Where the accounts of this computer were sent last. */
  #sentTo = '';

  constructor(parts: MigrationSourceParts) {
    this.#parts = parts;
  }

  readonly status: MigrationSource['status'] = async () => success(await this.#look());

  readonly offer: MigrationSource['offer'] = async () => {
    const { backupThread, dataDir } = this.#parts;
    const made = await backupThread('offerMove', { dataDir });
    if (made.ok) {
      const { code: text, expiresAtSeconds } = made.value;
      this.#code = { text, expiresAtSeconds };
    }
    return this.#answer(made);
  };

  readonly confirm: MigrationSource['confirm'] = async (number) => {
    const { backupThread, dataDir } = this.#parts;
    return this.#answer(await backupThread('confirmMove', { dataDir, number }));
  };

  readonly callOff: MigrationSource['callOff'] = async () => {
    const { backupThread, dataDir } = this.#parts;
    const calledOff = await backupThread('callOffMove', { dataDir });
    if (calledOff.ok) this.#code = null;
    return this.#answer(calledOff);
  };

  readonly begin: MigrationSource['begin'] = (tell) => {
    this.#tell = tell;
    void this.#keepLooking();
  };

  readonly end = (): void => {
    this.#ended.abort();
    this.#woken.abort();
  };

  async #answer(
    done: BackupJobAnswer<'offerMove' | 'confirmMove' | 'callOffMove'>,
  ): Promise<Outcome<MigrationSourceStatus>> {
    this.#woken.abort();
    if (!done.ok) return done;
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

  async #look(): Promise<MigrationSourceStatus> {
    const status = await this.#read();
    if (status.phase === 'moved') await this.#follow(status.addresses);
    const text = JSON.stringify(status);
    if (text !== this.#told) {
      this.#told = text;
      this.#tell(status);
    }
    return status;
  }

  async #read(): Promise<MigrationSourceStatus> {
    const { dataDir } = this.#parts;
    const departing = await readSourceState(dataDir);
    if (departing !== undefined) {
      const { computer, addresses, isHandedOver } = departing;
      return isHandedOver ? { phase: 'moved', computer, addresses } : { phase: 'moving', computer };
    }
    const offer = await readTransferOffer(dataDir);
    if (offer === undefined) return { phase: 'none' };
    if (offer.expiresAt <= this.#parts.clock.now()) return this.#expired();
    const asked = await readPendingTarget(dataDir);
    if (asked === undefined) {
      const code = this.#code?.text ?? null;
      return { phase: 'offered', code, expiresAtSeconds: Math.floor(offer.expiresAt / 1000) };
    }
    const { mover, ...who } = asked;
    return { phase: 'asked', ...who, isConfirmed: (await readConfirmedTarget(dataDir)) === mover };
  }

  /** One that nobody here has seen is nothing to speak of. */
  #expired(): MigrationSourceStatus {
    return this.#code === null ? { phase: 'none' } : { phase: 'expired' };
  }

  /** Who is signed in here is so at the other computer from now on. */
  async #follow(addresses: readonly string[]): Promise<void> {
    const [address, ...others] = addresses;
    if (address === undefined || addresses.join(' ') === this.#sentTo) return;
    const kept = await readIfThere(join(this.#parts.dataDir, FINGERPRINT_FILE));
    const pin = kept?.toString('latin1').trim();
    if (pin === undefined) return;
    await this.#parts.reassignHost((account) =>
      account.isHosted
        ? withKnownAddresses({ ...account, isHosted: false, pin, address }, others)
        : account,
    );
    this.#sentTo = addresses.join(' ');
  }
}
