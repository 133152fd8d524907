import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { MoveInRequest, MoveInStatus, MoveOutStatus } from '#shared/bridge/models/moving.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';

export type MoveCalls = Pick<
  Bridge,
  | 'moveOut'
  | 'offerMove'
  | 'confirmMove'
  | 'callOffMove'
  | 'moveIn'
  | 'beginMoveIn'
  | 'stopMoveIn'
  | 'on'
>;

/** The organization of this computer that leaves, and one that comes, as the window sees them. */
export class Moves {
  readonly #bridge: MoveCalls;
  #out = $state.raw<MoveOutStatus>({ phase: 'none' });
  #into = $state.raw<MoveInStatus>({ phase: 'none' });
  /** It left while this window was open. */
  #hasSeenLeaving = $state(false);

  constructor(bridge: MoveCalls) {
    this.#bridge = bridge;
    bridge.on('moveOutChanged', (status) => this.#takeOut(status));
    bridge.on('moveInChanged', (status) => (this.#into = status));
  }

  get out(): MoveOutStatus {
    return this.#out;
  }

  get into(): MoveInStatus {
    return this.#into;
  }

  get hasSeenLeaving(): boolean {
    return this.#hasSeenLeaving;
  }

  /** What is under way already. */
  async look(): Promise<void> {
    await this.#outAfter(() => this.#bridge.moveOut());
  }

  async lookInto(): Promise<void> {
    const outcome = await settled(() => this.#bridge.moveIn());
    if (outcome.ok) this.#into = outcome.value;
  }

  readonly offer = (): Promise<Outcome<MoveOutStatus>> =>
    this.#outAfter(() => this.#bridge.offerMove());

  readonly confirm = (number: string): Promise<Outcome<MoveOutStatus>> =>
    this.#outAfter(() => this.#bridge.confirmMove(number));

  readonly callOff = (): Promise<Outcome<MoveOutStatus>> =>
    this.#outAfter(() => this.#bridge.callOffMove());

  readonly begin = (request: MoveInRequest): Promise<Outcome<HostingStatus>> =>
    settled(() => this.#bridge.beginMoveIn(request));

  readonly stop = (): void => void settled(() => this.#bridge.stopMoveIn());

  async #outAfter(call: () => Promise<Outcome<MoveOutStatus>>): Promise<Outcome<MoveOutStatus>> {
    const outcome = await settled(call);
    if (outcome.ok) this.#takeOut(outcome.value);
    return outcome;
  }

  #takeOut(status: MoveOutStatus): void {
    this.#out = status;
    if (status.phase === 'asked' || status.phase === 'moving') this.#hasSeenLeaving = true;
  }
}
