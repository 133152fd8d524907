import type { MenuItemConstructorOptions } from 'electron';
import type { CommandId } from '../contract/models/shell.ts';
import type { QuietUntil } from './do-not-disturb.ts';
import { quietItem } from './tray-menu.ts';

export interface MenuState {
  readonly platform: NodeJS.Platform;
  readonly name: string;
  readonly quietUntil: QuietUntil;
  /** Reloading and the developer tools: never in what people install. */
  readonly isDevelopment: boolean;
}

export interface MenuActions {
  readonly run: (command: CommandId) => void;
  /** Steps up or down; 0 goes back to the normal size. */
  readonly zoom: (steps: -1 | 0 | 1) => void;
  readonly setQuiet: (until: QuietUntil) => void;
  readonly toggleQuiet: () => void;
  readonly toggleFullScreen: () => void;
  readonly quit: () => void;
  readonly about: () => void;
}

type Item = MenuItemConstructorOptions;
const separator: Item = { type: 'separator' };

/** The menu of the application, in the order that people of that system know. */
export function menuTemplate(state: MenuState, actions: MenuActions, now: Date): Item[] {
  const isMac = state.platform === 'darwin';
  return [
    ...(isMac ? [applicationMenu(state, actions)] : []),
    fileMenu(state, actions),
    editMenu(state, actions),
    viewMenu(state, actions, now),
    goMenu(state, actions),
    windowMenu(isMac),
    helpMenu(state, actions),
  ];
}

/** The page reads these keys itself; the menu only shows them, so that none acts twice. */
const inPage = (label: string, key: string, click: () => void): Item => ({
  label,
  accelerator: key,
  registerAccelerator: false,
  click,
});

const settingsItem = (actions: MenuActions): Item => ({
  label: 'Settings…',
  accelerator: 'CmdOrCtrl+,',
  click: () => actions.run('settings'),
});

const applicationMenu = ({ name }: MenuState, actions: MenuActions): Item => ({
  label: name,
  submenu: [
    { role: 'about' },
    separator,
    settingsItem(actions),
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { label: `Quit ${name}`, accelerator: 'Cmd+Q', click: actions.quit },
  ],
});

function fileMenu({ platform, name }: MenuState, actions: MenuActions): Item {
  const last: readonly Item[] =
    platform === 'darwin'
      ? [{ role: 'close' }]
      : [
          settingsItem(actions),
          separator,
          { role: 'close' },
          { label: `Quit ${name}`, accelerator: 'Ctrl+Q', click: actions.quit },
        ];
  return {
    label: '&File',
    submenu: [
      inPage('New message', 'C', () => actions.run('newMessage')),
      inPage('New private message', 'X', () => actions.run('newPrivate')),
      separator,
      ...last,
    ],
  };
}

function editMenu({ platform }: MenuState, actions: MenuActions): Item {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      // The page has this key: it pastes what was copied without its formatting.
      { role: 'pasteAndMatchStyle', accelerator: 'CmdOrCtrl+Shift+V', registerAccelerator: false },
      { role: 'selectAll' },
      separator,
      inPage('Search everywhere', 'CmdOrCtrl+Shift+F', () => actions.run('search')),
      inPage('Search in this conversation', 'CmdOrCtrl+F', () => actions.run('searchHere')),
      ...(platform === 'darwin' ? [separator, { role: 'startSpeaking' } as const] : []),
    ],
  };
}

function viewMenu(state: MenuState, actions: MenuActions, now: Date): Item {
  const development: readonly Item[] = [
    separator,
    { role: 'forceReload' },
    { role: 'toggleDevTools' },
  ];
  return {
    label: '&View',
    submenu: [
      inPage('Left column', 'CmdOrCtrl+Shift+S', () => actions.run('leftColumn')),
      inPage('Right column', 'CmdOrCtrl+Shift+.', () => actions.run('rightColumn')),
      separator,
      { label: 'Normal size', accelerator: 'CmdOrCtrl+0', click: () => actions.zoom(0) },
      { label: 'Larger', accelerator: 'CmdOrCtrl+=', click: () => actions.zoom(1) },
      // The same key where a layout has the plus sign without Shift.
      hidden('CmdOrCtrl+Plus', () => actions.zoom(1)),
      { label: 'Smaller', accelerator: 'CmdOrCtrl+-', click: () => actions.zoom(-1) },
      separator,
      quietItem(state.quietUntil, actions.setQuiet, now),
      hidden('CmdOrCtrl+Shift+D', actions.toggleQuiet),
      separator,
      {
        label: 'Full screen',
        accelerator: state.platform === 'darwin' ? 'Ctrl+Cmd+F' : 'F11',
        click: actions.toggleFullScreen,
      },
      ...(state.isDevelopment ? development : []),
    ],
  };
}

const hidden = (accelerator: string, click: () => void): Item => ({
  label: accelerator,
  accelerator,
  visible: false,
  acceleratorWorksWhenHidden: true,
  click,
});

function goMenu({ platform }: MenuState, { run }: MenuActions): Item {
  const isMac = platform === 'darwin';
  return {
    label: '&Go',
    submenu: [
      inPage('Go to…', 'CmdOrCtrl+K', () => run('switcher')),
      separator,
      inPage('Back', isMac ? 'Cmd+[' : 'Alt+Left', () => run('back')),
      inPage('Forward', isMac ? 'Cmd+]' : 'Alt+Right', () => run('forward')),
      separator,
      inPage('Next conversation', 'Alt+Down', () => run('next')),
      inPage('Previous conversation', 'Alt+Up', () => run('previous')),
      inPage('Next unread conversation', 'Alt+Shift+Down', () => run('nextUnread')),
      inPage('Previous unread conversation', 'Alt+Shift+Up', () => run('previousUnread')),
      separator,
      inPage('Inbox', 'Shift+I', () => run('inbox')),
      inPage('Mentions', 'CmdOrCtrl+Shift+M', () => run('mentions')),
      inPage('Drafts', 'D', () => run('drafts')),
    ],
  };
}

const windowMenu = (isMac: boolean): Item => ({
  label: '&Window',
  submenu: isMac
    ? [{ role: 'minimize' }, { role: 'zoom' }, separator, { role: 'front' }]
    : [{ role: 'minimize' }],
});

function helpMenu({ platform, name }: MenuState, actions: MenuActions): Item {
  const about: Item = { label: `About ${name}`, click: actions.about };
  return {
    role: 'help',
    label: '&Help',
    submenu: [
      inPage('Keyboard shortcuts', 'CmdOrCtrl+/', () => actions.run('shortcuts')),
      ...(platform === 'darwin' ? [] : [about]),
    ],
  };
}
