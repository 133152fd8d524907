import { expect, test } from 'vitest';
import { cacheDir, defaultDataDir } from '#node/paths.ts';

test.each([
  ['linux', {}, '/home/ada', '/home/ada/.local/share/hearth'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/hearth'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada', '/home/ada/.local/share/hearth'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/ada', '/home/ada/.local/share/hearth'],
  ['freebsd', {}, '/home/ada', '/home/ada/.local/share/hearth'],
  [
    'darwin',
    { XDG_DATA_HOME: '/data' },
    '/Users/ada',
    '/Users/ada/Library/Application Support/Hearth',
  ],
  [
    'win32',
    { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
    'C:\\Users\\ada',
    'C:\\Users\\ada\\AppData\\Roaming\\Hearth',
  ],
  ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming\\Hearth'],
] as const)('the data folder on %s with %j in %s is %s', (platform, env, home, expected) => {
  expect(defaultDataDir({ platform, env, home })).toBe(expected);
});

test.each([
  ['linux', {}, '/home/ada', '/home/ada/.cache/hearth'],
  ['linux', { XDG_CACHE_HOME: '/cache' }, '/home/ada', '/cache/hearth'],
  ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/ada', '/home/ada/.cache/hearth'],
  ['darwin', { XDG_CACHE_HOME: '/cache' }, '/Users/ada', '/Users/ada/Library/Caches/Hearth'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\ada', 'D:\\Local\\Hearth\\Cache'],
  ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Local\\Hearth\\Cache'],
] as const)('the cache on %s with %j in %s is %s', (platform, env, home, expected) => {
  expect(cacheDir({ platform, env, home })).toBe(expected);
});
