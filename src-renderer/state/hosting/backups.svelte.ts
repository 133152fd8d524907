import type { BackupsStatus } from '#shared/bridge/models/backups.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';

type Calls = Pick<Bridge, 'backups' | 'on'>;

/** Backups of the organization that this computer hosts, as long as something shows them. */
export class Backups {
  readonly #bridge: Calls;
  #status = $state.raw<BackupsStatus | null>(null);
  #failure = $state('');

  constructor(bridge: Calls) {
    this.#bridge = bridge;
  }

  get status(): BackupsStatus | null {
    return this.#status;
  }

  /** Why nothing is known of them. */
  get failure(): string {
    return this.#failure;
  }

  /** @returns ends it */
  readonly follow = (): (() => void) => {
    const stop = this.#bridge.on('backupsChanged', (status) => (this.#status = status));
    void this.#load();
    return stop;
  };

  /** What a call has answered holds from then on. */
  readonly take = async (
    call: () => Promise<Outcome<BackupsStatus>>,
  ): Promise<Outcome<BackupsStatus>> => {
    const outcome = await settled(call);
    if (outcome.ok) this.#status = outcome.value;
    return outcome;
  };

  async #load(): Promise<void> {
    const outcome = await settled(() => this.#bridge.backups());
    if (outcome.ok) this.#status ??= outcome.value;
    else this.#failure = outcome.failure.message;
  }
}
