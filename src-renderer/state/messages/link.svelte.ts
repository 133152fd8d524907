import type { Connection } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';

/** How fresh what is shown is. */
export class Link {
  readonly #bridge: Pick<Bridge, 'connection' | 'on'>;
  readonly #accountId: string;
  #connection = $state.raw<Connection>({ state: 'connecting' });
  #hasHeard = false;
  readonly stop: () => void;

  constructor(bridge: Pick<Bridge, 'connection' | 'on'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.stop = bridge.on('connectionChanged', (change) => {
      if (change.accountId !== accountId) return;
      this.#hasHeard = true;
      this.#connection = change.connection;
    });
  }

  async load(): Promise<void> {
    const outcome = await this.#bridge.connection(this.#accountId);
    if (outcome.ok && !this.#hasHeard) this.#connection = outcome.value;
  }

  get connection(): Connection {
    return this.#connection;
  }
}
