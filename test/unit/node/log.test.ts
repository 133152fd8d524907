import { expect, test } from 'vitest';
import { logLine, withRecentWarnings } from '#node/log.ts';

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

test('an error of a full disk is written without its stack', () => {
  const error = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  expect(parse(logLine('error', 'x', { error }))['error']).toEqual({
    ...{ name: 'Error', message: 'database or disk is full', code: 'SQLITE_FULL' },
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

test('the last hundred warnings and errors are remembered, the newest first, without stacks', () => {
  const written: string[] = [];
  const write = (message: string): void => void written.push(message);
  let now = 1000;
  const { log, warned } = withRecentWarnings(
    { info: write, warn: write, error: write },
    () => now++,
  );
  log.info('nothing to worry about');
  log.error('it failed', { error: Object.assign(new Error('deep'), { code: 'EIO' }) });
  log.warn('look at this');
  expect(written).toEqual(['nothing to worry about', 'it failed', 'look at this']);
  expect(warned()).toEqual([
    { timeMs: 1001, level: 'warn', message: 'look at this', details: '' },
    {
      timeMs: 1000,
      level: 'error',
      message: 'it failed',
      details: '{"error":{"name":"Error","message":"deep","code":"EIO"}}',
    },
  ]);
  for (let n = 0; n < 150; n += 1) log.warn(`warning ${String(n)}`, { long: 'x'.repeat(5000) });
  expect(warned()).toHaveLength(100);
  expect(warned()[0]).toMatchObject({ message: 'warning 149' });
  expect(warned()[0]?.details).toHaveLength(1000);
});
