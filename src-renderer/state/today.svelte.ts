const nextMidnight = (nowMs: number): number => {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
};

/** The current day, for "Today" and "Yesterday" in a window that stays open overnight. */
export class Today {
  #nowMs = $state(Date.now());
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#wait();
  }

  /** Some moment of today, in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  readonly stop = (): void => clearTimeout(this.#timer);

  #wait(): void {
    this.#timer = setTimeout(
      () => {
        this.#nowMs = Date.now();
        this.#wait();
      },
      nextMidnight(Date.now()) - Date.now() + 1000,
    );
  }
}
