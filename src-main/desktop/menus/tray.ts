import { join } from 'node:path';
import { app, Menu, nativeImage, Tray, type NativeImage } from 'electron';
import { callBus } from '../system/dbus.ts';
import {
  trayIcon,
  trayMenu,
  trayTooltip,
  type TrayActions,
  type TrayIcon,
  type TrayState,
} from './tray-menu.ts';

export interface AppTray {
  readonly show: (state: TrayState) => void;
  readonly remove: () => void;
}

const suffixes: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  // The system colours such a picture by the bar that it is in.
  darwin: 'Template',
  linux: '-linux',
};

const iconFile = (icon: TrayIcon): string =>
  join(app.getAppPath(), 'resources', `tray-${icon}${suffixes[process.platform] ?? ''}.png`);

export function createTray(actions: TrayActions): AppTray {
  const images = new Map<TrayIcon, NativeImage>();
  let shown: string | undefined;

  function image(icon: TrayIcon): NativeImage {
    const known = images.get(icon) ?? nativeImage.createFromPath(iconFile(icon));
    images.set(icon, known);
    return known;
  }

  const tray = new Tray(image('normal'));
  // Systems that open the menu by this click do not tell of it.
  tray.on('click', actions.open);

  return {
    show: (state) => {
      const now = new Date();
      const tooltip = trayTooltip(app.getName(), state, now);
      const icon = trayIcon(state.attention);
      // A menu that is set anew closes under the pointer, so only a change sets it.
      const facts = JSON.stringify([tooltip, icon, state.hosting, state.quietUntil]);
      if (facts === shown || tray.isDestroyed()) return;
      shown = facts;
      tray.setImage(image(icon));
      tray.setToolTip(tooltip);
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, actions, now)));
    },
    remove: () => tray.destroy(),
  };
}

/**
 * Whether icons are shown anywhere. On Linux that depends on the desktop, and where nothing can be learnt the answer is
 * no: a window that cannot be brought back must not be hidden.
 */
export async function hasTrayHost(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const answer = await callBus({
    bus: 'session',
    name: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    method: 'org.freedesktop.DBus.NameHasOwner',
    args: ['string:org.kde.StatusNotifierWatcher'],
  });
  return answer?.includes('boolean true') === true;
}
