import type { Account } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';
import { linkNow } from './links/links.ts';
import type { LoadedImage } from './showable.ts';

/** Pictures that nothing shows any more are kept up to this number, for whoever scrolls back. */
const IDLE_FILES = 150;

type ServiceAccount = Pick<Account, 'id' | 'address' | 'addresses'>;

/** Loaded with the first picture. */
export const loadShowable = async () => (await import('./showable.ts')).showable;

/** Somebody's hold on a picture. */
export interface ImageLease {
  /** Null where it cannot be had, or is too large to be shown: then there is a name, or initials, to show. */
  readonly image: Promise<LoadedImage | null>;
  readonly release: () => void;
}

interface CachedFile {
  readonly image: Promise<LoadedImage | null>;
  users: number;
}

/**
 * Files of the service as the page can show them. Nothing is fetched by the page itself: the bytes come through the
 * bridge, which asks this account's service and no other.
 */
export class ServiceFiles {
  readonly #bridge: Pick<Bridge, 'file'>;
  /** Its address may change meanwhile. */
  readonly #account: ServiceAccount;
  /** In the order of their last use. */
  readonly #kept = new Map<string, CachedFile>();

  constructor(bridge: Pick<Bridge, 'file'>, account: ServiceAccount) {
    this.#bridge = bridge;
    this.#account = account;
  }

  /** @param url  relative to the service, or absolute: one that leads elsewhere is never fetched */
  hold(url: string): ImageLease {
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

  readonly stop = (): void => {
    for (const kept of this.#kept.values()) void forget(kept);
    this.#kept.clear();
  };

  #pathOf(url: string): string | null {
    const { address } = this.#account;
    const now = linkNow(url, this.#account);
    if (now.startsWith(`${address}/`)) return now.slice(address.length);
    return /^\/(?![/\\])/.test(now) ? now : null;
  }

  async #load(path: string): Promise<LoadedImage | null> {
    try {
      const outcome = await this.#bridge.file(this.#account.id, path);
      if (outcome.ok && outcome.value.type.startsWith('image/')) {
        const { type, bytes } = outcome.value;
        const showable = await loadShowable();
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

async function forget({ image }: CachedFile): Promise<void> {
  const loaded = await image;
  if (loaded === null) return;
  URL.revokeObjectURL(loaded.url);
  if (loaded.stillUrl !== loaded.url) URL.revokeObjectURL(loaded.stillUrl);
}
