import { expect, test } from 'vitest';
import { autostartDir, autostartEntry, quotedExec } from '#desktop/system/autostart.ts';
import { knownLanguages } from '#desktop/system/spelling.ts';
import { updateFeed } from '#desktop/system/updates.ts';

test.each([
  [{}, '/home/ada/.config/autostart'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ada/.config/autostart'],
  [{ XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/autostart'],
  [{ XDG_CONFIG_HOME: '/mnt/config' }, '/mnt/config/autostart'],
])('with %j the desktop looks into %s', (env, dir) => {
  expect(autostartDir(env, '/home/ada')).toBe(dir);
});

test.each([
  ['/opt/Hearth/hearth', '"/opt/Hearth/hearth"'],
  ['/home/ada/My Apps/Hearth 100%.AppImage', '"/home/ada/My Apps/Hearth 100%%.AppImage"'],
  ['/a"b', '"/a\\\\"b"'],
  ['/a$b`c', '"/a\\\\$b\\\\`c"'],
  ['/a\\b', '"/a\\\\\\\\b"'],
])('%s is written as %s', (argument, expected) => {
  expect(quotedExec(argument)).toBe(expected);
});

test('the file is what a desktop reads', () => {
  const lines = autostartEntry('Hearth', ['/opt/My Apps/hearth', '--hidden']).split('\n');
  expect(lines[0]).toBe('[Desktop Entry]');
  expect(lines).toContain('Exec="/opt/My Apps/hearth" "--hidden"');
  expect(lines.at(-1)).toBe('');
});

test.each([
  [{}, false, { kind: 'none' }],
  [{}, true, { kind: 'packaged' }],
  [{ HEARTH_UPDATE_FEED: '' }, false, { kind: 'none' }],
  [
    { HEARTH_UPDATE_FEED: 'https://files.example/hearth' },
    true,
    { kind: 'address', url: 'https://files.example/hearth' },
  ],
  [
    { HEARTH_UPDATE_FEED: 'http://127.0.0.1:8080/' },
    false,
    { kind: 'address', url: 'http://127.0.0.1:8080/' },
  ],
  [{ HEARTH_UPDATE_FEED: 'http://files.example/' }, false, { kind: 'none' }],
  [{ HEARTH_UPDATE_FEED: 'http://127.0.0.1.evil.example/' }, false, { kind: 'none' }],
  [{ HEARTH_UPDATE_FEED: 'file:///tmp' }, true, { kind: 'none' }],
  [{ HEARTH_UPDATE_FEED: 'nonsense' }, true, { kind: 'none' }],
] as const)('with %j (packaged feed: %s) the feed is %j', (env, hasPackaged, feed) => {
  expect(updateFeed(env, hasPackaged)).toEqual(feed);
});

test.each([
  [['de-AT'], ['de']],
  [
    ['en-us', 'en-GB'],
    ['en-US', 'en-GB'],
  ],
  [['pt'], ['pt-BR']],
  [['xx'], []],
  [['de', 'de-DE'], ['de']],
])('for %j the spell checker checks by %j', (wanted, expected) => {
  expect(knownLanguages(wanted, ['de', 'en-GB', 'en-US', 'pt-BR', 'pt-PT'])).toEqual(expected);
});
