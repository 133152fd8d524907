export interface ViewedImage {
  /** Relative to the service. */
  readonly url: string;
  readonly name: string;
  readonly messageId: number;
}

/** The picture that is shown large, and those of the list that stand before and after it. */
export class Viewer {
  #images = $state.raw<readonly ViewedImage[]>([]);
  #at = $state(0);

  /** Null while the viewer is closed. */
  get image(): ViewedImage | null {
    return this.#images[this.#at] ?? null;
  }

  get count(): number {
    return this.#images.length;
  }

  /** Of `count`, from 1. */
  get position(): number {
    return this.#at + 1;
  }

  /** @param among  all pictures to go through, in order; without them it is this one alone */
  open(image: ViewedImage, among: readonly ViewedImage[] = [image]): void {
    const at = among.findIndex(
      ({ url, messageId }) => url === image.url && messageId === image.messageId,
    );
    this.#images = at === -1 ? [image] : among;
    this.#at = Math.max(at, 0);
  }

  step(by: number): void {
    this.#at = Math.min(Math.max(this.#at + by, 0), this.#images.length - 1);
  }

  close(): void {
    this.#images = [];
    this.#at = 0;
  }
}
