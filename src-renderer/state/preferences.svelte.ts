const SINGLE_KEYS = 'hearth.single-keys';

/** A page without an origin of its own has no storage, and asking for it throws: then a choice lasts as long as the window. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Choices about this window alone, kept by the browser engine. */
export class Preferences {
  #hasSingleKeys = $state(storage()?.getItem(SINGLE_KEYS) !== 'off');

  /** Keys without Ctrl or Alt act outside of text fields. */
  get hasSingleKeys(): boolean {
    return this.#hasSingleKeys;
  }

  setSingleKeys(isOn: boolean): void {
    this.#hasSingleKeys = isOn;
    storage()?.setItem(SINGLE_KEYS, isOn ? 'on' : 'off');
  }
}
