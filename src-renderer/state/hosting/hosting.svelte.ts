import { createContext } from 'svelte';
import type { Account } from '#shared/bridge/models/client.ts';
import type { HostingStatus, NetworkAccess } from '#shared/bridge/models/hosting.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type {
  ArchiveContent,
  MissingSinceBackup,
  RestoreChoices,
} from '#shared/bridge/models/backups.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';
import { type MigrationCalls, Migrations } from './migration.svelte.ts';

type Calls = MigrationCalls &
  Pick<
    Bridge,
    | 'networkAccess'
    | 'openToNetwork'
    | 'allowNetwork'
    | 'hosting'
    | 'startHosting'
    | 'chooseArchive'
    | 'inspectArchive'
    | 'restoreArchive'
    | 'missing'
    | 'openRestored'
    | 'unlockHosting'
    | 'startHostingWithNewKeys'
    | 'on'
  >;

/** The service of this computer's organization, as its window sees it. */
export class Hosting {
  readonly #bridge: Calls;
  readonly migrations: Migrations;
  #status = $state.raw<HostingStatus>({ phase: 'off' });
  #hasHeard = false;
  #office = $state.raw<NetworkAccess | null>(null);
  #missing = $state.raw<MissingSinceBackup | null>(null);
  /** It was down while this window was open: then its start is worth a word. */
  #wasDown = $state(false);

  /** @param onChange  told of every change after it is known here */
  constructor(bridge: Calls, onChange: (status: HostingStatus) => void) {
    this.#bridge = bridge;
    this.migrations = new Migrations(bridge);
    bridge.on('hostingChanged', (status) => {
      this.#hasHeard = true;
      this.#take(status);
      onChange(status);
    });
    bridge.on('networkAccessChanged', (office) => (this.#office = office));
  }

  async load(): Promise<void> {
    try {
      const outcome = await this.#bridge.hosting();
      if (outcome.ok && !this.#hasHeard) this.#take(outcome.value);
    } catch {
      // A rejection is a bug on the other side, which logs it; what changes is told all the same.
    }
  }

  /** How others come to it; null where that is not known. */
  get networkAccess(): NetworkAccess | null {
    return this.#office;
  }

  /** Whether anybody but this computer can reach what lives here; false while that is not known. */
  get isReached(): boolean {
    return (this.#office?.addresses.length ?? 0) > 0;
  }

  /** The address of an organization for somebody else. What lives here has one of loopback only while nobody may join. */
  addressOf({ address, isHosted }: Pick<Account, 'address' | 'isHosted'>): string {
    return isHosted ? (this.#office?.addresses[0] ?? address) : address;
  }

  /** A link of the organization as somebody else can open it. */
  linkOf(account: Pick<Account, 'address' | 'isHosted'>, link: string): string {
    const { address } = account;
    return link.startsWith(`${address}/`)
      ? `${this.addressOf(account)}${link.slice(address.length)}`
      : link;
  }

  /** By which links lead to the organization, whatever address it has; undefined where that is not known. */
  fingerprintOf({ pin, isHosted }: Pick<Account, 'pin' | 'isHosted'>): string | undefined {
    return pin ?? (isHosted ? this.#office?.identity?.fingerprint : undefined);
  }

  /** Looks who may come, and who is there. */
  loadNetworkAccess(): Promise<Outcome<NetworkAccess>> {
    return this.#reach(() => this.#bridge.networkAccess());
  }

  openToNetwork(isOpen: boolean): Promise<Outcome<NetworkAccess>> {
    return this.#reach(() => this.#bridge.openToNetwork(isOpen));
  }

  agreeToNetwork(networkId: string, isAgreed: boolean): Promise<Outcome<NetworkAccess>> {
    return this.#reach(() => this.#bridge.allowNetwork(networkId, isAgreed));
  }

  async #reach(call: () => Promise<Outcome<NetworkAccess>>): Promise<Outcome<NetworkAccess>> {
    const outcome = await settled(call);
    if (outcome.ok) this.#office = outcome.value;
    return outcome;
  }

  get status(): HostingStatus {
    return this.#status;
  }

  /** It does not run, and whoever looks at the window wants to know why, or to see it come back. */
  get isDown(): boolean {
    const { phase } = this.#status;
    return phase === 'stopped' || phase === 'failed' || (phase === 'starting' && this.#wasDown);
  }

  /** @param port  another one than before */
  async start(port: number | null = null): Promise<Outcome<HostingStatus>> {
    return settled(() => this.#bridge.startHosting(port));
  }

  /** The name of the archive that the person chose; null where they chose none. */
  chooseArchive(): Promise<Outcome<string | null>> {
    return settled(() => this.#bridge.chooseArchive());
  }

  /** What is in it. @param code  as it was typed */
  inspectArchive(code: string): Promise<Outcome<ArchiveContent>> {
    return settled(() => this.#bridge.inspectArchive(code));
  }

  restore(choices: RestoreChoices): Promise<Outcome<HostingStatus>> {
    return settled(() => this.#bridge.restoreArchive(choices));
  }

  /** It was restored, and is closed to everybody but administrators here. */
  get isClosed(): boolean {
    return this.#status.phase === 'running' && this.#status.isClosed === true;
  }

  /** What may be missing since then; null until it was looked at. */
  get missing(): MissingSinceBackup | null {
    return this.#missing;
  }

  async loadMissing(): Promise<Outcome<MissingSinceBackup | null>> {
    const outcome = await settled(() => this.#bridge.missing());
    if (outcome.ok) this.#missing = outcome.value;
    return outcome;
  }

  openToOthers(): Promise<Outcome<HostingStatus>> {
    return settled(() => this.#bridge.openRestored());
  }

  /** With the keys that the recovery code opens. */
  unlock(code: string): Promise<Outcome<HostingStatus>> {
    return settled(() => this.#bridge.unlockHosting(code));
  }

  /** With new keys, where nobody has the code. */
  startWithNewKeys(): Promise<Outcome<HostingStatus>> {
    return settled(() => this.#bridge.startHostingWithNewKeys());
  }

  #take(status: HostingStatus): void {
    this.#status = status;
    if (!this.isClosed) this.#missing = null;
    if (status.phase !== 'starting') this.#wasDown = this.isDown;
    if (status.phase === 'running' && this.#office === null) void this.loadNetworkAccess();
  }
}

export const [hostingOf, provideHosting] = createContext<Hosting>();
