/** Uploads whose page goes while they are under way, on a real service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackgroundUpload, UploadRequest } from '#shared/bridge/models/client.ts';
import { createHeldBlobs } from '#client/uploads/held-blobs.ts';
import type { StoredUpload } from '#client/uploads/upload-store.ts';
import { createBackgroundUploads } from '#client/uploads/background-uploads.ts';
import { failure } from '#shared/bridge/outcome.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import {
  codeOf,
  createRealClient,
  memoryStorage,
  type RealClient,
  valueOf,
} from '#test/support/client/client.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

interface World extends RealClient {
  readonly accountId: string;
  /** Lets uploads through to the service; until then they are half way. */
  readonly open: () => void;
  /** Ends those that are under way. */
  readonly fail: () => void;
}

let service: RunningService;
beforeAll(async () => {
  service = await startService({ dev: true });
});
afterAll(() => service.stop());

const held = createHeldBlobs();

async function world(): Promise<World> {
  let gate = Promise.withResolvers<undefined>();
  const real = createRealClient({
    heldFiles: held,
    http: async (request) => {
      if (request.url.endsWith('/user_uploads')) {
        await Promise.resolve();
        request.onProgress?.(0.5);
        await gate.promise;
      }
      return desktopHttp(request);
    },
  });
  const connected = { address: service.origin, email: 'ada@example.com', password: '' };
  const { id: accountId } = valueOf(await real.client.connect(connected));
  return {
    ...real,
    accountId,
    open: () => gate.resolve(undefined),
    fail: () => {
      gate.reject(new Error('the connection ended'));
      gate = Promise.withResolvers();
    },
  };
}

function requestOf(uploadId: string): UploadRequest {
  held.hold(uploadId, new Blob(['measure twice']));
  return { uploadId, name: 'plan.txt', type: 'text/plain' };
}
const isHeld = async (uploadId: string): Promise<boolean> => (await held.open(uploadId)).ok;
const leftOf = (uploadId: string, share: number): BackgroundUpload => ({
  ...{ uploadId, share, name: 'plan.txt', sizeBytes: 13, at: 4, failure: '' },
  view: { kind: 'stream', streamId: 1, topic: null },
});

test('an upload goes on without its page, and the next page has it', async () => {
  const { client, accountId, open, until, heard } = await world();
  void client.upload(accountId, requestOf('one'));
  await until(() => heard.uploadProgress.length > 0);
  await client.noteUploads(accountId, [leftOf('one', 0)]);
  expect(valueOf(await client.resumeUploads(accountId))).toEqual([
    { ...leftOf('one', 0.5), canRetry: true },
  ]);
  // It is the page's that took it.
  expect(valueOf(await client.resumeUploads(accountId))).toEqual([]);
  const ending = client.uploadOutcome(accountId, 'one');
  open();
  expect(valueOf(await ending)).toMatch(/^\/user_uploads\/.*plan\.txt$/);
});

test('one that ended while there was no page is linked by the next one', async () => {
  const { client, accountId, open } = await world();
  open();
  const uri = valueOf(await client.upload(accountId, requestOf('one')));
  await client.noteUploads(accountId, [leftOf('one', 0.5)]);
  expect(valueOf(await client.resumeUploads(accountId))).toMatchObject([
    { uploadId: 'one', canRetry: false },
  ]);
  expect(valueOf(await client.uploadOutcome(accountId, 'one'))).toBe(uri);
  expect(client.countUnfinishedUploads()).toBe(0);
  expect(await isHeld('one')).toBe(false);
});

test('what a page left and did itself after all is not left any more', async () => {
  const { client, accountId } = await world();
  await client.noteUploads(accountId, [leftOf('one', 0), leftOf('two', 0)]);
  await client.noteUploads(accountId, [leftOf('two', 0)]);
  expect(valueOf(await client.resumeUploads(accountId))).toMatchObject([{ uploadId: 'two' }]);
});

test('one that is cancelled, or that nobody knows, does not arrive', async () => {
  const { client, accountId, open, until, heard } = await world();
  void client.upload(accountId, requestOf('one'));
  await until(() => heard.uploadProgress.length > 0);
  await client.cancelUpload('one');
  open();
  expect(codeOf(await client.uploadOutcome(accountId, 'one'))).toBe('CANCELLED');
  expect(codeOf(await client.uploadOutcome(accountId, 'two'))).toBe('UPLOAD_GONE');
});

test('the file of one that failed without its page is kept, and sent again', async () => {
  const { client, accountId, open, fail, until, heard } = await world();
  const failing = client.upload(accountId, requestOf('one'));
  await until(() => heard.uploadProgress.length > 0);
  await client.noteUploads(accountId, [leftOf('one', 0)]);
  fail();
  expect(codeOf(await failing)).toBe('UNREACHABLE');
  const [taken] = valueOf(await client.resumeUploads(accountId));
  expect(taken).toMatchObject({ uploadId: 'one', canRetry: true });
  expect(codeOf(await client.uploadOutcome(accountId, 'one'))).toBe('UNREACHABLE');
  expect(client.countUnfinishedUploads()).toBe(1);
  const again = client.retryUpload(accountId, 'one');
  open();
  expect(valueOf(await again)).toMatch(/^\/user_uploads\/.*plan\.txt$/);
  expect(client.countUnfinishedUploads()).toBe(0);
  expect(codeOf(await client.retryUpload(accountId, 'one'))).toBe('UPLOAD_GONE');
});

test('one that is taken away is not kept', async () => {
  const { client, accountId, fail, until, heard } = await world();
  const failing = client.upload(accountId, requestOf('one'));
  await until(() => heard.uploadProgress.length > 0);
  fail();
  await failing;
  await client.cancelUpload('one');
  expect(client.countUnfinishedUploads()).toBe(0);
  expect(await isHeld('one')).toBe(false);
  expect(codeOf(await client.retryUpload(accountId, 'one'))).toBe('UPLOAD_GONE');
});

test('a file that is given up before it is sent is not kept either', async () => {
  const { client, accountId } = await world();
  const request = requestOf('one');
  await client.cancelUpload('one');
  expect(codeOf(await client.upload(accountId, request))).toBe('UPLOAD_GONE');
});

test('the files of the last hundred uploads that failed are kept', async () => {
  const released: string[] = [];
  const uploads = createBackgroundUploads({
    send: async () => failure('UNREACHABLE', 'Nobody answers.'),
    tell: () => undefined,
    release: (uploadId) => released.push(uploadId),
  });
  for (let id = 0; id < 102; id += 1) await uploads.send(requestOf(String(id)));
  expect(released).toEqual(['0', '1']);
  expect(codeOf(await uploads.retry('1'))).toBe('UPLOAD_GONE');
  expect(codeOf(await uploads.retry('2'))).toBe('UNREACHABLE');
});

test('an upload goes on with the next program from where the service is, and has its address for the one after', async () => {
  const bytes = new Uint8Array(3 * 1024 * 1024).map((_, index) => index % 251);
  held.hold('film', new Blob([bytes]));
  let stored: readonly StoredUpload[] = [];
  const storage = {
    ...memoryStorage(),
    openUploads: () => ({
      read: async () => stored,
      write: async (uploads: readonly StoredUpload[]) => void (stored = structuredClone(uploads)),
    }),
  };
  const program = (most: number) => {
    const sent = { pieces: 0, bytes: 0, isStuck: false };
    const real = createRealClient({
      ...{ heldFiles: held, storage },
      http: async (request) => {
        if (request.method !== 'PATCH') return desktopHttp(request);
        sent.isStuck = sent.pieces === most;
        if (sent.isStuck) return nothingUntil(request.signal);
        sent.pieces += 1;
        sent.bytes += request.body?.length ?? 0;
        return desktopHttp(request);
      },
    });
    const connected = { address: service.origin, email: 'ada@example.com', password: '' };
    return { ...real, sent, connect: async () => valueOf(await real.client.connect(connected)).id };
  };
  const first = program(1);
  const accountId = await first.connect();
  const left = { ...leftOf('film', 0), name: 'film.bin', sizeBytes: bytes.length };
  await first.client.noteUploads(accountId, [left]);
  void first.client.upload(accountId, { uploadId: 'film', name: 'film.bin', type: '' });
  await expect.poll(() => first.sent.isStuck).toBe(true);
  // The first one is still there, as one is that hangs: what is on the disk is all that is told to the next.
  const second = program(Infinity);
  await second.connect();
  expect(valueOf(await second.client.resumeUploads(accountId))).toMatchObject([
    { uploadId: 'film', view: left.view, at: 4, canRetry: true },
  ]);
  const uri = valueOf(await second.client.uploadOutcome(accountId, 'film'));
  expect(first.sent.bytes + second.sent.bytes).toBe(bytes.length);
  expect(first.sent.bytes).toBeGreaterThan(0);

  const third = program(0);
  await third.connect();
  expect(valueOf(await third.client.uploadOutcome(accountId, 'film'))).toBe(uri);
  await third.client.noteUploads(accountId, []);
  expect(stored).toEqual([]);
});

const nothingUntil = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
