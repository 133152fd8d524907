/** An organization comes to this computer from another one, while both are there. */
import type {
  MigratingOrganization,
  MigrationTargetRequest,
  MigrationTargetStatus,
} from '#shared/bridge/models/moving.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import type { Client } from '#client/client.ts';
import type { KeyStore } from '#client/ports.ts';
import { pathExists } from '#node/files/exists.ts';
import type {
  MigrationProgress,
  IncomingOrganization,
  BackupThread,
} from '#node/threads/backup-messages.ts';
import { findTransferCode } from '#node/migration/transfer-code.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { catchingKeychain } from '#client/accounts/keychain.ts';
import { forgetKeys } from './host-keys.ts';
import type { Hosting } from './hosting.ts';
import type { NetworkAccessControl } from './network-access.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

export interface MigrationTargetParts {
  readonly backupThread: BackupThread;
  readonly dataDir: string;
  readonly keys: KeyStore;
  readonly hosting: Pick<Hosting, 'hasData' | 'makeRoom' | 'running' | 'start' | 'status'>;
  readonly networkAccess: Pick<NetworkAccessControl, 'setOpen'>;
  readonly reassignHost: Client['reassignHost'];
  /** As this computer is called where it asks. */
  readonly computer: string;
}

export interface MigrationTarget {
  readonly status: () => Promise<Outcome<MigrationTargetStatus>>;
  readonly begin: (request: MigrationTargetRequest) => Promise<Outcome<HostingStatus>>;
  readonly stop: () => Promise<Outcome<null>>;
  /** Told of every change. */
  readonly onStatus: (listener: (status: MigrationTargetStatus) => void) => void;
}

export const createMigrationTarget = (parts: MigrationTargetParts): MigrationTarget =>
  new ActiveMigrationTarget(parts);

class ActiveMigrationTarget implements MigrationTarget {
  readonly #parts: MigrationTargetParts;
  readonly #listeners = new Set<(status: MigrationTargetStatus) => void>();
  #status: MigrationTargetStatus = { phase: 'none' };
  #going: AbortController | undefined;
  #coming: { readonly fingerprint: string; readonly words: Promise<string> } | undefined;

  constructor(parts: MigrationTargetParts) {
    this.#parts = parts;
  }

  readonly status: MigrationTarget['status'] = async () => {
    if (this.#going !== undefined) return success(this.#status);
    const left = await this.#left();
    return success(left === null ? { phase: 'none' } : { phase: 'unfinished' });
  };

  readonly begin: MigrationTarget['begin'] = async (request) => {
    if (this.#going !== undefined) return failure('BUSY', desktopWords('move_already_under_way'));
    const going = new AbortController();
    this.#going = going;
    try {
      return await catchingKeychain(() => this.#go(request, going.signal));
    } finally {
      this.#going = undefined;
      this.#tell({ phase: 'none' });
    }
  };

  readonly stop: MigrationTarget['stop'] = async () => {
    this.#going?.abort();
    return success(null);
  };

  readonly onStatus: MigrationTarget['onStatus'] = (listener) => {
    this.#listeners.add(listener);
  };

  async #go(
    { code: typed, opensToNetwork }: MigrationTargetRequest,
    signal: AbortSignal,
  ): Promise<Outcome<HostingStatus>> {
    const { backupThread, dataDir, keys, hosting, networkAccess, computer } = this.#parts;
    const code = typed ?? (await this.#left()) ?? '';
    const read = findTransferCode(code);
    if (read === undefined) return failure('BAD_CODE', desktopWords('move_code_invalid'), 'code');
    if (await hosting.hasData()) return failure('ALREADY_HOSTED', desktopWords('hosted_already'));
    await hosting.makeRoom();
    // Also so that without a keychain nothing is done: the organization could not be started.
    await forgetKeys({ keys });
    this.#tell({ phase: 'claiming' });
    const arrived = await backupThread(
      'arrive',
      { dataDir, code, computer },
      signal,
      (progress) => {
        void this.#follow(progress);
      },
    );
    if (!arrived.ok) {
      if (signal.aborted) return failure('CANCELLED', desktopWords('move_cancelled'));
      return arrived;
    }
    const started = await hosting.start();
    if (!started.ok) return started;
    await this.#house(read.fingerprint, started.value.address);
    if (opensToNetwork) await networkAccess.setOpen(true);
    return success(hosting.status());
  }

  /** Who was signed in from this computer is so without doing anything. */
  async #house(pin: string, address: string): Promise<void> {
    await this.#parts.reassignHost((account) => {
      if (account.pin !== pin) return account;
      const { pin: _, addresses: __, ...rest } = account;
      return { ...rest, isHosted: true, address };
    });
  }

  async #left(): Promise<string | null> {
    const { backupThread, dataDir } = this.#parts;
    if (!(await pathExists(`${dataDir}.moving`))) return null;
    const found = await backupThread('unfinishedMove', { dataDir });
    return found.ok ? found.value : null;
  }

  async #follow(progress: MigrationProgress): Promise<void> {
    const going = this.#going;
    const status = await this.#statusOf(progress);
    // Words take a while: it may be over by then.
    if (going === this.#going && going !== undefined) this.#tell(status);
  }

  async #statusOf(progress: MigrationProgress): Promise<MigrationTargetStatus> {
    switch (progress.step) {
      case 'waiting':
        return { phase: 'waiting', organization: await this.#shown(progress.content) };
      case 'taking': {
        const { content, takenBytes: receivedBytes } = progress;
        return { phase: 'taking', organization: await this.#shown(content), receivedBytes };
      }
      default:
        return { phase: progress.step };
    }
  }

  async #shown({
    pin: fingerprint,
    ...coming
  }: IncomingOrganization): Promise<MigratingOrganization> {
    if (this.#coming?.fingerprint !== fingerprint)
      this.#coming = { fingerprint, words: safetyWords(fingerprint) };
    return { ...coming, safetyWords: await this.#coming.words };
  }

  #tell(status: MigrationTargetStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }
}
