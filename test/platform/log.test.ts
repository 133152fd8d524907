import { expect, test } from 'vitest';
import { logLine } from '../../src-main/platform/log.ts';

const parse = (line: string): Record<string, unknown> =>
  JSON.parse(line) as Record<string, unknown>;

test('an entry is one line of JSON with its time, level, message and data', () => {
  const line = logLine('info', 'two\nlines', { port: 1 });
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(parse(line)).toMatchObject({ level: 'info', message: 'two\nlines', port: 1 });
  expect(Date.parse(String(parse(line)['time']))).not.toBeNaN();
});

test('an error is written with its code, stack and causes', () => {
  const cause = Object.assign(new Error('deeper'), { code: 'EIO' });
  const entry = parse(logLine('error', 'x', { error: new TypeError('outer', { cause }) }));
  expect(entry['error']).toMatchObject({
    name: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('log.test.ts') as string,
    cause: { message: 'deeper', code: 'EIO' },
  });
});

test('what JSON cannot hold is no reason to fail', () => {
  const loop: Record<string, unknown> = { big: 1n };
  expect(parse(logLine('info', 'x', loop))['big']).toBe('1');
  loop['self'] = loop;
  expect(parse(logLine('info', 'x', loop))['message']).toBe('x');
  const cyclic = new Error('cyclic');
  cyclic.cause = cyclic;
  expect(parse(logLine('info', 'x', { error: cyclic }))['message']).toBe('x');
});
