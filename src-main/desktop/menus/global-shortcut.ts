import { globalShortcut } from 'electron';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { isGlobalKey } from './accelerator.ts';

/** The one key that shows and hides the window from anywhere; null for none. */
export function setGlobalShortcut(
  accelerator: string | null,
  old: string | null,
  toggle: () => void,
): Outcome<null> {
  const give = (key: string): boolean => {
    try {
      return isGlobalKey(key) && globalShortcut.register(key, toggle);
    } catch {
      return false;
    }
  };
  globalShortcut.unregisterAll();
  if (accelerator === null || give(accelerator)) return success(null);
  if (old !== null) give(old);
  return failure(
    'SHORTCUT_TAKEN',
    `${accelerator} cannot be used: another program has it, or it is no key that can be taken from them. Choose another one, with Ctrl, Alt or ⌘.`,
    'globalShortcut',
  );
}
