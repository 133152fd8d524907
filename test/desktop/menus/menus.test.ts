import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test, vi } from 'vitest';
import { keyboardOf } from '#shared/bridge/keys/key-choices.ts';
import { isGlobalKey } from '#desktop/menus/accelerator.ts';
import { badgePixels, badgeText } from '#desktop/menus/badge-picture.ts';
import {
  contextMenu,
  type Clicked,
  type ContextActions,
} from '#desktop/windows/context-menu-template.ts';
import { quietChoices, quietLabel, toggledQuiet } from '#desktop/menus/do-not-disturb.ts';
import { menuTemplate, type MenuActions } from '#desktop/menus/menu-template.ts';
import { othersOnline, stopWarning } from '#desktop/hosting/others-online.ts';
import {
  noAttention,
  trayIcon,
  trayMenu,
  trayTooltip,
  type TrayActions,
  type TrayState,
} from '#desktop/menus/tray-menu.ts';

type Item = MenuItemConstructorOptions;

const now = new Date(2026, 2, 14, 21, 30);
const nowSeconds = now.getTime() / 1000;

const childrenOf = (item: Item): readonly Item[] =>
  Array.isArray(item.submenu) ? item.submenu : [];
const all = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => [item, ...all(childrenOf(item))]);
const labels = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ label, role, type }) => (type === 'separator' ? [] : [label ?? role ?? '']));
const click = (items: readonly Item[], label: string): void => {
  const found = all(items).find((item) => item.label === label);
  if (found?.click === undefined) throw new Error(`nothing to click at ${label}`);
  (found.click as () => void)();
};

describe('do not disturb', () => {
  test('tomorrow begins in the morning, also when it is past midnight or the clocks change', () => {
    const untils = quietChoices(now).map(({ until }) => until);
    const morning = new Date(2026, 2, 15, 8).getTime() / 1000;
    expect(untils).toEqual([nowSeconds + 1800, nowSeconds + 3600, morning, null]);
    const late = new Date(2026, 11, 31, 0, 5);
    expect(quietChoices(late)[2]?.until).toBe(new Date(2027, 0, 1, 8).getTime() / 1000);
  });

  test.each([
    [0, 'Do not disturb'],
    [nowSeconds, 'Do not disturb'],
    [nowSeconds - 60, 'Do not disturb'],
    [null, 'Do not disturb is on'],
  ])('%s is labelled "%s"', (until, label) => {
    expect(quietLabel(until, now)).toBe(label);
  });

  test('its end is named by the time, and by the day when that is not today', () => {
    expect(quietLabel(nowSeconds + 1800, now)).toMatch(/^Do not disturb until \d?\d:00/);
    expect(quietLabel(nowSeconds + 12 * 3600, now)).toMatch(/until \p{L}+ \d?\d:30/u);
  });

  test('the key turns it off when it is on, and on until it is turned off', () => {
    expect(toggledQuiet(0, now)).toBeNull();
    expect(toggledQuiet(nowSeconds - 1, now)).toBeNull();
    expect(toggledQuiet(nowSeconds + 60, now)).toBe(0);
    expect(toggledQuiet(null, now)).toBe(0);
  });
});

describe('the tray', () => {
  const actions = {
    open: vi.fn<() => void>(),
    setQuiet: vi.fn<TrayActions['setQuiet']>(),
    stopHosting: vi.fn<() => void>(),
    startHosting: vi.fn<() => void>(),
    openSettings: vi.fn<() => void>(),
    quit: vi.fn<() => void>(),
  };
  const quiet: TrayState = { attention: noAttention, quietUntil: 0, hosting: 'off' };
  const menu = (change: Partial<TrayState>): Item[] =>
    trayMenu({ ...quiet, ...change }, actions, now);

  test.each([
    [{}, 'normal', 'No unread messages'],
    [{ other: 7 }, 'unread', '7 unread'],
    [{ other: 120 }, 'unread', '99+ unread'],
    [{ wanted: 1 }, 'mention', '1 message for you'],
    [{ wanted: 3, other: 9 }, 'mention', '3 messages for you'],
    [{ wanted: 100 }, 'mention', '99+ messages for you'],
    [{ wanted: 3, problem: 'Signed out of Office' }, 'attention', 'Signed out of Office'],
  ] as const)(
    'for %j the icon of the tray is "%s" and the tray says "%s"',
    (change, icon, line) => {
      const attention = { ...noAttention, ...change };
      expect(trayIcon(attention)).toBe(icon);
      expect(labels(menu({ attention }))[1]).toBe(line);
      expect(trayTooltip('Hearth', { ...quiet, attention }, now)).toBe(`Hearth: ${line}`);
    },
  );

  test('it opens, opens settings and quits', () => {
    const items = menu({});
    expect(labels(items)).toEqual([
      'Open Hearth',
      'No unread messages',
      'Do not disturb',
      'Settings',
      'Quit Hearth',
    ]);
    for (const label of ['Open Hearth', 'Settings', 'Quit Hearth']) click(items, label);
    expect(
      [actions.open, actions.openSettings, actions.quit].map((f) => f.mock.calls.length),
    ).toEqual([1, 1, 1]);
  });

  test('do not disturb offers four ends, and turning it off while it is on', () => {
    click(menu({}), 'For 1 hour');
    expect(actions.setQuiet).toHaveBeenLastCalledWith(nowSeconds + 3600);
    expect(labels(all(menu({})))).not.toContain('Turn off');
    click(menu({ quietUntil: null }), 'Turn off');
    expect(actions.setQuiet).toHaveBeenLastCalledWith(0);
    expect(trayTooltip('Hearth', { ...quiet, quietUntil: null }, now)).toContain('is on');
  });

  test.each([
    ['starting', 'Hosting is starting', 'Stop hosting…', false],
    ['running', 'Hosting on this computer', 'Stop hosting…', true],
    ['stopped', 'Hosting is stopped', 'Start hosting', undefined],
  ] as const)('while hosting is %s it says so', (hosting, line, action, isEnabled) => {
    const items = menu({ hosting });
    expect(labels(items).slice(3, 5)).toEqual([line, action]);
    expect(items.find(({ label }) => label === action)?.enabled).toBe(isEnabled);
    click(items, action);
    const called = hosting === 'stopped' ? actions.startHosting : actions.stopHosting;
    expect(called).toHaveBeenCalled();
  });
});

describe('stopping to host', () => {
  const presence = (atSeconds: number) => ({ status: 'active', atSeconds }) as const;

  test('others are those of whom a presence came lately', () => {
    const presences = {
      8: presence(1000),
      9: presence(1000),
      10: presence(861),
      11: presence(860),
      12: presence(859),
    };
    expect(othersOnline({ presences, ownUserId: 8 }, 1000)).toBe(3);
    expect(othersOnline({ presences: {}, ownUserId: 8 }, 1000)).toBe(0);
  });

  test('the question says how many are affected, and there is none when nobody is', () => {
    expect(stopWarning(0)).toBeUndefined();
    expect(stopWarning(1)).toMatch(/^One other person is online/);
    expect(stopWarning(4)).toMatch(/^4 others are online/);
    expect(stopWarning(undefined)).toMatch(/^Others may be online/);
  });
});

describe('the menu of the application', () => {
  const actions = {
    run: vi.fn<MenuActions['run']>(),
    zoom: vi.fn<MenuActions['zoom']>(),
    setQuiet: vi.fn<MenuActions['setQuiet']>(),
    toggleQuiet: vi.fn<() => void>(),
    toggleFullScreen: vi.fn<() => void>(),
    quit: vi.fn<() => void>(),
    about: vi.fn<() => void>(),
  };
  const menu = (
    platform: NodeJS.Platform,
    { isDevelopment = false, changed = {} } = {},
  ): Item[] => {
    const keyboard = keyboardOf(changed, platform === 'darwin');
    const state = { platform, name: 'Hearth', quietUntil: 0, keyboard, isDevelopment };
    return menuTemplate(state, actions, now);
  };
  const keyOf = (items: readonly Item[], label: string): unknown =>
    all(items).find((item) => item.label === label)?.accelerator;
  const keys = (items: readonly Item[]): readonly string[] =>
    all(items).flatMap(({ accelerator, registerAccelerator }) =>
      accelerator === undefined || registerAccelerator === false ? [] : [accelerator],
    );

  test.each(['linux', 'win32'] as const)(
    'the application menu on %s has the menus and keys of interface and system',
    (platform) => {
      expect(labels(menu(platform))).toEqual([
        '&File',
        '&Edit',
        '&View',
        '&Go',
        '&Window',
        '&Help',
      ]);
      expect(keys(menu(platform))).toEqual([
        'CmdOrCtrl+,',
        'Ctrl+Q',
        'CmdOrCtrl+0',
        'CmdOrCtrl+=',
        'CmdOrCtrl+Plus',
        'CmdOrCtrl+-',
        'CmdOrCtrl+Shift+D',
        'F11',
      ]);
    },
  );

  test('the application on macOS has a menu of its own, with settings and quit', () => {
    const [application, ...others] = menu('darwin');
    expect(application?.label).toBe('Hearth');
    expect(labels(childrenOf(application!))).toContain('Settings…');
    expect(labels(all(others))).not.toContain('Settings…');
    expect(keys(menu('darwin'))).toContain('Cmd+Q');
  });

  test('no key is given twice, and none is what the switcher has', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      const given = all(menu(platform)).flatMap(({ accelerator }) => accelerator ?? []);
      expect(new Set(given).size).toBe(given.length);
      expect(keys(menu(platform))).not.toContain('CmdOrCtrl+K');
    }
  });

  test('it shows the keys that hold, rather one that acts while one writes', () => {
    const plain = menu('linux');
    expect(keyOf(plain, 'Back')).toBe('Alt+Left');
    expect(keyOf(menu('darwin'), 'Back')).toBe('CmdOrCtrl+[');
    expect(keyOf(plain, 'New message')).toBe('C');
    expect(keyOf(plain, 'Keyboard shortcuts')).toBe('CmdOrCtrl+/');
    const changed = { switcher: ['Alt+G'], back: [], inbox: ['É'], settings: ['Ctrl+Shift+P'] };
    const items = menu('linux', { changed });
    expect(keyOf(items, 'Go to…')).toBe('Alt+G');
    expect(keyOf(items, 'Back')).toBeUndefined();
    expect(keyOf(items, 'Inbox')).toBeUndefined();
    expect(keys(items)).toContain('CmdOrCtrl+Shift+P');
    expect(keys(items)).not.toContain('CmdOrCtrl+,');
  });

  test('a letter alone is never taken from the text fields', () => {
    const items = menu('linux', { changed: { settings: ['G'], doNotDisturb: ['H'] } });
    expect(keyOf(items, 'Settings…')).toBe('G');
    expect(keys(items)).toEqual(
      keys(menu('linux', { changed: { settings: [], doNotDisturb: [] } })),
    );
  });

  test('items that act in the page send their command, and leave the key to the page', () => {
    const items = menu('linux');
    for (const item of all(items))
      (item.registerAccelerator === false && item.role === undefined
        ? (item.click as () => void)
        : () => undefined)();
    const commands = actions.run.mock.calls.map(([command]) => command);
    expect(commands).toEqual(
      expect.arrayContaining([
        'switcher',
        'search',
        'searchHere',
        'shortcuts',
        'back',
        'forward',
        'next',
        'previous',
        'inbox',
        'mentions',
        'drafts',
      ]),
    );
    click(items, 'Settings…');
    expect(actions.run).toHaveBeenLastCalledWith('settings');
  });

  test('sizes, full screen, do not disturb and quit act here', () => {
    const items = menu('linux');
    for (const label of [
      'Larger',
      'Smaller',
      'Normal size',
      'Full screen',
      'Quit Hearth',
      'About Hearth',
      'CmdOrCtrl+Shift+D',
    ])
      click(items, label);
    expect(actions.zoom.mock.calls).toEqual([[1], [-1], [0]]);
    for (const called of [
      actions.toggleFullScreen,
      actions.quit,
      actions.about,
      actions.toggleQuiet,
    ])
      expect(called).toHaveBeenCalledOnce();
  });

  test('only development can reload and open the developer tools', () => {
    const roles = (isDevelopment: boolean): readonly unknown[] =>
      all(menu('linux', { isDevelopment })).map(({ role }) => role);
    expect(roles(true)).toEqual(expect.arrayContaining(['forceReload', 'toggleDevTools']));
    for (const role of ['reload', 'forceReload', 'toggleDevTools'])
      expect(roles(false)).not.toContain(role);
  });
});

describe('the menu of a click', () => {
  const nothing: Clicked = {
    isEditable: false,
    selectionText: '',
    linkURL: '',
    mediaType: 'none',
    misspelledWord: '',
    dictionarySuggestions: [],
    editFlags: { canUndo: true, canCut: false, canCopy: false, canPaste: true, canSelectAll: true },
  };
  const actions = {
    replace: vi.fn<ContextActions['replace']>(),
    addToDictionary: vi.fn<ContextActions['addToDictionary']>(),
    copyLink: vi.fn<ContextActions['copyLink']>(),
    openLink: vi.fn<ContextActions['openLink']>(),
    copyImage: vi.fn<ContextActions['copyImage']>(),
  };
  const menu = (change: Partial<Clicked>): Item[] =>
    contextMenu({ ...nothing, ...change }, actions);

  test.each([
    [{}, []],
    [{ selectionText: '  ' }, []],
    [{ selectionText: 'word' }, ['copy']],
    [{ isEditable: true }, ['undo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll']],
    [{ linkURL: 'https://example.com/' }, ['Open link', 'Copy link']],
    [{ mediaType: 'image' }, ['Copy image']],
    [
      { mediaType: 'image', linkURL: 'https://example.com/', selectionText: 'x' },
      ['Open link', 'Copy link', 'Copy image', 'copy'],
    ],
  ] as const)('for %j the menu of a click is %j', (change, expected) => {
    expect(labels(menu(change))).toEqual(expected);
  });

  test('a misspelt word is replaced, or learnt', () => {
    const typed = { isEditable: true, misspelledWord: 'wrod' };
    const items = menu({ ...typed, dictionarySuggestions: ['word', 'rod'] });
    expect(labels(items).slice(0, 3)).toEqual(['word', 'rod', 'Add to dictionary']);
    click(items, 'word');
    expect(actions.replace).toHaveBeenLastCalledWith('word');
    click(items, 'Add to dictionary');
    expect(actions.addToDictionary).toHaveBeenLastCalledWith('wrod');
    expect(labels(menu(typed))[0]).toBe('No suggestions');
  });
});

describe('the badge', () => {
  test.each([
    [{}, ''],
    [{ badge: 1 }, '1'],
    [{ badge: 99 }, '99'],
    [{ badge: 100 }, '99+'],
    [{ badge: 5, problem: 'Signed out of Office' }, '!'],
    [{ problem: 'Office cannot be reached' }, '!'],
  ])('%j is shown as "%s"', (change, text) => {
    expect(badgeText({ ...noAttention, ...change })).toBe(text);
  });

  test.each(['1', '12', '99+', '!'])('the picture of %s is white on a disc', (text) => {
    const pixels = badgePixels(text);
    const at = (x: number, y: number): readonly number[] => [
      ...pixels.slice((y * 16 + x) * 4, (y * 16 + x) * 4 + 4),
    ];
    expect(at(0, 0)).toEqual([0, 0, 0, 0]);
    expect(at(8, 1)[3]).toBe(255);
    const white = Array.from({ length: 256 }, (_, i) => at(i % 16, Math.floor(i / 16))).filter(
      ([b, g, r]) => b === 255 && g === 255 && r === 255,
    );
    expect(white.length).toBeGreaterThan(3);
  });
});

test.each([
  ['Ctrl+Alt+H', true],
  ['CmdOrCtrl+Shift+Space', true],
  ['super+`', true],
  ['F9', true],
  ['Shift+F12', true],
  ['H', false],
  ['Shift+H', false],
  ['Nonsense+7', false],
  ['Ctrl+Nonsense', false],
  ['Ctrl+', false],
  ['+', false],
  ['', false],
  ['Ctrl+HH', false],
])('whether %s may be taken from all programs: %s', (key, expected) => {
  expect(isGlobalKey(key)).toBe(expected);
});
