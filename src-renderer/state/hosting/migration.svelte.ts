import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type {
  MigrationTargetRequest,
  MigrationTargetStatus,
  MigrationSourceStatus,
} from '#shared/bridge/models/moving.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';

export type MigrationCalls = Pick<
  Bridge,
  | 'migrationSource'
  | 'createTransferCode'
  | 'confirmMigration'
  | 'cancelMigration'
  | 'migrationTarget'
  | 'startMigration'
  | 'stopMigration'
  | 'on'
>;

/** The organization of this computer that leaves, and one that comes, as the window sees them. */
export class Migrations {
  readonly #bridge: MigrationCalls;
  #out = $state.raw<MigrationSourceStatus>({ phase: 'none' });
  #into = $state.raw<MigrationTargetStatus>({ phase: 'none' });
  /** It left while this window was open. */
  #hasSeenLeaving = $state(false);

  constructor(bridge: MigrationCalls) {
    this.#bridge = bridge;
    bridge.on('migrationSourceChanged', (status) => this.#takeOut(status));
    bridge.on('migrationTargetChanged', (status) => (this.#into = status));
  }

  get out(): MigrationSourceStatus {
    return this.#out;
  }

  get into(): MigrationTargetStatus {
    return this.#into;
  }

  get hasSeenLeaving(): boolean {
    return this.#hasSeenLeaving;
  }

  /** What is under way already. */
  async look(): Promise<void> {
    await this.#outAfter(() => this.#bridge.migrationSource());
  }

  async lookInto(): Promise<void> {
    const outcome = await settled(() => this.#bridge.migrationTarget());
    if (outcome.ok) this.#into = outcome.value;
  }

  readonly offer = (): Promise<Outcome<MigrationSourceStatus>> =>
    this.#outAfter(() => this.#bridge.createTransferCode());

  readonly confirm = (number: string): Promise<Outcome<MigrationSourceStatus>> =>
    this.#outAfter(() => this.#bridge.confirmMigration(number));

  readonly callOff = (): Promise<Outcome<MigrationSourceStatus>> =>
    this.#outAfter(() => this.#bridge.cancelMigration());

  readonly begin = (request: MigrationTargetRequest): Promise<Outcome<HostingStatus>> =>
    settled(() => this.#bridge.startMigration(request));

  readonly stop = (): void => void settled(() => this.#bridge.stopMigration());

  async #outAfter(
    call: () => Promise<Outcome<MigrationSourceStatus>>,
  ): Promise<Outcome<MigrationSourceStatus>> {
    const outcome = await settled(call);
    if (outcome.ok) this.#takeOut(outcome.value);
    return outcome;
  }

  #takeOut(status: MigrationSourceStatus): void {
    this.#out = status;
    if (status.phase === 'asked' || status.phase === 'moving') this.#hasSeenLeaving = true;
  }
}
