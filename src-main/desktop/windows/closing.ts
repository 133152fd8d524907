/** What becomes of the window when a person closes it, and how they learn of it. */
import { dialog, Notification } from 'electron';
import type { Log } from '#node/log.ts';
import type { PreferenceStore } from '../storage/preference-store.ts';
import type { CloseWay } from './window.ts';

export async function closeWay(closeToTray: boolean): Promise<CloseWay> {
  if (!closeToTray) return 'quit';
  // The dock keeps the application there in any case.
  if (process.platform === 'darwin') return 'hide';
  const { hasTrayHost } = await import('../menus/tray.ts');
  return (await hasTrayHost()) ? 'hide' : 'minimize';
}

/** Once: a window that is gone and still rings would surprise. */
export function explainTray(preferences: PreferenceStore, log: Log): void {
  if (preferences.current().wasToldOfTray || process.platform === 'darwin') return;
  void preferences.change({ wasToldOfTray: true });
  const title = 'Hearth goes on in the background';
  const body = 'New messages still reach you. Its icon opens the window again, and can quit it.';
  if (Notification.isSupported()) {
    new Notification({ title, body, silent: true }).show();
    return;
  }
  dialog
    .showMessageBox({ type: 'info', message: title, detail: body })
    .catch((error: unknown) => log.warn('the person could not be told of the tray', { error }));
}
