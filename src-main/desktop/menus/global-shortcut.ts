import { globalShortcut } from 'electron';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { isGlobalKey } from './accelerator.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

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
    desktopWords('shortcut_taken', { shortcut: accelerator }),
    'globalShortcut',
  );
}
