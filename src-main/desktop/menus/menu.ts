import { app, Menu } from 'electron';
import { keyboardOf, type ChangedKeys } from '#shared/bridge/keys/key-choices.ts';
import { menuTemplate, type MenuActions } from './menu-template.ts';
import type { QuietUntil } from './do-not-disturb.ts';

/** Puts the menu up, and anew when what it shows has changed. */
export function createMenu(
  actions: Omit<MenuActions, 'about'>,
): (quietUntil: QuietUntil, keys: ChangedKeys) => void {
  app.setAboutPanelOptions({
    applicationName: app.getName(),
    applicationVersion: app.getVersion(),
  });
  const about = (): void => app.showAboutPanel();
  let shown: string | undefined;
  let chosen: ChangedKeys = {};
  let keyboard = keyboardOf(chosen, process.platform === 'darwin');
  return (quietUntil, keys) => {
    const { platform } = process;
    if (keys !== chosen) keyboard = keyboardOf(keys, platform === 'darwin');
    chosen = keys;
    const state = {
      platform,
      name: app.getName(),
      quietUntil,
      keyboard,
      isDevelopment: !app.isPackaged,
    };
    const template = menuTemplate(state, { ...actions, about }, new Date());
    // It is asked for with every message, and making it takes longer than all else that a message does.
    const facts = JSON.stringify(template);
    if (facts === shown) return;
    shown = facts;
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
}
