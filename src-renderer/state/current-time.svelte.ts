import type { OrganizationState } from './organization.svelte.ts';

const STEP_MS = 30_000;

/** The time as far as people read it: for who is here, how long ago something was, and what day it is. */
export class Minutes {
  readonly #organization: Pick<OrganizationState, 'serviceSeconds'>;
  #localSeconds = $state(Math.floor(Date.now() / 1000));
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #look = (): void => {
    this.#localSeconds = Math.floor(Date.now() / 1000);
  };

  constructor(organization: Pick<OrganizationState, 'serviceSeconds'>) {
    this.#organization = organization;
    this.#timer = setInterval(this.#look, STEP_MS);
    // Whoever comes back finds the time of now, however long the timer was held up.
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('focus', this.#look);
  }

  /** By the clock of the service, which dates all that comes from it; at most half a minute old. */
  get nowSeconds(): number {
    return this.#organization.serviceSeconds(this.#localSeconds);
  }

  /** By the clock of this computer, for what is dated here. */
  get localSeconds(): number {
    return this.#localSeconds;
  }

  readonly stop = (): void => {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('focus', this.#look);
  };
}
