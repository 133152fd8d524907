/** A service whose whole disk is full. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadRecoveryKit } from '#backup/archive/recovery-kit.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { makeSealedArchive } from '#backup/sealed-copy.ts';
import { archivesIn } from '../support/archives.ts';
import { ben, cleo, TestService } from '../support/service/api.ts';
import { canMount, fillDisk, smallDisk } from '../support/small-disk.ts';

test.skipIf(!canMount)(
  'on a full disk sending is refused with a sentence, reading goes on over a restart, a backup to another disk works, and room is enough to go on [full-disk.sending-refused-sentence]',
  async () => {
    const [disk, other] = [await smallDisk(40), await smallDisk(20)];
    const [temporary] = [process.env['TMPDIR']];
    // What is temporary comes onto the full disk as well.
    process.env['TMPDIR'] = disk;
    onTestFinished(() => {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    });
    const dataDir = join(disk, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const service = new TestService(dataDir, {});
    await service.start();
    onTestFinished(() => service.halt());
    const first = await service.say(ben, 'general', 'disk', 'a kingfisher before it was full');
    const backUp = () =>
      makeSealedArchive(
        { dataDir, into: other, version: '1', filesBeside: null },
        new Date(),
        new AbortController().signal,
      );
    for (const each of [cleo, 'ada@example.com']) await service.keyOf(each);
    const freeForCode = await fillDisk(disk);
    await expect(backUp()).rejects.toThrow(
      /^The disk of .*data is full, and the recovery code cannot be kept there/,
    );
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/^recovery/));
    await freeForCode();
    await loadRecoveryKit(dataDir);
    const free = await fillDisk(disk);
    const send = () =>
      service.answer(ben, api.messages.send, {
        ...{ type: 'stream', to: 'general', topic: 'disk', content: 'x'.repeat(9000) },
      });
    let answer = await send();
    for (let round = 0; answer.status === 200 && round < 500; round += 1) answer = await send();
    expect(answer).toMatchObject({
      status: 507,
      body: {
        code: 'DISK_FULL',
        msg: expect.stringMatching(/^The disk of the service is full/) as string,
      },
    });
    const isRead = async () => (await service.read(ben, first))?.content;
    expect(await isRead()).toContain('kingfisher');
    await service.halt();
    await fillDisk(disk);
    const alone = await backUp();
    expect(alone.notes).toEqual([
      expect.stringMatching(/^The disk of .* is full: make room there\. .* lay unsealed in/),
      expect.stringMatching(/cannot be written \(ENOSPC\)/),
    ]);
    await service.start();
    expect(await isRead()).toContain('kingfisher');
    const found = await service.ask(cleo, api.messages.page, {
      ...{ anchor: 'newest', num_before: 5, num_after: 0 },
      narrow: [{ operator: 'search', operand: 'kingfisher' }],
    });
    expect(found.messages.map(({ id }) => id)).toEqual([first]);
    const { warnings } = await service.ask('ada@example.com', api.health.show);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/^the disk of .* is full: everything can be read/) as string,
      }),
    );
    await fillDisk(disk);
    expect(await isRead()).toContain('kingfisher');
    expect((await backUp()).notes).toHaveLength(2);
    expect(archivesIn(other)).toHaveLength(2);
    await free();
    expect((await send()).status).toBe(200);
  },
);

test.skipIf(!canMount)(
  'on a disk without a free byte the service starts for reading every time, also where its reserve is gone, and what it logs names the disk',
  async () => {
    const disk = await smallDisk(20);
    const dataDir = join(disk, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const service = new TestService(dataDir, {});
    await service.start();
    onTestFinished(() => service.halt());
    const first = await service.say(ben, 'general', 'disk', 'a kingfisher before it was full');
    await service.halt();
    const written: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    onTestFinished(() => write.mockRestore());
    const startsForReading = async (): Promise<void> => {
      await fillDisk(disk);
      await service.start();
      // Whatever it gave up for this is anybody's.
      await fillDisk(disk);
      expect((await service.read(ben, first))?.content).toContain('kingfisher');
      await service.halt();
    };
    await startsForReading();
    await startsForReading();
    await startsForReading();
    await rm(join(dataDir, 'hearth-reserve'));
    await startsForReading();
    await startsForReading();
    expect(written).not.toContainEqual(expect.stringContaining('"stack"'));
    expect(written).toContainEqual(
      expect.stringContaining(`the disk of ${dataDir} is full: everything can be read`),
    );
  },
);
