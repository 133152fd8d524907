import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HttpFetchFile, HttpFileRequest, SavePort } from '#client/ports.ts';
import { createFiles } from '#client/uploads/files.ts';
import { createSaves, type Saves } from '#client/uploads/saves.ts';
import { createFileTarget } from '#desktop/storage/file-target.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile } from '#desktop/system/http.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { codeOf } from '#test/support/client/client.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';
import { upload } from '#test/support/images.ts';

const content = new Uint8Array(3 * 1024 * 1024).map((_, index) => (index * 7) % 251);
let service: TestService;
let film: string;
beforeAll(async () => {
  service = await startTestService();
  film = (await service.ask(ada, api.uploads.upload, {}, { body: upload(content, 'film.bin') }))
    .uri;
});
afterAll(() => service.stop());

interface World extends Saves {
  readonly into: string;
  readonly shares: number[];
}

interface Parts {
  readonly fetchFile?: HttpFetchFile;
  readonly saving?: SavePort;
  readonly who?: string;
}

async function world({ fetchFile = desktopFetchFile, saving, who = ada }: Parts = {}) {
  const into = await mkdtemp(join(tmpdir(), 'hearth-saved-'));
  onTestFinished(() => rm(into, { recursive: true }));
  const files = createFiles({
    ...{ fetchFile, clock: desktopClock, address: service.origin },
    cache: { findFile: () => null, putFile: () => undefined },
    credentials: { email: who, key: await service.keyOf(who), hasMoved: async () => false },
  });
  const shares: number[] = [];
  const saves = createSaves({
    saving: saving ?? { choose: (name) => createFileTarget(join(into, name)) },
    saveProgress: ({ share }) => shares.push(share),
    write: files.write,
  });
  return { ...saves, into, shares } satisfies World;
}

const request = { saveId: 'a', name: 'film.bin' };
const saved = async ({ into }: World): Promise<boolean> =>
  (await readFile(join(into, 'film.bin'))).equals(content);

/** A line that breaks, once, when a third of the file has come. @param change  made to every later request */
function breaking(change: (request: HttpFileRequest) => HttpFileRequest = (same) => same) {
  const seen = { requests: 0, bytes: 0 };
  const fetchFile: HttpFetchFile = (asked) => {
    seen.requests += 1;
    const isFirst = seen.requests === 1;
    return desktopFetchFile({
      ...(isFirst ? asked : change(asked)),
      onBytes: async (bytes, about) => {
        if (isFirst && seen.bytes > content.length / 3) throw new Error('the connection ended');
        seen.bytes += bytes.length;
        await asked.onBytes?.(bytes, about);
      },
    });
  };
  return { seen, fetchFile };
}

describe('a file that is saved', () => {
  test('is written as it comes, and has its name when it is whole', async () => {
    const made = await world();
    expect(await made.save({ ...request, url: film })).toEqual({ ok: true, value: true });
    expect(await saved(made)).toBe(true);
    expect(await readdir(made.into)).toEqual(['film.bin']);
    expect(made.shares.length).toBeGreaterThan(10);
    expect(made.shares).toEqual(made.shares.toSorted((one, other) => one - other));
    expect(made.shares.at(-1)).toBe(1);
  });

  test('goes on after an interruption with what has not come yet', async () => {
    const { seen, fetchFile } = breaking();
    const made = await world({ fetchFile });
    expect(codeOf(await made.save({ ...request, url: film }))).toBe('ok');
    expect(await saved(made)).toBe(true);
    expect(seen).toEqual({ requests: 2, bytes: content.length });
  });

  test('is whole where something on the way knows of no ranges', async () => {
    const { seen, fetchFile } = breaking(({ headers: { Range: _, ...headers }, ...rest }) => ({
      ...{ ...rest, headers },
    }));
    const made = await world({ fetchFile });
    expect(codeOf(await made.save({ ...request, url: film }))).toBe('ok');
    expect(await saved(made)).toBe(true);
    expect(seen.bytes).toBeGreaterThan(content.length);
  });

  test('leaves nothing where it is cancelled, refused, or finds no room', async () => {
    const cancelled: World = await world({
      fetchFile: (asked) => {
        cancelled.cancelSave('a');
        return desktopFetchFile(asked);
      },
    });
    expect(await cancelled.save({ ...request, url: film })).toEqual({ ok: true, value: false });
    const refused = await world({ who: ben });
    expect(codeOf(await refused.save({ ...request, url: film }))).toBe('FORBIDDEN');
    const full: World = await world({
      saving: {
        choose: async (name) => ({
          ...(await createFileTarget(join(full.into, name))),
          write: () => Promise.reject(new Error('ENOSPC')),
        }),
      },
    });
    expect(codeOf(await full.save({ ...request, url: film }))).toBe('NOT_STORED');
    const unwritable = await world({
      saving: { choose: () => createFileTarget(join(film, 'nowhere')) },
    });
    expect(codeOf(await unwritable.save({ ...request, url: film }))).toBe('NOT_STORED');
    for (const { into } of [cancelled, refused, full, unwritable])
      expect(await readdir(into)).toEqual([]);
  });

  test('is asked for nowhere where the person chooses no place', async () => {
    const made = await world({
      saving: { choose: async () => null },
      fetchFile: () => Promise.reject(new Error('nobody asked for it')),
    });
    expect(await made.save({ ...request, url: film })).toEqual({ ok: true, value: false });
  });
});
