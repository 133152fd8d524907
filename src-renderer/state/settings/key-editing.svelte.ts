import { acceleratorOf, chordOfAccelerator } from '#shared/bridge/keys/accelerators.ts';
import { chordOf, isSingleKey, type Stroke } from '#shared/bridge/keys/chords.ts';
import {
  asDigits,
  conflictsOf,
  refusalOf,
  withKeys,
  type BoundAction,
  type Conflict,
} from '#shared/bridge/keys/key-choices.ts';
import type { PreferencesPatch } from '#shared/bridge/models/preferences.ts';
import { chordText, hasControl, isMac, type ActionId } from '#renderer/lib/keys.ts';
import { keysPageWords as text, keyWords } from '#renderer/i18n/keys.ts';
import { settled } from '../calls.ts';
import type { Preferences } from './preferences.svelte.ts';

/** An action of the table, or what acts from other programs. */
export type KeyTarget = ActionId | 'outside';

export const targetName = (target: KeyTarget): string =>
  target === 'outside' ? text.outsideName : keyWords[target];

interface Open {
  readonly target: KeyTarget;
  /** Which one of its keys is changed. */
  readonly slot: number;
}

interface Proposal {
  readonly wanted: readonly string[];
  readonly losers: readonly ActionId[];
}

const holders =
  /^(Control|Shift|Alt|AltGraph|Meta|OS|CapsLock|NumLock|ScrollLock|Fn|FnLock|Hyper|Super)$/;
const isHolder = (key: string): boolean => holders.test(key);
const nameOf = ({ id }: Conflict): string => keyWords[id];

const heldText = (stroke: Stroke): string => {
  const held = [
    hasControl(stroke) ? 'Ctrl' : '',
    stroke.altKey ? 'Alt' : '',
    stroke.shiftKey ? 'Shift' : '',
  ].filter((each) => each !== '');
  return held.length === 0 ? '' : `${chordText(held.join('+'))}+…`;
};

/** The change of one key at a time, from the press of "Change" until it is kept or given up. */
export class KeyEditing {
  readonly #preferences: Preferences;
  #open = $state.raw<Open | null>(null);
  #shown = $state('');
  #problem = $state('');
  #proposal = $state.raw<Proposal | null>(null);
  #status = $state('');

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
  }

  /** The content of the field: what is held, or was pressed. */
  get shown(): string {
    return this.#shown;
  }

  /** Why what was pressed does not hold yet; empty where nothing is wrong. */
  get problem(): string {
    return this.#problem;
  }

  /** What was pressed has to be taken from other actions first. */
  get isConflict(): boolean {
    return this.#proposal !== null;
  }

  /** What happened last, for a live region. */
  get status(): string {
    return this.#status;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Which of the keys of an action is being changed; undefined for none. */
  slotOf(target: KeyTarget): number | undefined {
    return this.#open?.target === target ? this.#open.slot : undefined;
  }

  chosenOf(target: KeyTarget): readonly string[] {
    if (target !== 'outside') return this.#action(target)?.chosen ?? [];
    const { globalShortcut } = this.#preferences.choices;
    return globalShortcut === null ? [] : [chordOfAccelerator(globalShortcut)];
  }

  begin(target: KeyTarget, slot: number): void {
    this.#clear();
    this.#open = { target, slot };
  }

  cancel(): void {
    this.#clear();
    this.#open = null;
  }

  /** @returns whether the key is used up; otherwise it does what it does everywhere */
  press(stroke: Stroke): boolean {
    if (this.#open === null || stroke.key === 'Process') return false;
    if (stroke.key === 'Tab' && !hasControl(stroke) && !stroke.altKey) return false;
    this.#proposal = null;
    this.#problem = '';
    this.#shown = heldText(stroke);
    if (isHolder(stroke.key)) return true;
    if (chordOf(stroke) === 'Escape') this.cancel();
    else this.#try(stroke, this.#open);
    return true;
  }

  /** A key that was only held was meant alone where nothing was pressed meanwhile. */
  release(stroke: Stroke): void {
    if (!this.#shown.endsWith('…')) return;
    this.#shown = heldText(stroke);
    if (this.#shown === '') this.#problem = text.modifier;
  }

  async takeOver(): Promise<void> {
    if (this.#open === null || this.#proposal === null) return;
    await this.#save(this.#open.target, this.#proposal.wanted, this.#proposal.losers);
  }

  /** The action has one key less. */
  async remove(): Promise<void> {
    if (this.#open === null) return;
    const { target, slot } = this.#open;
    await this.#save(target, this.chosenOf(target).toSpliced(slot, 1), []);
  }

  /** @returns whether it is done; otherwise somebody else has one of its keys by now */
  async reset(id: ActionId): Promise<boolean> {
    this.cancel();
    return this.#propose(id, this.#action(id)?.defaults ?? []);
  }

  async resetAll(): ReturnType<Preferences['change']> {
    this.cancel();
    const outcome = await settled(() => this.#preferences.change({ keys: {} }));
    if (outcome.ok) this.#status = text.allReset;
    return outcome;
  }

  #action(id: ActionId): BoundAction | undefined {
    return this.#preferences.keyboard.find((each) => each.id === id);
  }

  #clear(): void {
    this.#shown = '';
    this.#problem = '';
    this.#proposal = null;
    this.#status = '';
  }

  #try(stroke: Stroke, { target, slot }: Open): void {
    const pressed = chordOf(stroke);
    const chord = pressed !== null && target === 'organization' ? asDigits(pressed) : pressed;
    this.#shown = chord === null ? '' : chordText(chord);
    if (chord === null) {
      this.#problem = text.unknown;
      return;
    }
    const action = target === 'outside' ? null : (this.#action(target) ?? null);
    // Elsewhere the key with the window on it opens menus of the system.
    const refusal = !isMac && stroke.metaKey ? 'system' : refusalOf(action, chord, isMac);
    if (refusal !== null) {
      this.#problem = text.refusals[refusal](chordText(chord));
      return;
    }
    const others = this.chosenOf(target).filter((each) => each !== chord);
    const isThere = others.length < this.chosenOf(target).length;
    const wanted = isThere ? this.chosenOf(target) : others.toSpliced(slot, 1, chord);
    void this.#propose(target, wanted, chord);
  }

  async #propose(target: KeyTarget, wanted: readonly string[], chord?: string): Promise<boolean> {
    const id = target === 'outside' ? null : target;
    const conflicts = conflictsOf(
      this.#preferences.keyboard,
      id,
      chord === undefined ? wanted : [chord],
    );
    const fixed = conflicts.filter(({ isFixed }) => isFixed);
    const keys = (chord === undefined ? wanted : [chord]).map(chordText).join(', ');
    if (fixed.length > 0) {
      this.#problem = text.fixed(keys, fixed.map(nameOf));
      return false;
    }
    if (conflicts.length === 0) return this.#save(target, wanted, []);
    this.#open ??= { target, slot: 0 };
    this.#shown = keys;
    this.#proposal = { wanted, losers: conflicts.map((conflict) => conflict.id) };
    this.#problem = text.conflict(keys, conflicts.map(nameOf));
    return false;
  }

  async #save(
    target: KeyTarget,
    wanted: readonly string[],
    losers: readonly ActionId[],
  ): Promise<boolean> {
    const opened = this.#open;
    const outcome = await settled(() =>
      this.#preferences.change(this.#patch(target, wanted, losers)),
    );
    if (this.#open !== opened) return outcome.ok;
    if (!outcome.ok) {
      this.#open ??= { target, slot: 0 };
      this.#problem = outcome.failure.message;
      return false;
    }
    this.cancel();
    const isAnywhere = target !== 'outside' && this.#action(target)?.context === 'anywhere';
    const isOff = isAnywhere && !this.#preferences.hasSingleKeys && wanted.some(isSingleKey);
    this.#status = [
      text.saved(targetName(target), wanted.map(chordText)),
      losers.length === 0 ? '' : text.lost(losers.map((id) => keyWords[id])),
      isOff ? text.isOff : '',
    ].join(' ');
    return true;
  }

  #patch(
    target: KeyTarget,
    wanted: readonly string[],
    losers: readonly ActionId[],
  ): PreferencesPatch {
    const { keys } = this.#preferences.choices;
    if (target !== 'outside') return { keys: withKeys(keys, isMac, target, wanted) };
    const [chord] = wanted;
    const globalShortcut = chord === undefined ? null : (acceleratorOf(chord) ?? chord);
    if (losers.length === 0) return { globalShortcut };
    return { globalShortcut, keys: withKeys(keys, isMac, null, wanted) };
  }
}
