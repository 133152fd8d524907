const STEP_MS = 30_000;

/** The time as far as people read it: for who is here, and how long ago something was. */
export class Minutes {
  #nowSeconds = $state(Math.floor(Date.now() / 1000));
  readonly #timer = setInterval(() => {
    this.#nowSeconds = Math.floor(Date.now() / 1000);
  }, STEP_MS);

  /** At most half a minute old. */
  get nowSeconds(): number {
    return this.#nowSeconds;
  }

  readonly stop = (): void => clearInterval(this.#timer);
}
