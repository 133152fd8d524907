/**
 * Files that go through the service and need no more of its memory, however long they are, also where it is killed in the
 * middle of one. The long form is of 4 GiB.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { growthsOf } from '#test/bench/process-figures.ts';
import { shortOrLong } from '#test/support/long.ts';
import {
  basicAuth,
  call,
  type Credentials,
  credentials,
  type RunningService,
  startServiceForTest,
} from '#test/support/service/service.ts';

const MIB = 1024 * 1024;
const PIECE = 4 * MIB;
const SIZE = shortOrLong(64, 4096) * MIB;
/** In one request, which has a minute. */
const WHOLE = shortOrLong(64, 248) * MIB;
const MOST_KIB = 32 * 1024;

/** Every piece is another one. */
function pieceAt(offset: number): Buffer {
  const piece = Buffer.alloc(PIECE, `piece ${String(offset)} `);
  piece.writeBigUInt64BE(BigInt(offset));
  return piece;
}

const limits = ['upload-bytes=4294967296', 'person-upload-bytes=17179869184'];
const options = { dev: true, args: limits.flatMap((limit) => ['--limit', limit]) };

/** How much more the service held at most than before. */
async function growthOf({ process: { pid = 0 } }: RunningService, work: () => Promise<void>) {
  const [growth = NaN] = await growthsOf([pid], work);
  return growth;
}

async function sendPiece(
  { origin }: RunningService,
  auth: Credentials,
  id: string,
  offset: number,
): Promise<number> {
  const response = await fetch(`${origin}/api/v1/uploads/${id}?offset=${String(offset)}`, {
    method: 'PATCH',
    headers: { authorization: basicAuth(auth) },
    body: new Uint8Array(pieceAt(offset)),
  });
  const body = (await response.json()) as { readonly offset: number };
  expect(body).toMatchObject({ result: 'success' });
  return body.offset;
}

/** A piece of which half comes; the service does not get to answer. */
async function halfAPiece(
  { origin }: RunningService,
  auth: Credentials,
  id: string,
  offset: number,
): Promise<void> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const head = [
    `PATCH /api/v1/uploads/${id}?offset=${String(offset)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${basicAuth(auth)}`,
    `Content-Length: ${String(PIECE)}`,
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(PIECE / 2, 'x'), resolve));
}

async function sendWhole({ origin }: RunningService, auth: Credentials): Promise<string> {
  const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="whole.bin"\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const sending = request(`${origin}/api/v1/user_uploads`, {
    method: 'POST',
    headers: {
      authorization: basicAuth(auth),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + WHOLE + tail.length,
    },
  });
  const answered = once(sending, 'response');
  sending.write(head);
  for (let offset = 0; offset < WHOLE; offset += PIECE) {
    if (!sending.write(pieceAt(offset))) await once(sending, 'drain');
  }
  sending.end(tail);
  const [response] = (await answered) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  const { uri, ...rest } = JSON.parse(text) as { readonly uri: string };
  expect(rest).toMatchObject({ result: 'success' });
  return uri;
}

function digestOf(size: number): string {
  const hash = createHash('sha256');
  for (let offset = 0; offset < size; offset += PIECE) hash.update(pieceAt(offset));
  return hash.digest('hex');
}

async function digestAt({ origin }: RunningService, auth: Credentials, uri: string) {
  const response = await fetch(`${origin}${uri}`, { headers: { authorization: basicAuth(auth) } });
  const hash = createHash('sha256');
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

test.skipIf(process.platform !== 'linux')(
  'a file of any length is taken in pieces and whole, over a service that is killed, and fetched again, in 32 MiB of memory',
  { timeout: shortOrLong(120_000, 1_800_000) },
  async () => {
    const first = await startServiceForTest(options);
    const auth = await credentials(first.origin, 'ben@example.com');
    const file = { name: 'film.mkv', size: SIZE };
    const { body: begun } = await call(first.origin, auth, 'POST', '/uploads', file);
    const id = String(begun['upload_id']);
    let offset = 0;
    offset = await sendPiece(first, auth, id, offset);
    const firstGrowth = await growthOf(first, async () => {
      while (offset < SIZE / 2) offset = await sendPiece(first, auth, id, offset);
    });
    await halfAPiece(first, auth, id, offset);
    await first.kill();

    const second = await startServiceForTest({ ...options, dataDir: first.dataDir });
    const { body: found } = await call(second.origin, auth, 'GET', `/uploads/${id}`);
    expect(found).toMatchObject({ offset, size: SIZE });
    offset = await sendPiece(second, auth, id, offset);
    const growths = { firstGrowth, secondGrowth: 0, whole: 0, fetched: 0 };
    growths.secondGrowth = await growthOf(second, async () => {
      while (offset < SIZE) offset = await sendPiece(second, auth, id, offset);
    });
    const { body: done } = await call(second.origin, auth, 'POST', `/uploads/${id}/finish`);
    growths.fetched = await growthOf(second, async () => {
      expect(await digestAt(second, auth, String(done['uri']))).toBe(digestOf(SIZE));
    });
    growths.whole = await growthOf(second, async () => {
      const uri = await sendWhole(second, auth);
      expect(await digestAt(second, auth, uri)).toBe(digestOf(WHOLE));
    });
    for (const growth of Object.values(growths)) expect(growth).toBeLessThan(MOST_KIB);
  },
);
