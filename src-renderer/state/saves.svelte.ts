import type { Account } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';
import { fileNameOf, linkNow } from '../lib/links/links.ts';
import { nextPageId } from '../lib/page-id.ts';
import { settled } from './calls.ts';

/** A file on its way to a disk. */
export interface Save {
  readonly id: string;
  readonly name: string;
  /** 0 to 1 */
  readonly share: number;
}

/** Files of the service that the person saves. */
export class Saves {
  readonly #bridge: Pick<Bridge, 'saveFile' | 'cancelSave' | 'on'>;
  readonly #account: Pick<Account, 'id' | 'address' | 'addresses'>;
  #all = $state.raw<readonly Save[]>([]);
  readonly stop: () => void;

  constructor(
    bridge: Pick<Bridge, 'saveFile' | 'cancelSave' | 'on'>,
    account: Pick<Account, 'id' | 'address' | 'addresses'>,
  ) {
    this.#bridge = bridge;
    this.#account = account;
    this.stop = bridge.on('saveProgress', ({ saveId, share }) => {
      this.#all = this.#all.map((each) => (each.id === saveId ? { ...each, share } : each));
    });
  }

  /** Those that are under way by now; who is still asked for a place sees that. */
  get running(): readonly Save[] {
    return this.#all.filter(({ share }) => share > 0 && share < 1);
  }

  /** The person chooses where it goes. @returns why that did not work, or null */
  async save(url: string): Promise<string | null> {
    const id = nextPageId();
    const now = linkNow(url, this.#account);
    const name = fileNameOf(now);
    this.#all = [...this.#all, { id, name, share: 0 }];
    const outcome = await settled(() =>
      this.#bridge.saveFile(this.#account.id, { saveId: id, url: now, name }),
    );
    this.#all = this.#all.filter((each) => each.id !== id);
    return outcome.ok ? null : outcome.failure.message;
  }

  cancel(id: string): void {
    void this.#bridge.cancelSave(id);
  }
}
