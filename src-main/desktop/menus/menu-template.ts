import type { MenuItemConstructorOptions } from 'electron';
import { acceleratorOf } from '#shared/bridge/keys/accelerators.ts';
import { isSingleKey } from '#shared/bridge/keys/chords.ts';
import { chordsOf, type Keyboard } from '#shared/bridge/keys/key-choices.ts';
import type { ShortcutId } from '#shared/bridge/keys/keys.ts';
import type { CommandId } from '#shared/bridge/models/shell.ts';
import type { QuietUntil } from './do-not-disturb.ts';
import { quietItem } from './tray-menu.ts';

export interface MenuState {
  readonly platform: NodeJS.Platform;
  readonly name: string;
  readonly quietUntil: QuietUntil;
  readonly keyboard: Keyboard;
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

/** The key of an action to show: rather one that acts while the person writes, too. */
function keyOf({ keyboard }: MenuState, id: ShortcutId): string | undefined {
  const action = keyboard.find((each) => each.id === id);
  const chords = action === undefined ? [] : chordsOf(action);
  return chords.find((chord) => !isSingleKey(chord)) ?? chords[0];
}

type Key = Pick<Item, 'accelerator' | 'registerAccelerator'>;

/** The page reads these keys itself; the menu only shows them, so that none acts twice. */
function shownKey(state: MenuState, id: ShortcutId): Key {
  const accelerator = acceleratorOf(keyOf(state, id) ?? '');
  return { ...(accelerator === undefined ? {} : { accelerator }), registerAccelerator: false };
}

/** The menu acts on them where no page does. A letter alone is text there, so it is left to the page. */
function givenKey(state: MenuState, id: ShortcutId): Key {
  const shown = shownKey(state, id);
  const isText = isSingleKey(keyOf(state, id) ?? '');
  return shown.accelerator === undefined || isText
    ? shown
    : { accelerator: shown.accelerator, registerAccelerator: true };
}

const inPage = (label: string, key: Key, click: () => void): Item => ({ label, ...key, click });

const settingsItem = (state: MenuState, actions: MenuActions): Item => ({
  label: 'Settings…',
  ...givenKey(state, 'settings'),
  click: () => actions.run('settings'),
});

const applicationMenu = (state: MenuState, actions: MenuActions): Item => ({
  label: state.name,
  submenu: [
    { role: 'about' },
    separator,
    settingsItem(state, actions),
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { label: `Quit ${state.name}`, accelerator: 'Cmd+Q', click: actions.quit },
  ],
});

function fileMenu(state: MenuState, actions: MenuActions): Item {
  const { platform, name } = state;
  const last: readonly Item[] =
    platform === 'darwin'
      ? [{ role: 'close' }]
      : [
          settingsItem(state, actions),
          separator,
          { role: 'close' },
          { label: `Quit ${name}`, accelerator: 'Ctrl+Q', click: actions.quit },
        ];
  return {
    label: '&File',
    submenu: [
      inPage('New message', shownKey(state, 'write'), () => actions.run('newMessage')),
      inPage('New private message', shownKey(state, 'newPrivate'), () => actions.run('newPrivate')),
      separator,
      ...last,
    ],
  };
}

function editMenu(state: MenuState, actions: MenuActions): Item {
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
      inPage('Search everywhere', shownKey(state, 'search'), () => actions.run('search')),
      inPage('Search in this conversation', shownKey(state, 'searchHere'), () =>
        actions.run('searchHere'),
      ),
      ...(state.platform === 'darwin' ? [separator, { role: 'startSpeaking' } as const] : []),
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
      inPage('Left column', shownKey(state, 'leftColumn'), () => actions.run('leftColumn')),
      inPage('Right column', shownKey(state, 'rightColumn'), () => actions.run('rightColumn')),
      separator,
      { label: 'Normal size', accelerator: 'CmdOrCtrl+0', click: () => actions.zoom(0) },
      { label: 'Larger', accelerator: 'CmdOrCtrl+=', click: () => actions.zoom(1) },
      // The same key where a layout has the plus sign without Shift.
      hidden('CmdOrCtrl+Plus', () => actions.zoom(1)),
      { label: 'Smaller', accelerator: 'CmdOrCtrl+-', click: () => actions.zoom(-1) },
      separator,
      quietItem(state.quietUntil, actions.setQuiet, now),
      ...quietKey(state, actions),
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

/** The menu has no item that does this alone. */
function quietKey(state: MenuState, { toggleQuiet }: MenuActions): Item[] {
  const { accelerator, registerAccelerator } = givenKey(state, 'doNotDisturb');
  if (typeof accelerator !== 'string' || registerAccelerator !== true) return [];
  return [hidden(accelerator, toggleQuiet)];
}

function goMenu(state: MenuState, { run }: MenuActions): Item {
  const key = (id: ShortcutId): Key => shownKey(state, id);
  return {
    label: '&Go',
    submenu: [
      inPage('Go to…', key('switcher'), () => run('switcher')),
      separator,
      inPage('Back', key('back'), () => run('back')),
      inPage('Forward', key('forward'), () => run('forward')),
      separator,
      inPage('Next conversation', key('next'), () => run('next')),
      inPage('Previous conversation', key('previous'), () => run('previous')),
      inPage('Next unread conversation', key('nextUnread'), () => run('nextUnread')),
      inPage('Previous unread conversation', key('previousUnread'), () => run('previousUnread')),
      separator,
      inPage('Inbox', key('inbox'), () => run('inbox')),
      inPage('Mentions', key('mentions'), () => run('mentions')),
      inPage('Drafts', key('drafts'), () => run('drafts')),
    ],
  };
}

const windowMenu = (isMac: boolean): Item => ({
  label: '&Window',
  submenu: isMac
    ? [{ role: 'minimize' }, { role: 'zoom' }, separator, { role: 'front' }]
    : [{ role: 'minimize' }],
});

function helpMenu(state: MenuState, actions: MenuActions): Item {
  const { platform, name } = state;
  const about: Item = { label: `About ${name}`, click: actions.about };
  return {
    role: 'help',
    label: '&Help',
    submenu: [
      inPage('Keyboard shortcuts', shownKey(state, 'shortcuts'), () => actions.run('shortcuts')),
      ...(platform === 'darwin' ? [] : [about]),
    ],
  };
}
