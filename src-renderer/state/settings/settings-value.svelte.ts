import { untrack } from 'svelte';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { settled } from '../calls.ts';

export type Save<T> = (value: T) => Promise<Outcome<unknown>>;

const SAVED_SHOWN_MS = 3000;

/**
 * One setting that is saved as soon as it is changed. What was chosen is shown at once; when it cannot be saved, what
 * holds is shown again with the reason. Made while a component is.
 */
export class SettingValue<T> {
  readonly #held: () => T;
  readonly #save: (value: T) => Promise<Outcome<unknown>>;
  #chosen = $state.raw<{ readonly value: T } | null>(null);
  #state = $state<'none' | 'busy' | 'saved' | 'failed'>('none');
  #failure = $state('');
  #known: T;
  #run = 0;
  /** One call at a time, so that the last choice is also the last to arrive. */
  #calls: Promise<unknown> = Promise.resolve();

  /** @param held  what holds, as the owner of the setting says */
  constructor(held: () => T, save: Save<T>) {
    this.#held = held;
    this.#save = save;
    this.#known = untrack(held);
    $effect(() => {
      const now = held();
      untrack(() => this.#follow(now));
    });
  }

  get value(): T {
    return this.#chosen === null ? this.#held() : this.#chosen.value;
  }

  get isSaved(): boolean {
    return this.#state === 'saved';
  }

  /** Why the last change was not saved; empty otherwise. */
  get failure(): string {
    return this.#failure;
  }

  async set(value: T): Promise<boolean> {
    const run = (this.#run += 1);
    this.#chosen = { value };
    this.#state = 'busy';
    this.#failure = '';
    const call = this.#calls.then(() =>
      run === this.#run ? settled(() => this.#save(value)) : null,
    );
    this.#calls = call;
    const outcome = await call;
    if (run !== this.#run || outcome === null) return outcome?.ok === true;
    this.#known = this.#held();
    if (outcome.ok) this.#showSaved(run);
    else {
      this.#chosen = null;
      this.#state = 'failed';
      this.#failure = outcome.failure.message;
    }
    return outcome.ok;
  }

  /** What was refused is given up: its reason is of no interest any more. */
  dismiss(): void {
    this.#failure = '';
    if (this.#state === 'failed') this.#state = 'none';
  }

  #showSaved(run: number): void {
    this.#state = 'saved';
    setTimeout(() => {
      if (run === this.#run) this.#state = 'none';
    }, SAVED_SHOWN_MS);
  }

  /** Somebody changed it elsewhere, or the change that was made here has arrived. */
  #follow(now: T): void {
    if (this.#state === 'busy' || now === this.#known) return;
    this.#known = now;
    this.#chosen = null;
  }
}
