import { hasControl } from '../../keys.ts';
import type { FormatName } from './handles.ts';

/** By the place of the key: with Alt held, some systems write another letter with it. */
export const isPreviewKey = (event: KeyboardEvent): boolean =>
  event.altKey && !hasControl(event) && !event.shiftKey && event.code === 'KeyP';

/** The formatting that a key means; null where it means none. */
export function formatOfKey(event: KeyboardEvent): FormatName | null {
  if (!hasControl(event) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === 'l' ? 'link' : null;
  if (key === 'b') return 'bold';
  return key === 'i' ? 'italic' : null;
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
