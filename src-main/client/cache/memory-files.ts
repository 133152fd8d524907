const MAX_BYTES = 32 * 1024 * 1024;

interface File {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Files by their addresses: those that were used last, as many as there is room for. */
export class MemoryFiles {
  /** The ones that were used last stand last. */
  readonly #files = new Map<string, File>();

  find(url: string): File | null {
    const file = this.#files.get(url);
    if (file === undefined) return null;
    this.#files.delete(url);
    this.#files.set(url, file);
    return file;
  }

  put(url: string, added: File): void {
    this.#files.delete(url);
    this.#files.set(url, added);
    let total = 0;
    for (const file of this.#files.values()) total += file.bytes.length;
    for (const [oldest, file] of this.#files) {
      if (total <= MAX_BYTES) break;
      this.#files.delete(oldest);
      total -= file.bytes.length;
    }
  }

  clear(): void {
    this.#files.clear();
  }
}
