import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { hasRoomFor } from '#service/features/files/operations/disk-space.ts';
import { heavyPng, upload } from '#test/support/images.ts';
import { ada, ben, cleo, idOf, startTestService } from '#test/support/service/api.ts';
import { canMount, smallDisk } from '#test/support/small-disk.ts';

const MIB = 1024 ** 2;
const GIB = 1024 * MIB;

test.each([
  ['of a large disk a gibibyte stays free', GIB, 1000 * GIB],
  ['of a small disk a twentieth does', 5 * MIB, 100 * MIB],
])('%s', (_, floorBytes, totalBytes) => {
  const room = { freeBytes: floorBytes + 1000, totalBytes };
  expect(hasRoomFor(1000, room)).toBe(true);
  expect(hasRoomFor(1001, room)).toBe(false);
  expect(hasRoomFor(0, { freeBytes: floorBytes - 1, totalBytes })).toBe(false);
});

describe.skipIf(!canMount)('on a disk that is almost full', () => {
  test('no file is stored, administrators are told once, and messages go on [full-disk.no-file-stored]', async () => {
    const disk = await smallDisk(20);
    const service = await startTestService();
    onTestFinished(() => service.stop());
    await symlink(disk, join(service.dataDir, 'files'));
    const send = (who: string, content: Uint8Array<ArrayBuffer>) =>
      service.answer(who, api.uploads.upload, {}, { body: upload(content, 'large.bin') });
    expect(await send(ben, new Uint8Array(10 * MIB))).toMatchObject({ status: 200 });
    const large = new Uint8Array(9.5 * MIB);
    for (const who of [ben, cleo, ben]) {
      expect(await send(who, large)).toMatchObject({
        status: 400,
        body: {
          code: 'REALM_UPLOAD_QUOTA',
          msg: expect.stringMatching(/^The disk of the service is almost full/) as string,
        },
      });
    }
    const announced = { name: 'large.bin', size: large.length };
    expect((await service.refuse(ben, api.uploads.begin, announced)).code).toBe(
      'REALM_UPLOAD_QUOTA',
    );
    const told = await service.ask(ada, api.messages.page, {
      ...{ anchor: 'newest', num_before: 10, num_after: 0 },
      narrow: [{ operator: 'is', operand: 'private' }],
    });
    expect(told.messages.map(({ sender_id, flags }) => [sender_id, flags])).toEqual([
      [idOf[ben], []],
    ]);
    await service.ask(ben, api.messages.send, {
      ...{ type: 'private', to: [ada], content: 'Still here' },
    });
    // What fits is still taken, until the floor is reached.
    expect(await send(cleo, new Uint8Array(8 * MIB))).toMatchObject({ status: 200 });
    const face = await service.refuse(
      ben,
      api.avatars.set,
      {},
      {
        body: upload(heavyPng(2 * MIB)),
      },
    );
    expect(face.code).toBe('REALM_UPLOAD_QUOTA');
  });
});
