import { expect, test } from 'vitest';
import { webFetchFile, webHttp } from '#renderer/web/http.ts';

const { signal } = new AbortController();
const url = new URL('/nobody/answers/this', location.href).href;
const post = { method: 'POST', url, headers: { 'x-kind': 'test' }, signal };
const body = new Uint8Array(2_000_000);

test('a body tells how far it is, and any status is an answer', async () => {
  const shares: number[] = [];
  const response = await webHttp({ ...post, body, onProgress: (share) => shares.push(share) });
  expect(response.status).toBeGreaterThanOrEqual(200);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('a body that is given up is a rejection, before and while it is sent', async () => {
  const before = webHttp({
    ...{ ...post, body, signal: AbortSignal.abort() },
    onProgress: () => undefined,
  });
  await expect(before).rejects.toThrow();
  const controller = new AbortController();
  const during = webHttp({
    ...{ ...post, body, signal: controller.signal },
    onProgress: () => undefined,
  });
  controller.abort();
  await expect(during).rejects.toThrow();
});

test('a service that cannot be reached is a rejection', async () => {
  const nobody = { ...post, url: 'http://127.0.0.1:1/', body, onProgress: () => undefined };
  await expect(webHttp(nobody)).rejects.toThrow();
});

test('a file comes with its type and its bytes, unless there are too many', async () => {
  const file = { method: 'GET', url: new URL('/src-renderer/public/icon.png', location.href).href };
  const asked = { ...file, headers: {}, signal };
  const fetched = await webFetchFile({ ...asked, maxBytes: 10_000_000 });
  expect(fetched).toMatchObject({ status: 200, type: 'image/png' });
  expect([...(fetched.bytes ?? []).slice(1, 4)]).toEqual([80, 78, 71]);
  expect(await webFetchFile({ ...asked, maxBytes: 10 })).toMatchObject({ bytes: null });
});
