/** An answer that stays open (API decisions 8.4), read as cheaply as `connection.ts` reads whole ones. */
import { type Place, reach } from './place.ts';

const READ_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';
const LINE_END = 10;
const CHUNK_END = 2;

/** Given whole lines, which are valid until it returns. */
type OnLines = (lines: Buffer) => void;

/** What has arrived of one answer in chunks. */
class ChunkReader {
  readonly #onLines: OnLines;
  #isBegun = false;
  /** What arrived and is not complete. */
  #rest = Buffer.alloc(0);
  /** The beginning of a line that goes on in the next chunk. */
  #line = Buffer.alloc(0);

  constructor(onLines: OnLines) {
    this.#onLines = onLines;
  }

  take(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const start = this.#isBegun ? 0 : this.#takeHead(all);
    const end = this.#isBegun ? this.#takeChunks(all, start) : 0;
    // A copy: the buffer that was read into is used again.
    this.#rest = Buffer.from(all.subarray(end));
  }

  #takeHead(all: Buffer): number {
    const end = all.indexOf(HEAD_END);
    if (end === -1) return 0;
    const head = all.toString('latin1', 0, end);
    if (head.slice(9, 12) !== '200' || !/^transfer-encoding: *chunked/im.test(head)) {
      throw new Error(`no stream: ${all.toString()}`);
    }
    this.#isBegun = true;
    return end + HEAD_END.length;
  }

  /** Answers where the first chunk begins that is not complete. */
  #takeChunks(all: Buffer, start: number): number {
    let at = start;
    while (at < all.length) {
      const sizeEnd = all.indexOf(LINE_END, at);
      if (sizeEnd === -1) break;
      const from = sizeEnd + 1;
      const to = from + Number.parseInt(all.toString('latin1', at, sizeEnd), 16);
      if (to + CHUNK_END > all.length) break;
      this.#takeData(all.subarray(from, to));
      at = to + CHUNK_END;
    }
    return at;
  }

  /** Who is in between may cut the chunks anew, in the middle of a line. */
  #takeData(data: Buffer): void {
    const lines = this.#line.length === 0 ? data : Buffer.concat([this.#line, data]);
    const end = lines.lastIndexOf(LINE_END) + 1;
    if (end > 0) this.#onLines(lines.subarray(0, end));
    this.#line = end === lines.length ? Buffer.alloc(0) : Buffer.from(lines.subarray(end));
  }
}

export interface OpenStream {
  /** Settles when the answer is over; rejects where it was none. */
  readonly over: Promise<void>;
  readonly close: () => void;
}

/** @param request  a whole request in ASCII */
export async function openStream(
  place: Place,
  request: string,
  onLines: OnLines,
): Promise<OpenStream> {
  const reader = new ChunkReader(onLines);
  const over = Promise.withResolvers<undefined>();
  const socket = await reach(place, {
    buffer: Buffer.allocUnsafe(READ_BYTES),
    callback(size, bytes) {
      try {
        reader.take(Buffer.from(bytes.buffer, bytes.byteOffset, size));
      } catch (error) {
        over.reject(error);
        socket.destroy();
      }
      return true;
    },
  });
  // A connection that was cut is an answer that is over: whoever reads asks again.
  socket.on('error', () => undefined);
  socket.on('close', () => over.resolve(undefined));
  socket.write(request, 'latin1');
  return { over: over.promise, close: () => socket.destroy() };
}
