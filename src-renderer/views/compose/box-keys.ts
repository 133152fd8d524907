import type { Keyboard } from '#shared/bridge/keys/key-choices.ts';
import { composeShortcutOf, hasControl } from '#renderer/lib/keys.ts';
import type { FormatName } from './handles.ts';

/** The formatting that a key means; null where it means none. */
export function formatOfKey(keyboard: Keyboard, event: KeyboardEvent): FormatName | null {
  const id = composeShortcutOf(keyboard, event);
  return id === 'bold' || id === 'italic' || id === 'link' ? id : null;
}

/**
 * Whether Enter sends here.
 * @param isInFence  in a block of code that nothing has closed, a line follows
 */
export function isSendKey(
  event: KeyboardEvent,
  sendKey: 'enter' | 'ctrl-enter',
  isInFence: () => boolean,
): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false;
  if (hasControl(event)) return true;
  if (event.shiftKey || event.altKey || sendKey === 'ctrl-enter') return false;
  return !isInFence();
}
