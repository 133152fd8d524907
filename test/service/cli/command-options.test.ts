import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readCommand } from '#cli/command-options.ts';

test.each([
  [[], /backup DIR/],
  [['--help'], /--version/],
  [['--help'], /recovery-code/],
  [['backup', '--help'], /Exit status: 0 done/],
  [['recovery-code', '--json', '--help'], /does not keep it/],
  [['send', '--help'], /--key-file FILE/],
  [['invite', '--help'], /--uses N/],
  [['reset-password', '--help'], /good once and for a day/],
])('hearth %j asks for help', (args, text) => {
  expect(readCommand(args)).toEqual({
    kind: 'help',
    text: expect.stringMatching(text) as string,
  });
});

test.each([
  [['backup', '--plain', '--check'], /--plain and --check do not go together/],
  [['backup'], /^DIR is missing \(see backup --help\)$/],
  [['backup', 'a', 'b'], /unexpected argument 'b'/],
  [['backup', 'a', '--new'], /unknown option --new/],
  [['backup', 'a', '--data-dir'], /--data-dir needs a value/],
  [['backup', 'a', '--data-dir', '--json'], /--data-dir needs a value/],
  [['backup', 'a', '--data-dir='], /--data-dir needs a value/],
  [['recovery-code', '--new=1'], /--new takes no value/],
  [['recovery-code', 'x'], /unexpected argument 'x'/],
  [['move-in', 'x', '--code-file', 'y'], /^CODE and --code-file do not go together/],
  [['move-in', 'x', '--call-off'], /unknown option --call-off/],
  [['move-out', 'x'], /unexpected argument 'x'/],
  [['send', 'hi'], /--stream is missing/],
  [['send', 'hi', '--stream', 'a'], /--topic is missing \(see send --help\)/],
  [['send', 'hi', 'there', '--stream', 'a', '--topic', 'b'], /unexpected argument 'there'/],
  [['send', '--data-dir', 'x'], /unknown option --data-dir/],
  [['reset-password'], /^EMAIL is missing \(see reset-password --help\)$/],
  [['reset-password', 'ada'], /EMAIL 'ada' is no e-mail address/],
  [['reset-password', 'a@b.de', 'c@d.de'], /unexpected argument 'c@d\.de'/],
  [['reset-password', 'a@b.de', '--as', 'c@d.de'], /unknown option --as/],
  [['invite', 'a@b.de', 'ben'], /EMAIL 'ben' is no e-mail address/],
  [['invite', 'a@b.de', '--days', '3'], /--days and --uses are for a link/],
  [['invite', '--days', '31'], /--days needs a whole number from 1 to 30, not '31'/],
  [['invite', '--uses', 'x'], /--uses needs a whole number from 1 to 500, not 'x'/],
  [['invite', '--as', 'ada'], /--as 'ada' is no e-mail address/],
  [['service'], /^ACTION is missing/],
  [['service', 'begin'], /ACTION 'begin' is none of install, uninstall, status/],
  [['service', 'status', '--', '--port', '1'], /unexpected argument '--port'/],
  [['service', 'install', '--system'], /--data-dir is missing, which --system needs/],
  [['service', 'install', '--', '--port', 'x'], /behind --: .*--port/],
  [['service', 'install', '--', '--backup', 'x'], /behind --: only options/],
  [['backup', 'a', '--', 'b'], /unexpected argument 'b'/],
  [['user'], /^ACTION is missing \(see user --help\)$/],
  [['user', 'lst'], /^ACTION 'lst' is unknown: did you mean list\? \(see user --help\)$/],
  [['user', 'add'], /^EMAIL is missing \(see user add --help\)$/],
  [['user', 'add', 'a@b.de', '--csv', 'x'], /^EMAIL and --csv do not go together/],
  [['user', 'add', 'a@b.de', '--name', 'A', '--skip-known'], /^--skip-known is for --csv/],
  [['user', 'add', 'a@b.de', '--password', 'x'], /^unknown option --password/],
  [['user', 'role', 'a@b.de', 'owner'], /^ROLE 'owner' is none of administrator, member or guest/],
  [['bake'], /unknown command 'bake'/],
])('hearth %j is a mistake', (args, message) => {
  expect(readCommand(args)).toMatchObject({
    kind: 'mistake',
    message: expect.stringMatching(message) as string,
  });
});

test('a mistake is told as it was asked for', () => {
  expect(readCommand(['backup', '--json'])).toMatchObject({ kind: 'mistake', isJson: true });
  expect(readCommand(['backup'])).toMatchObject({ kind: 'mistake', isJson: false });
  expect(readCommand(['backup', 'there', '--plain', '--files-beside'])).toMatchObject({
    kind: 'mistake',
    message: '--plain and --files-beside do not go together (see backup --help)',
  });
  expect(readCommand(['restore', 'there', '--keep-keys', '--stolen'])).toMatchObject({
    kind: 'mistake',
    message: '--keep-keys and --stolen do not go together (see restore --help)',
  });
});

test('what is asked for is told with whole paths', () => {
  expect(readCommand(['backup', 'there', '--data-dir', 'here', '--plain', '--json'])).toEqual({
    kind: 'backup',
    into: resolve('there'),
    dataDir: resolve('here'),
    isPlain: true,
    areFilesBeside: false,
    isJson: true,
  });
  expect(readCommand(['recovery-code', '--new', '--data-dir=here'])).toEqual({
    kind: 'recovery-code',
    dataDir: resolve('here'),
    isNew: true,
    isJson: false,
  });
  expect(readCommand(['move-out', '--call-off', '--data-dir', 'here'])).toEqual({
    kind: 'move-out',
    isCalledOff: true,
    dataDir: resolve('here'),
    isJson: false,
  });
  expect(readCommand(['move-in', 'hearth://move/x', '--data-dir', 'here', '--json'])).toEqual({
    kind: 'move-in',
    code: 'hearth://move/x',
    codeFile: null,
    dataDir: resolve('here'),
    isJson: true,
  });
  expect(readCommand(['move-in', '--code-file', 'code', '--data-dir', 'here'])).toMatchObject({
    ...{ code: null, codeFile: resolve('code') },
  });
  const here = { dataDir: resolve('here'), isJson: false };
  expect(readCommand(['reset-password', 'a@b.de', '--data-dir', 'here'])).toEqual({
    ...{ kind: 'reset-password', email: 'a@b.de', ...here },
  });
  expect(readCommand(['invite', 'a@b.de', 'c@d.de', '--as', 'x@y.de', '--data-dir=here'])).toEqual({
    ...{ kind: 'invite', emails: ['a@b.de', 'c@d.de'], as: 'x@y.de', ...here },
    ...{ validDays: 7, maxUses: 50 },
  });
  expect(readCommand(['invite', '--days', '2', '--uses=3', '--data-dir', 'here'])).toEqual({
    ...{ kind: 'invite', emails: [], as: null, ...here, validDays: 2, maxUses: 3 },
  });
  expect(
    readCommand(['service', 'install', '--data-dir', 'here', '--', '--host', '0.0.0.0']),
  ).toEqual({
    ...{ kind: 'service', action: 'install', isForSystem: false, ...here },
    serveArgs: ['--data-dir', resolve('here'), '--host', '0.0.0.0'],
  });
  expect(readCommand(['serve', '--port', '0'])).toEqual({ kind: 'serve', args: ['--port', '0'] });
});
