import { expect, test } from 'vitest';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { readHostJob, readHostReport, readHostRequest } from '#node/threads/host-messages.ts';

test('what the worker reports is read, and nothing else', () => {
  const origin = 'http://127.0.0.1:1';
  const own = { origin, setupCode: 'ABCD-EFGH', pin: 'abc', isClosed: true };
  const listening = { type: 'listening', ...own };
  expect(readHostReport(listening)).toEqual(listening);
  expect(readHostReport({ ...listening, setupCode: 7, isClosed: 1 })).toEqual({
    ...listening,
    ...{ setupCode: null, isClosed: false },
  });
  const failed = { type: 'failed', code: 'PORT_IN_USE', message: 'x' };
  expect(readHostReport(failed)).toEqual(failed);
  const link = { type: 'password-link', id: 1, link: 'http://x/#password/1-a', refusal: '' };
  expect(readHostReport(link)).toEqual(link);
  expect(readHostReport({ ...link, link: 7 })).toEqual({ ...link, link: null });
  const closed = [{ address: '10.0.0.7', code: 'EADDRINUSE' }];
  const doors = { type: 'doors', id: 2, closed, visitors: ['10.0.0.9'] };
  expect(readHostReport(doors)).toEqual(doors);
  expect(readHostReport({ ...doors, closed: null, visitors: [7] })).toEqual({
    ...doors,
    closed: [],
    visitors: [],
  });
  for (const other of [
    { ...doors, id: '2' },
    { ...listening, pin: 7 },
    { ...link, id: '1' },
    { ...link, refusal: null },
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

test('stopping, making a link to a new password and opening doors are the only requests', () => {
  expect(readHostRequest({ type: 'stop' })).toEqual({ type: 'stop' });
  const asked = { type: 'password-link', id: 1, email: 'ada@example.com' };
  expect(readHostRequest(asked)).toEqual(asked);
  expect(readHostRequest({ ...asked, email: null })).toBeUndefined();
  const doors = { type: 'doors', id: 2, addresses: ['10.0.0.7'] };
  expect(readHostRequest(doors)).toEqual(doors);
  expect(readHostRequest({ ...doors, id: '2' })).toBeUndefined();
  expect(readHostRequest({ type: 'start' })).toBeUndefined();
  expect(readHostRequest(undefined)).toBeUndefined();
});

test('a job needs a folder, a port, a whole secret and a key', () => {
  const job = {
    dataDir: '/d',
    port: 0,
    secret: '0f'.repeat(32),
    officeKey: makeServerIdentity().exported(),
    rendererDir: null,
  };
  expect(readHostJob(job)).toEqual(job);
  for (const broken of [
    { dataDir: 1 },
    { port: '1' },
    { secret: 'short' },
    { officeKey: 'AAAA' },
  ]) {
    expect(() => readHostJob({ ...job, ...broken })).toThrow();
  }
});
