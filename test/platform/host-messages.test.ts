import { expect, test } from 'vitest';
import {
  readHostJob,
  readHostReport,
  readHostRequest,
} from '../../src-main/platform/host-messages.ts';

test('what the worker reports is read, and nothing else', () => {
  const listening = { type: 'listening', origin: 'http://127.0.0.1:1' };
  expect(readHostReport(listening)).toEqual(listening);
  const failed = { type: 'failed', code: 'PORT_IN_USE', message: 'x' };
  expect(readHostReport(failed)).toEqual(failed);
  for (const other of [
    null,
    'listening',
    {},
    { type: 'listening' },
    { type: 'failed', code: 'OTHER', message: 'x' },
    { type: 'failed', code: 'PORT_IN_USE' },
  ]) {
    expect(readHostReport(other)).toBeUndefined();
  }
});

test('only a request to stop is a request', () => {
  expect(readHostRequest({ type: 'stop' })).toEqual({ type: 'stop' });
  expect(readHostRequest({ type: 'start' })).toBeUndefined();
  expect(readHostRequest(undefined)).toBeUndefined();
});

test('a job needs a folder, a port and a whole secret', () => {
  const job = { dataDir: '/d', port: 0, secret: '0f'.repeat(32), rendererDir: null };
  expect(readHostJob(job)).toEqual(job);
  for (const broken of [{ dataDir: 1 }, { port: '1' }, { secret: 'short' }]) {
    expect(() => readHostJob({ ...job, ...broken })).toThrow();
  }
});
