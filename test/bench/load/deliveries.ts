/** Which of the numbered messages have arrived at which client: each has to, once. */
export class Deliveries {
  readonly #bytesOfClient: number;
  readonly #seen: Uint8Array;
  #arrived = 0;
  #doubled = 0;

  constructor(clients: number, messages: number) {
    this.#bytesOfClient = Math.ceil(messages / 8);
    this.#seen = new Uint8Array(clients * this.#bytesOfClient);
  }

  /** Different messages, summed over the clients. */
  get arrived(): number {
    return this.#arrived;
  }

  get doubled(): number {
    return this.#doubled;
  }

  /** Answers whether it is there for the first time. */
  note(client: number, message: number): boolean {
    const at = client * this.#bytesOfClient + (message >>> 3);
    const bit = 1 << (message & 7);
    const before = this.#seen[at] ?? 0;
    if ((before & bit) !== 0) {
      this.#doubled += 1;
      return false;
    }
    this.#seen[at] = before | bit;
    this.#arrived += 1;
    return true;
  }
}
