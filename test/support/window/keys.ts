import { keyboardOf } from '#shared/bridge/keys/key-choices.ts';
import type { ActionId, KeyContext } from '#shared/bridge/keys/keys.ts';

interface Key<Id> {
  readonly id: Id;
  readonly chord: string;
}

/** The keys of one place as they are until somebody changes them, one row each. */
export function keysOf<Id extends ActionId>(context: KeyContext): readonly Key<Id>[] {
  return keyboardOf({}, false)
    .filter((action) => action.context === context)
    .flatMap(({ id, fixed, chosen }) =>
      [...fixed, ...chosen].map((chord) => ({ id: id as Id, chord })),
    );
}

/** How chords are pressed in a browser that a test drives. */
const names: Readonly<Record<string, string>> = { Ctrl: 'Control', '1…9': '1', '.': 'Period' };

export function pressed(chord: string): string {
  const parts = chord === '+' ? [chord] : chord.split('+');
  const hasShift = parts.includes('Shift');
  return parts
    .map((part) => {
      if (/^[A-Z]$/.test(part)) return hasShift ? part : part.toLowerCase();
      return names[part] ?? part;
    })
    .join('+');
}
