import { expect, test } from 'vitest';
import { defaultDataDir } from '../../src-main/platform/paths.ts';

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
