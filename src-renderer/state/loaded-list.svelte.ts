import type { Outcome } from '#shared/bridge/outcome.ts';
import { settingsWords } from '../i18n/settings/settings.ts';

/** A list that no event tells of: it is asked for, and asked for anew after every change. */
export class LoadedList<T> {
  readonly #ask: () => Promise<Outcome<readonly T[]>>;
  #items = $state.raw<readonly T[] | null>(null);
  #failure = $state('');
  #run = 0;

  constructor(ask: () => Promise<Outcome<readonly T[]>>) {
    this.#ask = ask;
  }

  /** Null until they are here. */
  get items(): readonly T[] | null {
    return this.#items;
  }

  /** Why they are not here, or the last change was not made; empty otherwise. */
  get failure(): string {
    return this.#failure;
  }

  async load(): Promise<void> {
    const run = (this.#run += 1);
    const outcome = await this.#ask();
    // A later change asked again.
    if (run !== this.#run) return;
    this.#failure = outcome.ok ? '' : settingsWords.loadFailed(outcome.failure.message);
    if (outcome.ok) this.#items = outcome.value;
  }

  async change(make: () => Promise<Outcome<unknown>>): Promise<void> {
    const outcome = await make();
    this.#failure = outcome.ok ? '' : outcome.failure.message;
    if (outcome.ok) await this.load();
  }
}
