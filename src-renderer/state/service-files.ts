import type { Bridge } from '../../src-preload/bridge.ts';
import { fileNameOf } from './links.ts';

/** Pictures that nothing shows any more are kept up to this number, for whoever scrolls back. */
const IDLE_FILES = 150;

/** A picture that can be shown: addresses of bytes that this page holds. */
export interface LoadedImage {
  readonly url: string;
  /** The first moment of a picture that moves; the same as `url` of one that does not. */
  readonly stillUrl: string;
  readonly isAnimated: boolean;
}

/** Somebody's hold on a picture. */
export interface ImageHold {
  /** Null where it cannot be had: then there is a name, or initials, to show. */
  readonly image: Promise<LoadedImage | null>;
  readonly release: () => void;
}

interface Kept {
  readonly image: Promise<LoadedImage | null>;
  users: number;
}

/**
 * Files of the service as the page can show them. Nothing is fetched by the page itself: the bytes come through the
 * bridge, which asks this account's service and no other.
 */
export class ServiceFiles {
  readonly #bridge: Pick<Bridge, 'file'>;
  readonly #accountId: string;
  readonly #address: string;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(
    bridge: Pick<Bridge, 'file'>,
    account: { readonly id: string; readonly address: string },
  ) {
    this.#bridge = bridge;
    this.#accountId = account.id;
    this.#address = account.address;
  }

  /** @param url  relative to the service, or absolute: one that leads elsewhere is never fetched */
  hold(url: string): ImageHold {
    const path = this.#pathOf(url);
    if (path === null) return { image: Promise.resolve(null), release: () => undefined };
    const kept = this.#kept.get(path) ?? { image: this.#load(path), users: 0 };
    this.#kept.delete(path);
    this.#kept.set(path, kept);
    kept.users += 1;
    let isHeld = true;
    return {
      image: kept.image,
      release: () => {
        if (isHeld) kept.users -= 1;
        isHeld = false;
        this.#sweep();
      },
    };
  }

  /** Hands a file to the person, who chooses where it goes. @returns why that did not work, or null */
  async save(url: string): Promise<string | null> {
    const path = this.#pathOf(url);
    if (path === null) return '';
    const outcome = await this.#bridge.file(this.#accountId, path);
    if (!outcome.ok) return outcome.failure.message;
    const { bytes } = outcome.value;
    // As plain bytes, so that the browser keeps it and opens nothing.
    const blobUrl = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = blobUrl;
    link.download = fileNameOf(path);
    link.click();
    // The browser needs the bytes until it has begun to write them.
    setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
    return null;
  }

  readonly stop = (): void => {
    for (const kept of this.#kept.values()) void forget(kept);
    this.#kept.clear();
  };

  #pathOf(url: string): string | null {
    if (url.startsWith(`${this.#address}/`)) return url.slice(this.#address.length);
    return /^\/(?![/\\])/.test(url) ? url : null;
  }

  async #load(path: string): Promise<LoadedImage | null> {
    try {
      const outcome = await this.#bridge.file(this.#accountId, path);
      if (outcome.ok && outcome.value.type.startsWith('image/')) {
        const { type, bytes } = outcome.value;
        return await showable(new Blob([bytes], { type }), bytes);
      }
    } catch {
      // A rejection is a bug on the other side, which logs it; what was to be shown has a name.
    }
    // Asked again next time: the connection may be back by then.
    this.#kept.delete(path);
    return null;
  }

  #sweep(): void {
    let surplus = this.#kept.size - IDLE_FILES;
    for (const [path, kept] of this.#kept) {
      if (surplus <= 0) return;
      if (kept.users > 0) continue;
      this.#kept.delete(path);
      void forget(kept);
      surplus -= 1;
    }
  }
}

async function forget({ image }: Kept): Promise<void> {
  const loaded = await image;
  if (loaded === null) return;
  URL.revokeObjectURL(loaded.url);
  if (loaded.stillUrl !== loaded.url) URL.revokeObjectURL(loaded.stillUrl);
}

async function showable(blob: Blob, bytes: Uint8Array<ArrayBuffer>): Promise<LoadedImage> {
  const url = URL.createObjectURL(blob);
  const isAnimated = await moves(blob.type, bytes);
  const stillUrl = isAnimated ? await firstMoment(blob) : null;
  return { url, stillUrl: stillUrl ?? url, isAnimated: stillUrl !== null };
}

async function moves(type: string, data: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (!['image/gif', 'image/webp', 'image/png', 'image/apng', 'image/avif'].includes(type)) {
    return false;
  }
  // Not every page may use it: over plain HTTP only those of this computer do.
  if (!('ImageDecoder' in window)) return type === 'image/gif';
  const decoder = new ImageDecoder({ data, type });
  try {
    await decoder.tracks.ready;
    return decoder.tracks.selectedTrack?.animated === true;
  } catch {
    return false;
  } finally {
    decoder.close();
  }
}

async function firstMoment(blob: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(blob);
    const canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    const still = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    return still === null ? null : URL.createObjectURL(still);
  } catch {
    // What cannot be decoded is not shown moving either: the image element says so itself.
    return null;
  }
}
