import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ limits: { uploadBytes: 100_000 } });
});
afterAll(() => service.stop());

const MIB = 1024 ** 2;

interface FilePart {
  readonly name?: string;
  readonly type?: string;
  readonly part?: string;
}

function formWith(bytes: string | Uint8Array<ArrayBuffer>, how: FilePart = {}): FormData {
  const form = new FormData();
  const blob = new Blob([bytes], { type: how.type ?? '' });
  form.set(how.part ?? 'file', blob, how.name ?? 'notes.txt');
  return form;
}

async function upload(
  who: string,
  bytes: string | Uint8Array<ArrayBuffer> = 'text',
  how: FilePart = {},
): Promise<string> {
  const { uri, url } = await service.ask(
    who,
    api.uploads.upload,
    {},
    { body: formWith(bytes, how) },
  );
  expect(url).toBe(uri);
  return uri;
}

async function download(
  who: string | null,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = who === null ? {} : { authorization: await service.authorization(who) };
  return fetch(new URL(path, service.origin), { headers: { ...authorization, ...headers } });
}

const statusFor = async (who: string | null, path: string): Promise<number> =>
  (await download(who, path)).status;

const attachmentsOf = async (who: string) => (await service.ask(who, api.uploads.list)).attachments;

const everybody = [ada, ben, cleo, gus, echoBot];

const registerAll = async (): Promise<readonly TestQueue[]> =>
  Promise.all(everybody.map((who) => service.register(who)));

/** Who heard what, of those that heard anything. */
async function heardBy(queues: readonly TestQueue[]): Promise<Record<string, readonly string[]>> {
  const heard = await Promise.all(
    queues.map(async (each) => [each.who, await each.heard()] as const),
  );
  return Object.fromEntries(heard.filter(([, events]) => events.length > 0));
}

describe('an upload', () => {
  test('an upload is answered with its address, listed, and fetched as it was sent [uploads.answered-address-listed]', async () => {
    const bytes = new Uint8Array(70_000).map((_, index) => index % 251);
    const uri = await upload(ben, bytes, { name: 'data.bin', part: 'anything at all' });
    expect(uri).toMatch(/^\/user_uploads\/1\/[\w-]{24}\/data\.bin$/);
    const response = await download(ben, uri);
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect((await attachmentsOf(ben)).at(-1)).toEqual({
      id: expect.any(Number),
      name: 'data.bin',
      path_id: uri.slice('/user_uploads/'.length),
      size: 70_000,
      create_time: expect.any(Number),
      messages: [],
    });
  });

  test.each([
    ['plan B.pdf', 'plan-B.pdf', 'plan B.pdf'],
    ['報告.pdf', '報告.pdf', '報告.pdf'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\temp\\a(1)[2].txt', 'a12.txt', 'a(1)[2].txt'],
    ['.hidden', 'hidden', '.hidden'],
    ['???', 'file', '???'],
    [`${'x'.repeat(150)}.txt`, `${'x'.repeat(96)}.txt`, `${'x'.repeat(150)}.txt`],
  ])(
    'an upload of %j gets the safe name %j and keeps the name %j [uploads.gets-safe-name]',
    async (sent, safe, kept) => {
      const uri = await upload(ben, 'x', { name: sent });
      expect(uri.split('/').at(-1)).toBe(safe);
      expect((await attachmentsOf(ben)).at(-1)?.name).toBe(kept);
      expect(await (await download(ben, encodeURI(uri))).text()).toBe('x');
    },
  );

  test('an upload of an empty file is a file', async () => {
    const response = await download(ben, await upload(ben, ''));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('the owner of an upload, and nobody else, is told once it is there and once it is gone [uploads.owner-nobody-else]', async () => {
    const queues = await registerAll();
    const uri = await upload(gus, 'four', { name: 'a.txt' });
    const [event] = (await queues[3]?.now()) ?? [];
    expect(event).toMatchObject({
      type: 'attachment',
      op: 'add',
      attachment: { path_id: uri.slice(14), size: 4, messages: [] },
      upload_space_used: (await service.ask(ben, api.uploads.list)).upload_space_used,
    });
    expect(await heardBy(queues)).toEqual({});
    const [file] = await attachmentsOf(gus);
    await service.ask(gus, api.uploads.remove, { attachment_id: file?.id });
    expect(await heardBy(queues)).toEqual({ [gus]: ['attachment remove'] });
    expect(await attachmentsOf(gus)).toEqual([]);
    expect(await statusFor(gus, uri)).toBe(404);
  });

  test('an upload is refused without a file, with two files, and when it is too large [uploads.refused-without-file]', async () => {
    const two = formWith('a');
    two.set('second', new Blob(['b']), 'b.txt');
    const field = new FormData();
    field.set('file', 'only text');
    const large = formWith('x'.repeat(100_001));
    for (const body of [two, field, large]) {
      const refusal = await service.refuse(ben, api.uploads.upload, {}, { body });
      expect(refusal.code).toBe('BAD_REQUEST');
    }
    expect((await service.refuse(ben, api.uploads.upload)).code).toBe('BAD_REQUEST');
    const whole = await upload(ben, 'x'.repeat(100_000));
    expect((await download(ben, whole)).headers.get('content-length')).toBe('100000');
  });

  test('an upload beyond the transport limit is not read at all', async () => {
    const body = formWith('x'.repeat(400_000));
    const answer = await service.send(ben, 'POST /user_uploads', {}, { body });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  test('an upload may be as large as the organization allows, from the moment it does', async () => {
    const sized = (mib: number, more = 0) => ({ body: formWith('x'.repeat(mib * MIB + more)) });
    const allow = (mib: number) =>
      service.ask(ada, api.realm.update, { max_file_upload_size: mib });
    const queue = await service.register(gus, { event_types: ['realm'] });
    expect(await allow(2)).toEqual({ max_file_upload_size: 2 });
    expect(await queue.heard()).toEqual(['realm max_file_upload_size 2']);
    const { body } = await service.send(ben, 'POST /register', { fetch_event_types: ['realm'] });
    expect(body).toMatchObject({ max_file_upload_size: 2 });
    expect(body).not.toHaveProperty('realm_max_file_upload_size');
    await service.ask(ben, api.uploads.upload, {}, sized(2));
    const refusal = await service.refuse(ben, api.uploads.upload, {}, sized(2, 1));
    expect(refusal.msg).toBe('Uploaded file is larger than the allowed limit of 2 MiB');
    const answer = await service.send(ben, 'POST /user_uploads', {}, sized(3));
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    await allow(30);
    await service.ask(ben, api.uploads.upload, {}, sized(30));
    for (const mib of [0, 4097]) {
      const { msg } = await service.refuse(ada, api.realm.update, { max_file_upload_size: mib });
      expect(msg).toBe(`max_file_upload_size must be from 1 to 4096 (MiB), not ${mib}`);
    }
    service.change("UPDATE realm SET settings = '{}'");
  });

  test('an upload is refused when the organization has no room left [uploads.refused-organization-no]', async () => {
    const { upload_space_used: used } = await service.ask(ben, api.uploads.list);
    service.change('UPDATE realm SET settings = ?', JSON.stringify({ upload_quota: used + 10 }));
    const body = formWith('x'.repeat(11));
    const refusal = await service.refuse(ben, api.uploads.upload, {}, { body });
    expect(refusal.code).toBe('REALM_UPLOAD_QUOTA');
    await upload(ben, 'x'.repeat(10));
    service.change("UPDATE realm SET settings = '{}'");
  });

  test('an upload needs an account that may do more than send', async () => {
    const body = formWith('a');
    expect((await service.refuse(null, api.uploads.upload, {}, { body })).code).toBe(
      'UNAUTHORIZED',
    );
    expect((await service.refuse(hookBot, api.uploads.upload, {}, { body })).code).toBe(
      'UNAUTHORIZED',
    );
    await upload(echoBot);
  });
});

describe('deleting', () => {
  test("somebody else's file or none is refused", async () => {
    await upload(ben);
    const id = (await attachmentsOf(ben)).at(-1)?.id;
    for (const attachment of [id, 999_999]) {
      const params = { attachment_id: attachment };
      expect((await service.refuse(cleo, api.uploads.remove, params)).code).toBe('BAD_REQUEST');
    }
  });

  test('the deletion of a file takes it away from the messages that link to it', async () => {
    const uri = await upload(ben);
    await service.say(ben, 'general', 'files', `[here](${uri})`);
    expect(await statusFor(cleo, uri)).toBe(200);
    const id = (await attachmentsOf(ben)).at(-1)?.id;
    await service.ask(ben, api.uploads.remove, { attachment_id: id });
    expect(await statusFor(cleo, uri)).toBe(404);
  });
});

describe('a file is seen', () => {
  test('an uploaded file is seen by its uploader alone until a message links to it [uploads.uploaded-file-seen]', async () => {
    const uri = await upload(ben);
    expect(await statusFor(ben, uri)).toBe(200);
    expect(await statusFor(ada, uri)).toBe(403);
    expect(await statusFor(null, uri)).toBe(401);
    expect(await statusFor(ada, '/user_uploads/1/nothing/here.txt')).toBe(404);
  });

  test('a file in a private conversation is seen by its participants', async () => {
    const uri = await upload(ben);
    await service.tell(ben, [cleo], `[plan](${uri})`);
    expect(await statusFor(cleo, uri)).toBe(200);
    expect(await statusFor(ada, uri)).toBe(403);
  });

  test('a file in a public stream is seen by members, and by guests who are in the stream', async () => {
    const [general, engineering] = [await upload(ben), await upload(ben)];
    await service.say(ben, 'general', 'files', `[a](${general})`);
    await service.say(ben, 'engineering', 'files', `[b](${engineering})`);
    expect(await statusFor(gus, general)).toBe(200);
    expect(await statusFor(cleo, engineering)).toBe(200);
    expect(await statusFor(gus, engineering)).toBe(403);
  });

  test('a file in a private stream is seen by those who held the message or may read its history [uploads.file-private-stream]', async () => {
    const uri = await upload(ben);
    await service.say(ben, 'leads', 'files', `[secret](${uri})`);
    expect(await statusFor(ada, uri)).toBe(200);
    expect(await statusFor(cleo, uri)).toBe(403);
    await service.join(ada, ['leads'], { principals: [cleo] });
    expect(await statusFor(cleo, uri)).toBe(403);
    service.change("UPDATE stream SET is_history_public = 1 WHERE name = 'leads'");
    expect(await statusFor(cleo, uri)).toBe(200);
    service.change("UPDATE stream SET is_history_public = 0 WHERE name = 'leads'");
  });

  test('whoever merely knows the address of a file and writes it down does not see the file', async () => {
    const uri = await upload(ben);
    const id = await service.tell(cleo, [cleo], `[mine now](${uri})`);
    expect(await service.read(cleo, id)).toBeDefined();
    expect(await statusFor(cleo, uri)).toBe(403);
    expect((await attachmentsOf(ben)).at(-1)?.messages).toEqual([]);
  });

  test('a key in the address opens a file, but not the key of an incoming webhook bot [uploads.key-address-opens]', async () => {
    const uri = await upload(ben);
    expect(await statusFor(null, `${uri}?api_key=${await service.keyOf(ben)}`)).toBe(200);
    expect(await statusFor(null, `${uri}?api_key=${await service.keyOf(cleo)}`)).toBe(403);
    expect(await statusFor(null, `${uri}?api_key=wrong`)).toBe(401);
    expect(await statusFor(null, `${uri}?api_key=${await service.keyOf(hookBot)}`)).toBe(401);
    expect(await statusFor(hookBot, uri)).toBe(401);
  });
});

describe('a message that links to a file', () => {
  test('a message that links to a file is named in the list of files, and the owner alone is told [uploads.message-links-file]', async () => {
    const uri = await upload(ben, 'x', { name: 'ä b.txt' });
    const queues = await registerAll();
    const id = await service.say(cleo, 'engineering', 'links', `nothing of mine ${uri}`);
    const own = await service.say(ben, 'engineering', 'links', `[a](${uri}) and [b](${uri})`);
    const { timestamp = 0 } = (await service.read(ben, own)) ?? {};
    const sent = timestamp * 1000;
    expect((await attachmentsOf(ben)).at(-1)?.messages).toEqual([
      { id: own, name: sent, date_sent: sent },
    ]);
    expect(await heardBy(queues)).toEqual({
      [ada]: [`message ${id}`, `message ${own}`],
      [ben]: [`message ${id}`, 'attachment update', `message ${own}`],
    });
    expect(
      await service.rowsAdded(() => service.say(ben, 'general', 'links', 'no file')),
    ).not.toHaveProperty('attachment_message');
  });

  test('a link in a message opens the file until it is edited away or the message is deleted', async () => {
    const uri = await upload(ben);
    const id = await service.say(ben, 'engineering', 'links', `[a](${uri})`);
    expect(await statusFor(cleo, uri)).toBe(200);
    await service.ask(ben, api.lifecycle.edit, { message_id: id, content: 'gone' });
    expect(await statusFor(cleo, uri)).toBe(403);
    await service.ask(ben, api.lifecycle.edit, { message_id: id, content: `[a](${uri})` });
    expect(await statusFor(cleo, uri)).toBe(200);
    expect((await attachmentsOf(ben)).at(-1)?.messages).toMatchObject([{ id }]);
    await service.ask(ada, api.lifecycle.delete, { message_id: id });
    expect(await statusFor(cleo, uri)).toBe(404);
  });
});

describe('a download', () => {
  test.each([
    ['a.png', '', 'image/png', 'inline'],
    ['a.JPG', 'text/html', 'image/jpeg', 'inline'],
    ['a.pdf', '', 'application/pdf', 'inline'],
    ['a.txt', '', 'text/plain; charset=utf-8', 'attachment'],
    ['a.mp4', '', 'video/mp4', 'attachment'],
    ['a', 'Image/GIF', 'image/gif', 'inline'],
    ['a.xyz', 'chemical/x-xyz; q=1', 'application/octet-stream', 'attachment'],
    ['a.unknown', '', 'application/octet-stream', 'attachment'],
    ['a.unknown', 'no type', 'application/octet-stream', 'attachment'],
  ])(
    'a download of %j sent as %j is %j, %s [uploads.download-sent]',
    async (name, type, contentType, disposition) => {
      const { headers } = await download(ben, await upload(ben, 'x', { name, type }));
      expect(headers.get('content-type')).toBe(contentType);
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}; `));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      if (contentType !== 'application/pdf') {
        expect(headers.get('content-security-policy')).toContain('sandbox');
      }
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  test.each([
    ['a.js', 'text/javascript'],
    ['a.mjs', 'application/javascript'],
    ['a', 'application/x-ecmascript'],
    ['a.html', ''],
    ['a.htm', 'text/plain'],
    ['a.xhtml', 'application/xhtml+xml'],
    ['a.svg', ''],
    ['a.xml', 'text/xml'],
    ['a.rss', 'application/rss+xml'],
    ['a.css', 'text/css'],
    ['a.json', ''],
    ['a.wasm', 'application/wasm'],
    ['a.webmanifest', 'application/manifest+json'],
  ])(
    '%j sent as %j is served as bytes that no page runs [uploads.sent-served-bytes]',
    async (name, type) => {
      const uri = await upload(ben, 'self.x = 1', { name, type });
      const answer = await download(ben, uri);
      const { headers } = answer;
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(headers.get('content-security-policy')).toMatch(/; sandbox$/);
      expect(await answer.text()).toBe('self.x = 1');
    },
  );

  test('nothing is served to a page that would run it, picture or not, whoever asks [uploads.nothing-served-page]', async () => {
    const uri = await upload(ben, 'self.x = 1', { name: 'a.txt' });
    const active = ['script', 'serviceworker', 'sharedworker', 'worker', 'audioworklet', 'style'];
    const asked: readonly Readonly<Record<string, string>>[] = [
      { 'service-worker': 'script' },
      ...active.map((destination) => ({ 'sec-fetch-dest': destination })),
    ];
    const paths = [
      `${uri}?api_key=${await service.keyOf(ben)}`,
      '/user_avatars/x.png',
      '/avatar/2',
    ];
    for (const headers of asked) {
      for (const path of paths) {
        const answer = await fetch(new URL(path, service.origin), { headers });
        expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
        expect(await answer.text()).not.toContain('self.x');
      }
    }
    for (const destination of ['document', 'image', 'empty']) {
      const headers = { 'sec-fetch-dest': destination };
      expect((await fetch(new URL(paths[0] ?? '', service.origin), { headers })).status).toBe(200);
    }
  });

  test('a download names the file in every alphabet', async () => {
    const { headers } = await download(
      ben,
      encodeURI(await upload(ben, 'x', { name: 'a "報告".txt' })),
    );
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="a ____.txt"; filename*=UTF-8''a%20%22%E5%A0%B1%E5%91%8A%22.txt`,
    );
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-4', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ])(
    'a download with the range %j is answered with %i',
    async (range, status, text, contentRange) => {
      const response = await download(ben, await upload(ben, '0123456789'), { range });
      expect(response.status).toBe(status);
      expect(await response.text()).toBe(text);
      expect(response.headers.get('content-range')).toBe(contentRange);
      expect(response.headers.get('content-length')).toBe(String(text.length));
    },
  );

  test('a download is not sent again to whoever has it, and a range of another version is the whole file', async () => {
    const uri = await upload(ben, '0123456789');
    const etag = (await download(ben, uri)).headers.get('etag') ?? '';
    expect(await statusFor(ben, uri)).toBe(200);
    expect((await download(ben, uri, { 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
    expect((await download(ben, uri, { 'if-none-match': '"x"' })).status).toBe(200);
    const ranged = (ifRange: string) =>
      download(ben, uri, { range: 'bytes=0-0', 'if-range': ifRange });
    expect((await ranged(etag)).status).toBe(206);
    expect((await ranged('"x"')).status).toBe(200);
  });

  test('a download can be asked about by HEAD and OPTIONS, and by no other method', async () => {
    const uri = await upload(ben, '0123456789');
    const headers = { authorization: await service.authorization(ben) };
    const ask = (method: string) => fetch(new URL(uri, service.origin), { method, headers });
    const head = await ask('HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      '10',
      '',
    ]);
    const options = await ask('OPTIONS');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
    expect((await ask('DELETE')).status).toBe(405);
  });

  test('a download of bytes that are gone finds nothing', async () => {
    const uri = await upload(ben);
    service.change("UPDATE attachment SET path = '1/lost/a.txt' WHERE path = ?", uri.slice(14));
    expect(await statusFor(ben, '/user_uploads/1/lost/a.txt')).toBe(404);
  });
});

test('files and who may see them are there after a restart', async () => {
  const uri = await upload(ben, 'still here');
  await service.tell(ben, [cleo], `[a](${uri})`);
  await service.restart();
  expect(await (await download(cleo, uri)).text()).toBe('still here');
  expect(await statusFor(ada, uri)).toBe(403);
});
