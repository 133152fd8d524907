import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import type {
  Preferences as Choices,
  PreferencesPatch,
} from '#shared/bridge/models/preferences.ts';
import { keyboardOf, type Keyboard } from '#shared/bridge/keys/key-choices.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { isMac } from '#renderer/lib/keys.ts';

type Calls = Pick<Bridge, 'preferences' | 'setPreferences' | 'on'>;

/** Choices that belong to this computer, and how the page looks by them. */
export class Preferences {
  readonly #bridge: Calls;
  #choices = $state.raw<Choices>(defaultPreferences);
  readonly #keyboard = $derived(keyboardOf(this.#choices.keys, isMac));
  readonly stop: () => void;

  constructor(bridge: Calls) {
    this.#bridge = bridge;
    this.stop = bridge.on('preferencesChanged', (choices) => this.#take(choices));
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** Keys without Ctrl or Alt act outside of text fields. */
  get hasSingleKeys(): boolean {
    return this.#choices.singleKeys;
  }

  /** What keys do, by the choices of the person. */
  get keyboard(): Keyboard {
    return this.#keyboard;
  }

  /** Settles when the choices are known, or cannot be: then the defaults hold. */
  async load(): Promise<void> {
    try {
      const outcome = await this.#bridge.preferences();
      if (outcome.ok) this.#take(outcome.value);
    } catch {
      // A rejection is a bug on the other side, which logs it; the page works with the defaults.
    }
  }

  /** A failure says in its sentence why nothing was changed. */
  async change(patch: PreferencesPatch): Promise<Outcome<Choices>> {
    const outcome = await this.#bridge.setPreferences(patch);
    if (outcome.ok) this.#take(outcome.value);
    return outcome;
  }

  setSingleKeys(isOn: boolean): void {
    void this.change({ singleKeys: isOn });
  }

  #take(choices: Choices): void {
    this.#choices = choices;
    apply(choices, document.documentElement);
  }
}

/** The root carries them, so that style sheets can follow: `color-scheme`, `data-density` and the size of a rem. */
function apply({ theme, fontSize, density }: Choices, root: HTMLElement): void {
  root.style.colorScheme = theme === 'system' ? '' : theme;
  // Relative, so that the size which a person chose in the browser still counts.
  root.style.fontSize =
    fontSize === defaultPreferences.fontSize
      ? ''
      : `${(fontSize / defaultPreferences.fontSize) * 100}%`;
  root.dataset['density'] = density;
}
