import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '#node/own-command.ts';

test.skipIf(process.platform === 'win32')(
  'an argument that is printed is typed whole into a shell',
  () => {
    const code = `hearth://move/${'0a'.repeat(16)}?pin=abc&at=192.168.1.20%3A9981&at=%5Bfd12%3A%3A1%5D%3A9981`;
    const words = [
      code,
      '/media/my disk',
      "Ada's",
      'a"b',
      '$HOME',
      '`id`',
      '!x',
      String.raw`a\b`,
      'plain-1.0',
      '',
      '*',
      'a\nb',
    ];
    const printed = execFileSync('sh', [
      '-c',
      String.raw`printf '%s\0' ${words.map(shellWord).join(' ')}`,
    ]);
    expect(printed.toString().split('\0').slice(0, -1)).toEqual(words);
    // Windows has no single quotes.
    expect(shellWord(code)).toBe(`"${code}"`);
  },
);
