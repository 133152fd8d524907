/** An organization comes to this computer from another one, while both are there. */
import type {
  ComingOrganization,
  MoveInRequest,
  MoveInStatus,
} from '#shared/bridge/models/moving.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import type { Client } from '#client/client.ts';
import type { KeyStore } from '#client/ports.ts';
import { isThere } from '#node/files/exists.ts';
import type { ArrivalProgress, Coming, Keeper } from '#node/threads/backup-messages.ts';
import { moveCodeIn } from '#node/migration/transfer-code.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { isKeychainError } from '#client/accounts/keychain.ts';
import { forgetKeys } from './host-keys.ts';
import type { Hosting } from './hosting.ts';
import type { OfficeReachControl } from './network-access.ts';

export interface MovingInParts {
  readonly keeper: Keeper;
  readonly dataDir: string;
  readonly keys: KeyStore;
  readonly hosting: Pick<Hosting, 'hasData' | 'makeRoom' | 'running' | 'start' | 'status'>;
  readonly office: Pick<OfficeReachControl, 'setOpen'>;
  readonly rehouse: Client['rehouse'];
  /** As this computer is called where it asks. */
  readonly computer: string;
}

export interface MovingIn {
  readonly status: () => Promise<Outcome<MoveInStatus>>;
  readonly begin: (request: MoveInRequest) => Promise<Outcome<HostingStatus>>;
  readonly stop: () => Promise<Outcome<null>>;
  /** Told of every change. */
  readonly onStatus: (listener: (status: MoveInStatus) => void) => void;
}

export const createMovingIn = (parts: MovingInParts): MovingIn => new Arriving(parts);

class Arriving implements MovingIn {
  readonly #parts: MovingInParts;
  readonly #listeners = new Set<(status: MoveInStatus) => void>();
  #status: MoveInStatus = { phase: 'none' };
  #going: AbortController | undefined;
  #coming: { readonly pin: string; readonly words: Promise<string> } | undefined;

  constructor(parts: MovingInParts) {
    this.#parts = parts;
  }

  readonly status: MovingIn['status'] = async () => {
    if (this.#going !== undefined) return success(this.#status);
    const left = await this.#left();
    return success(left === null ? { phase: 'none' } : { phase: 'unfinished' });
  };

  readonly begin: MovingIn['begin'] = async (request) => {
    if (this.#going !== undefined) return failure('BUSY', 'A move is under way already.');
    const going = new AbortController();
    this.#going = going;
    try {
      return await this.#go(request, going.signal);
    } catch (error) {
      if (isKeychainError(error)) return failure(error.code, error.message);
      throw error;
    } finally {
      this.#going = undefined;
      this.#tell({ phase: 'none' });
    }
  };

  readonly stop: MovingIn['stop'] = async () => {
    this.#going?.abort();
    return success(null);
  };

  readonly onStatus: MovingIn['onStatus'] = (listener) => {
    this.#listeners.add(listener);
  };

  async #go(
    { code: typed, opensOffice }: MoveInRequest,
    signal: AbortSignal,
  ): Promise<Outcome<HostingStatus>> {
    const { keeper, dataDir, keys, hosting, office, computer } = this.#parts;
    const code = typed ?? (await this.#left()) ?? '';
    const read = moveCodeIn(code);
    if (read === undefined) {
      const sentence =
        'This is not the code of a move: copy all of it from the other computer. It begins with hearth://move.';
      return failure('BAD_CODE', sentence, 'code');
    }
    if (await hosting.hasData()) {
      return failure('ALREADY_HOSTED', 'An organization lives on this computer already.');
    }
    await hosting.makeRoom();
    // Also so that without a keychain nothing is done: the organization could not be started.
    await forgetKeys({ keys });
    this.#tell({ phase: 'claiming' });
    const arrived = await keeper('arrive', { dataDir, code, computer }, signal, (progress) => {
      void this.#follow(progress);
    });
    if (!arrived.ok) {
      if (signal.aborted) return failure('CANCELLED', 'Nothing was moved.');
      return failure(arrived.failure.code, arrived.failure.message);
    }
    const started = await hosting.start();
    if (!started.ok) return started;
    await this.#house(read.pin, started.value.address);
    if (opensOffice) await office.setOpen(true);
    return success(hosting.status());
  }

  /** Who was signed in from this computer is so without doing anything. */
  async #house(pin: string, address: string): Promise<void> {
    await this.#parts.rehouse((account) => {
      if (account.pin !== pin) return account;
      const { pin: _, addresses: __, ...rest } = account;
      return { ...rest, isHosted: true, address };
    });
  }

  async #left(): Promise<string | null> {
    const { keeper, dataDir } = this.#parts;
    if (!(await isThere(`${dataDir}.moving`))) return null;
    const found = await keeper('unfinishedMove', { dataDir });
    return found.ok ? found.value : null;
  }

  async #follow(progress: ArrivalProgress): Promise<void> {
    const going = this.#going;
    const status = await this.#statusOf(progress);
    // Words take a while: it may be over by then.
    if (going === this.#going && going !== undefined) this.#tell(status);
  }

  async #statusOf(progress: ArrivalProgress): Promise<MoveInStatus> {
    switch (progress.step) {
      case 'waiting':
        return { phase: 'waiting', coming: await this.#shown(progress.content) };
      case 'taking': {
        const { content, takenBytes } = progress;
        return { phase: 'taking', coming: await this.#shown(content), takenBytes };
      }
      default:
        return { phase: progress.step };
    }
  }

  async #shown({ pin, ...coming }: Coming): Promise<ComingOrganization> {
    if (this.#coming?.pin !== pin) this.#coming = { pin, words: safetyWords(pin) };
    return { ...coming, safetyWords: await this.#coming.words };
  }

  #tell(status: MoveInStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }
}
