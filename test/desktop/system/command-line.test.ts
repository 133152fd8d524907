import { expect, test } from 'vitest';
import { commandAmong, hasDisplay } from '#desktop/system/find-command.ts';
import { parseCommandLine } from '#desktop/system/command-line.ts';

test.each([
  [[], undefined],
  [['--port', '0'], 0],
  [['--no-sandbox', '--user-data-dir=/tmp/x', '--port=65535'], 65_535],
  [['.', '--port', '8080', '--enable-logging'], 8080],
])('%j asks for port %s', (args, port) => {
  expect(parseCommandLine(args)).toEqual({ port, isHidden: false, link: undefined });
});

test('it asks for a start without a window, and for what a link leads to', () => {
  expect(parseCommandLine(['--hidden'])).toMatchObject({ isHidden: true });
  expect(parseCommandLine(['--no-sandbox', '--', 'hearth://open'])).toMatchObject({
    isHidden: false,
    link: 'hearth://open',
  });
});

test.each([
  ['--port'],
  ['--port='],
  ['--port=-1'],
  ['--port=65536'],
  ['--port=http'],
  ['--port=1.5'],
])('%s is refused by a sentence that names the option', (...args) => {
  expect(() => parseCommandLine(args)).toThrow(/^--port takes a number from 0 to 65535/);
});

test.each([
  [
    ['serve', '--host', '0.0.0.0'],
    ['serve', '--host', '0.0.0.0'],
  ],
  [
    ['--no-sandbox', 'backup', '/media/disk'],
    ['backup', '/media/disk'],
  ],
  [['--no-sandbox', '--help'], ['--help']],
  [['--version'], ['--version']],
  [['--hidden'], undefined],
  [['--', 'hearth://join/serve'], undefined],
  [['.', 'serve'], undefined],
  [[], undefined],
])('%j is the command %j', (args, command) => {
  expect(commandAmong(args)).toEqual(command);
});

test.each<[NodeJS.Platform, string[], Record<string, string>, boolean]>([
  ['linux', [], {}, false],
  ['linux', ['--hidden'], { DISPLAY: '' }, false],
  ['linux', [], { DISPLAY: ':0' }, true],
  ['linux', [], { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['linux', ['--ozone-platform=headless'], {}, true],
  ['darwin', [], {}, true],
])('on %s with %j and %j there is a display: %s', (platform, args, env, isThere) => {
  expect(hasDisplay(platform, args, env)).toBe(isThere);
});
