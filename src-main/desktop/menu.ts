import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/** The roles that people expect of any application; their labels and keys come from the system. */
export function installMenu(): void {
  const isMac = process.platform === 'darwin';
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...developmentItems(),
    ],
  };
  const template: readonly MenuItemConstructorOptions[] = [
    isMac ? { role: 'appMenu' } : { label: 'File', submenu: [{ role: 'quit' }] },
    { role: 'editMenu' },
    view,
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ label: 'Help', submenu: [{ role: 'about' } as const] }]),
  ];
  app.setAboutPanelOptions({
    applicationName: app.getName(),
    applicationVersion: app.getVersion(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate([...template]));
}

const developmentItems = (): MenuItemConstructorOptions[] =>
  app.isPackaged
    ? []
    : [{ type: 'separator' }, { role: 'forceReload' }, { role: 'toggleDevTools' }];
