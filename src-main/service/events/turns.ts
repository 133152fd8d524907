const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Long pieces of work one at a time, each in a turn of the event loop by itself: whoever else asks is answered in between. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(turn).then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
