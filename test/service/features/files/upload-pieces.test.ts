import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { RawConnection } from '#test/service/http/service-double.ts';
import { upload } from '#test/support/images.ts';
import { ada, ben, cleo, echoBot, idOf, startTestService } from '#test/support/service/api.ts';
import type { TestService } from '#test/support/service/api.ts';

const QUOTA = 1_000_000;
const DAY = 24 * 60 * 60;
const limits = { uploadBytes: 400_000, personUploadBytes: QUOTA, personUploads: 5 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ limits });
});
afterAll(() => service.stop());
beforeEach(() => {
  for (const table of ['unfinished_upload', 'attachment_message', 'attachment']) {
    service.change(`DELETE FROM ${table}`);
  }
});

const begin = (who: string, size: number, name = 'film.mp4') =>
  service.ask(who, api.uploads.begin, { name, size });
const stateOf = (who: string, id: string) => service.ask(who, api.uploads.state, { upload_id: id });
const finish = (who: string, id: string) => service.ask(who, api.uploads.finish, { upload_id: id });
const at = (id: string, offset: unknown) => ({ upload_id: id, offset });
const bodyOf = (content: string) => ({ body: new Blob([content]) });
const send = (who: string, id: string, offset: number, content: string) =>
  service.ask(who, api.uploads.piece, at(id, offset), bodyOf(content));
const refuse = (who: string, id: string, offset: unknown, content: string) =>
  service.refuse(who, api.uploads.piece, at(id, offset), bodyOf(content));

async function download(who: string, uri: string): Promise<string> {
  const headers = { authorization: await service.authorization(who) };
  return (await fetch(new URL(uri, service.origin), { headers })).text();
}

const folder = (): string => join(service.dataDir, 'files', 'uploads', '1');
const storedBytes = (id: string): Promise<number> =>
  stat(join(folder(), id)).then(
    ({ size }) => size,
    () => -1,
  );

/** A piece of which the end does not come. */
async function half(id: string, announced: number, content: string): Promise<RawConnection> {
  const { port } = new URL(service.origin);
  const connection = new RawConnection(Number(port));
  onTestFinished(() => connection.close());
  const lines = [
    `PATCH /api/v1/uploads/${id}?offset=0 HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${await service.authorization(ben)}`,
    `Content-Length: ${announced}`,
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n${content}`);
  return connection;
}

describe('a file in pieces', () => {
  test('a file in pieces becomes one of those that came whole, and its owner alone is told [pieces.become-uploaded-file]', async () => {
    const queue = await service.register(ben);
    const other = await service.register(cleo);
    const { upload_id: id, ...begun } = await begin(ben, 12, '../Plan B (1).pdf');
    expect(begun).toEqual({ size: 12, offset: 0, expires: expect.any(Number) });
    expect(await send(ben, id, 0, 'one two')).toMatchObject({ offset: 7 });
    expect(await send(ben, id, 7, '')).toMatchObject({ offset: 7 });
    expect(await stateOf(ben, id)).toMatchObject({ upload_id: id, size: 12, offset: 7 });
    expect(await queue.heard()).toEqual([]);
    expect(await send(ben, id, 7, ' four')).toMatchObject({ offset: 12 });
    const { uri, url } = await finish(ben, id);
    expect([uri, url]).toEqual([`/user_uploads/1/${id}/Plan-B-1.pdf`, uri]);
    expect(await download(ben, uri)).toBe('one two four');
    const { attachments } = await service.ask(ben, api.uploads.list);
    expect(attachments).toMatchObject([{ name: 'Plan B (1).pdf', size: 12 }]);
    expect(await queue.heard()).toEqual(['attachment add']);
    expect(await other.heard()).toEqual([]);
  });

  test('a file in pieces is finished as often as somebody asks, and there once [pieces.finished-again-same]', async () => {
    const { upload_id: id } = await begin(ben, 3);
    await send(ben, id, 0, 'abc');
    const answers = await Promise.all([finish(ben, id), finish(ben, id), finish(ben, id)]);
    expect(new Set(answers.map(({ uri }) => uri)).size).toBe(1);
    const { attachments } = await service.ask(ben, api.uploads.list);
    expect(attachments).toHaveLength(1);
    expect((await refuse(ben, id, 3, 'd')).msg).toBe('The upload is finished');
    // Whoever gives it up then does not take the file along.
    await service.ask(ben, api.uploads.abandon, { upload_id: id });
    expect(await download(ben, answers[0].uri)).toBe('abc');
  });

  test('an empty file is finished without a piece', async () => {
    const { upload_id: id } = await begin(ben, 0);
    expect(await download(ben, (await finish(ben, id)).uri)).toBe('');
  });

  test('what came of a piece that broke off stays, and whoever asks goes on from there [pieces.broken-piece-stays]', async () => {
    const content = 'abcdefghij'.repeat(20_000);
    const { upload_id: id } = await begin(ben, content.length);
    await half(id, content.length, content.slice(0, 150_000));
    await expect.poll(() => storedBytes(id)).toBeGreaterThan(0);
    // The connection is still open: who asks does not wait for it.
    const { offset } = await stateOf(ben, id);
    expect(offset).toBeGreaterThan(60_000);
    await send(ben, id, offset, content.slice(offset));
    expect((await download(ben, (await finish(ben, id)).uri)) === content).toBe(true);
  });

  test('of two who write at once one goes on, and nothing is mixed [pieces.two-writers-one]', async () => {
    const size = 300_000;
    const { upload_id: id } = await begin(ben, size);
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((letter) =>
        service.answer(ben, api.uploads.piece, at(id, 0), bodyOf(letter.repeat(size))),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
    const { offset } = await stateOf(ben, id);
    await send(ben, id, offset, '-'.repeat(size - offset));
    const { uri } = await finish(ben, id);
    expect(await download(ben, uri)).toMatch(/^(a*|b*|c*)-*$/);
  });

  test.each([
    ['before what is there', 2],
    ['behind a gap', 4],
    ['at a negative offset', -1],
    ['at an offset that is no number', 'x'],
    ['at an offset that no file has', 2 ** 53],
  ])(
    'a piece %s is refused, and nothing is changed [pieces.only-where-ends]',
    async (_, offset) => {
      const { upload_id: id } = await begin(ben, 10);
      await send(ben, id, 0, 'abc');
      const { code, msg } = await refuse(ben, id, offset, 'def');
      expect(msg).toMatch(/offset|The next piece of the upload begins at byte 3/);
      expect(['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID']).toContain(code);
      expect(await stateOf(ben, id)).toMatchObject({ offset: 3 });
    },
  );

  test('a piece beyond the end is refused as a whole, and one that is too long before it is read [pieces.never-beyond-end]', async () => {
    const { upload_id: id } = await begin(ben, 10);
    await send(ben, id, 0, 'abc');
    expect((await refuse(ben, id, 3, 'defghijk')).msg).toBe(
      'The piece goes beyond the end of the upload, which has 10 bytes',
    );
    expect((await refuse(ben, id, 3, 'x'.repeat(200_000))).code).toBe('BAD_REQUEST');
    const connection = await half(id, 16 * 1024 ** 2 + 1, '');
    expect(await connection.received(/\}/)).toMatch(/^HTTP\/1\.1 413/);
    expect(await stateOf(ben, id)).toMatchObject({ offset: 3 });
    const { msg } = await service.refuse(ben, api.uploads.finish, { upload_id: id });
    expect(msg).toBe('The upload is not complete: 3 of 10 bytes are there');
  });

  test("somebody else's is answered as none, and so is one that was given up [pieces.others-answered-none]", async () => {
    const { upload_id: id } = await begin(ben, 3);
    await send(ben, id, 0, 'abc');
    const refused = async (who: string, uploadId: string) => {
      const params = { upload_id: uploadId };
      const { state, finish: end, abandon } = api.uploads;
      const told = [
        await refuse(who, uploadId, 3, ''),
        ...(await Promise.all(
          [state, end, abandon].map((each) => service.refuse(who, each, params)),
        )),
      ];
      expect(new Set(told.map(({ msg }) => msg))).toEqual(new Set(['Invalid upload']));
    };
    for (const who of [cleo, ada, echoBot]) await refused(who, id);
    await service.ask(ben, api.uploads.abandon, { upload_id: id });
    for (const each of [id, 'x', '../../hearth.db', '%2e%2e']) await refused(ben, each);
    expect(await storedBytes(id)).toBe(-1);
  });

  test('a file that is too large is refused before any of it comes', async () => {
    for (const size of [400_001, 2 ** 53 - 1]) {
      const { code } = await service.refuse(ben, api.uploads.begin, { name: 'a', size });
      expect(code).toBe('BAD_REQUEST');
    }
    expect(await readdir(folder()).then((names) => names.length)).toBeGreaterThanOrEqual(0);
    expect((await service.refuse(ben, api.uploads.begin, { name: 'a', size: -1 })).code).toBe(
      'REQUEST_VARIABLE_INVALID',
    );
  });
});

describe('what has not come yet', () => {
  test('counts to the quota of its owner and of everybody, whoever is quicker [pieces.announced-bytes-count]', async () => {
    const sizes = [400_000, 400_000, 400_000];
    const answers = await Promise.all(
      sizes.map((size) => service.answer(ben, api.uploads.begin, { name: 'a', size })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    const over = answers.find(({ status }) => status === 400);
    expect(over?.body).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
    const whole = { body: upload(new Uint8Array(300_000), 'a.bin') };
    expect((await service.refuse(ben, api.uploads.upload, {}, whole)).code).toBe(
      'REALM_UPLOAD_QUOTA',
    );
    service.change('UPDATE realm SET settings = ?', JSON.stringify({ upload_quota: 900_000 }));
    const refusal = await service.refuse(cleo, api.uploads.begin, { name: 'a', size: 200_000 });
    expect(refusal.msg).toBe('Upload would exceed your organization’s upload quota');
    service.change("UPDATE realm SET settings = '{}'");
    const given = answers.find(({ status }) => status === 200)?.body['upload_id'];
    await service.ask(ben, api.uploads.abandon, { upload_id: given });
    await service.ask(ben, api.uploads.upload, {}, whole);
  });

  test('is of so many files at a time at most [pieces.so-many-unfinished]', async () => {
    const begun = await Promise.all(Array.from({ length: 5 }, () => begin(ben, 1)));
    const { msg } = await service.refuse(ben, api.uploads.begin, { name: 'a', size: 1 });
    expect(msg).toBe('You have 5 unfinished uploads: finish some of them or give them up first');
    const id = begun[0]?.upload_id ?? '';
    await send(ben, id, 0, 'x');
    await finish(ben, id);
    await begin(ben, 1);
  });

  test('is taken from nobody who was deactivated meanwhile [pieces.deactivated-takes-none]', async () => {
    const { upload_id: id } = await begin(cleo, 10);
    await send(cleo, id, 0, 'abc');
    await service.ask(ada, api.userAdmin.deactivate, { user_id: idOf[cleo] });
    expect((await refuse(cleo, id, 3, 'def')).code).toBe('USER_DEACTIVATED');
    await service.ask(ada, api.userAdmin.reactivate, { user_id: idOf[cleo] });
    service.forgetKey(cleo);
    expect(await stateOf(cleo, id)).toMatchObject({ offset: 3 });
  });

  test('goes on after a restart, and is thrown away a day after the last piece [pieces.abandoned-ends-day]', async () => {
    const [old, recent, done] = await Promise.all([begin(ben, 9), begin(ben, 9), begin(ben, 0)]);
    await send(ben, recent.upload_id, 0, 'abc');
    const { uri } = await finish(ben, done.upload_id);
    const age = 'UPDATE unfinished_upload SET moved_at = moved_at - ? WHERE id = ?';
    service.change(age, DAY + 10, old.upload_id);
    service.change(age, DAY + 10, done.upload_id);
    service.change(age, DAY - 1000, recent.upload_id);
    await service.restart();
    await expect.poll(() => storedBytes(old.upload_id)).toBe(-1);
    await expect.poll(() => service.rows('unfinished_upload').length).toBe(1);
    const { offset, expires } = await stateOf(ben, recent.upload_id);
    expect(offset).toBe(3);
    const moved = await send(ben, recent.upload_id, 3, 'defghi');
    expect(moved.expires).toBeGreaterThan(expires + DAY / 2);
    expect(await download(ben, (await finish(ben, recent.upload_id)).uri)).toBe('abcdefghi');
    expect(await download(ben, uri)).toBe('');
  });
});
