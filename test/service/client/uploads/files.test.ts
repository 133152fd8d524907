import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CacheError } from '#client/cache/port.ts';
import { createFiles, type FileParts, type Files } from '#client/uploads/files.ts';
import type { HttpFile, HttpFileRequest } from '#client/ports.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { FetchedFile } from '#shared/bridge/models/client.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile } from '#desktop/system/http.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';
import { codeOf, valueOf } from '#test/support/client/client.ts';
import { png, svg, upload } from '#test/support/images.ts';

let service: TestService;
let picture: string;
beforeAll(async () => {
  service = await startTestService();
  const { uri } = await service.ask(ada, api.uploads.upload, {}, { body: upload(png) });
  picture = uri;
});
afterAll(() => service.stop());

interface World {
  readonly files: Files;
  readonly asked: HttpFileRequest[];
  readonly kept: Map<string, FetchedFile>;
}

async function world(more: Partial<FileParts> & { readonly who?: string } = {}): Promise<World> {
  const { who = ada, ...parts } = more;
  const asked: HttpFileRequest[] = [];
  const kept = new Map<string, FetchedFile>();
  const files = createFiles({
    fetchFile: (request) => {
      asked.push(request);
      return desktopFetchFile(request);
    },
    clock: desktopClock,
    cache: {
      findFile: (url) => kept.get(url) ?? null,
      putFile: (url, type, bytes) => void kept.set(url, { type, bytes }),
    },
    address: service.origin,
    credentials: { email: who, key: await service.keyOf(who), hasMoved: async () => false },
    ...parts,
  });
  return { files, asked, kept };
}

const answering =
  (file: Partial<HttpFile>): FileParts['fetchFile'] =>
  async () => ({ status: 200, type: 'image/png', bytes: png, ...file });

describe('a file of the service', () => {
  test('a file of the service is fetched with the key of the account, and after that without the service', async () => {
    const { files, asked } = await world();
    const first = valueOf(await files.fetch(picture));
    expect(first.type).toBe('image/png');
    expect([...first.bytes]).toEqual([...png]);
    expect(valueOf(await files.fetch(new URL(picture, service.origin).href))).toEqual(first);
    expect(asked).toHaveLength(1);
  });

  test('a file is found again where its service has another address now', async () => {
    const before = await world();
    const first = valueOf(await before.files.fetch(picture));
    const moved = await world({
      address: 'https://192.168.1.21:9981',
      otherAddresses: () => [service.origin],
      cache: { findFile: (url) => before.kept.get(url) ?? null, putFile: () => undefined },
    });
    for (const url of [picture, new URL(picture, service.origin).href])
      expect(valueOf(await moved.files.fetch(url))).toEqual(first);
    expect(moved.asked).toEqual([]);
    expect(codeOf(await moved.files.fetch('https://elsewhere.example/user_uploads/1/a.png'))).toBe(
      'NOT_OF_SERVICE',
    );
  });

  test('a file of the service that several ask for at the same time is fetched once', async () => {
    const { files, asked } = await world();
    const outcomes = await Promise.all([1, 2, 3].map(() => files.fetch(picture)));
    expect(outcomes.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
    expect(asked).toHaveLength(1);
  });

  test('fetching a file that the account may not see, or that is gone, says so and keeps nothing', async () => {
    const { files, kept } = await world({ who: ben });
    expect(await files.fetch(picture)).toMatchObject({
      failure: { code: 'FORBIDDEN', message: 'You may not see this file.' },
    });
    expect(codeOf(await files.fetch('/user_uploads/1/aa/none.png'))).toBe('NOT_FOUND');
    expect(kept.size).toBe(0);
  });

  test('a picture of a person is a file of the service too', async () => {
    const { files } = await world();
    const { avatar_url: url } = await service.ask(ada, api.avatars.set, {}, { body: upload(png) });
    expect(valueOf(await files.fetch(url)).type).toBe('image/png');
  });

  test('a file of a kind that could run in a window has a type that does nothing', async () => {
    const { files } = await world();
    const body = upload(svg, 'drawing.svg');
    const { uri } = await service.ask(ada, api.uploads.upload, {}, { body });
    expect(valueOf(await files.fetch(uri)).type).toBe('application/octet-stream');
    const page = await world({ fetchFile: answering({ type: 'text/html; charset=utf-8' }) });
    expect(valueOf(await page.files.fetch(picture)).type).toBe('application/octet-stream');
  });
});

describe('an address', () => {
  test.each([
    'https://elsewhere.example/user_uploads/1/a.png',
    '//elsewhere.example/user_uploads/1/a.png',
    'http://[',
    '/api/v1/messages',
    '/user_uploads/../api/v1/users/me',
    '/user_uploads/%2e%2e/api/v1/users/me',
    '/user_uploads/..%2f..%2fapi/v1/users/me',
    '/user_uploads\\..\\api\\v1',
    '/',
    '',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
  ])('%j is refused without asking anybody', async (url) => {
    const { files, asked } = await world();
    expect(await files.fetch(url)).toMatchObject({
      failure: { code: 'NOT_OF_SERVICE', message: expect.stringMatching(/not on the service/) },
    });
    expect(asked).toEqual([]);
  });

  test('an address with a name and a password in it is refused', async () => {
    const { files } = await world();
    const url = new URL(picture, service.origin);
    url.username = 'somebody';
    expect(codeOf(await files.fetch(url.href))).toBe('NOT_OF_SERVICE');
  });

  test('an address that leads elsewhere is not followed', async () => {
    const { files } = await world({ fetchFile: answering({ status: 302 }) });
    expect(codeOf(await files.fetch(picture))).toBe('BAD_ANSWER');
  });
});

test('a file that is too large is not fetched to its end, and one that is not kept is fetched again', async () => {
  const large = await world({ fetchFile: answering({ bytes: null }) });
  expect(codeOf(await large.files.fetch(picture))).toBe('FILE_TOO_LARGE');
  const medium = new Uint8Array(17 * 1024 * 1024);
  const { files, kept } = await world({ fetchFile: answering({ bytes: medium }) });
  expect(valueOf(await files.fetch(picture)).bytes).toBe(medium);
  expect(kept.size).toBe(0);
});

test('a cache that fails keeps nobody from seeing a file', async () => {
  const fail = (): never => {
    throw new CacheError('DISK_FULL', 'full');
  };
  const { files } = await world({ cache: { findFile: fail, putFile: fail } });
  expect(codeOf(await files.fetch(picture))).toBe('ok');
});

test('a service that does not answer is said to, and asked again the next time', async () => {
  let isThere = false;
  const { files } = await world({
    fetchFile: (request) =>
      isThere ? desktopFetchFile(request) : Promise.reject(new Error('refused')),
  });
  expect(codeOf(await files.fetch(picture))).toBe('UNREACHABLE');
  isThere = true;
  expect(codeOf(await files.fetch(picture))).toBe('ok');
});
