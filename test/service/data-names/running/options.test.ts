import { expect, test } from 'vitest';
import { readCommand } from '#cli/command-options.ts';
import { userActions } from '#cli/commands/user-commands.ts';
import { commandWords } from '#cli/command-words.ts';
import { readServeRequest } from '#hosting/options/serve-options.ts';
import { limitNames, limitOption } from '#shared/limits.ts';
import { listed } from '#test/support/data-names/listed.ts';

const read = (word: string, args: readonly string[]) =>
  word === 'serve' ? readServeRequest(args) : readCommand([...word.split(' '), ...args]);

/** What is done to people has options of its own for each action. */
const words = commandWords.flatMap((word) =>
  word === 'user' ? Object.keys(userActions).map((action) => `user ${action}`) : [word],
);

function helpOf(word: string): string {
  const asked = read(word, ['--help']);
  return asked.kind === 'help' ? asked.text : '';
}

/** Help has each at the beginning of a line. */
const optionsOf = (word: string): readonly string[] => {
  const lines = helpOf(word).split('\n');
  const names = lines.map((line) => /^--[a-z-]+/.exec(line.trim())?.[0]);
  return [...new Set(names.filter((name) => name !== undefined))];
};

const written = words.flatMap((word) => optionsOf(word).map((option) => `${word} ${option}`));

test('commands, options and limits stay', () => {
  expect([
    ...[...written].sort(),
    ...limitNames.map((name) => `serve --limit ${limitOption(name)}`).sort(),
  ]).toEqual(listed('options'));
});

/** What stands on a command line everybody on the computer can read. */
test('no command takes a secret, but the file that has it [options.no-command-secret]', () => {
  const secret = /^ {2}--\S*(?:code|key|pass|secret|token)\S* (\S+)/gm;
  const taken = words.flatMap((word) => [...helpOf(word).matchAll(secret)]);
  expect(taken.length).toBeGreaterThan(4);
  expect(new Set(taken.map(([, argument]) => argument))).toEqual(new Set(['FILE']));
  const overview = readCommand(['--help']);
  const shown = overview.kind === 'help' ? overview.text.match(/[A-Z]{3,}/g) : [];
  expect([...new Set(shown)].toSorted()).toEqual([
    ...['ACTION', 'API', 'COMMAND', 'CSV', 'DIR', 'EMAIL', 'FILE', 'NUMBER', 'TARGET', 'TEXT'],
  ]);
});

/** Scripts and installed services have them, whatever help says now. */
test.each([...listed('options'), ...listed('old-options')])('%s is understood', (line) => {
  const [, word = '', option = '', limit] = /^(.+?) (--\S+)(?: (\S+))?$/.exec(line) ?? [];
  const asked = read(word, [option, ...(limit === undefined ? [] : [`${limit}=1000`])]);
  const message = asked.kind === 'mistake' ? asked.message : '';
  expect(message).not.toMatch(/unknown|names no limit/);
});
