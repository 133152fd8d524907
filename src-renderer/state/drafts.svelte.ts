/** What is being written in one place. */
export interface DraftText {
  /** Null while nobody has touched it: then it is that of the view. */
  readonly topic: string | null;
  readonly content: string;
}

const none: DraftText = { topic: null, content: '' };

/** Unsent text by view key. It outlives a change of view, not the window. */
export class Drafts {
  #texts = $state.raw<ReadonlyMap<string, DraftText>>(new Map());

  of(key: string): DraftText {
    return this.#texts.get(key) ?? none;
  }

  has(key: string): boolean {
    return this.of(key).content.trim() !== '';
  }

  write(key: string, change: Partial<DraftText>): void {
    this.#texts = new Map(this.#texts).set(key, { ...this.of(key), ...change });
  }
}
