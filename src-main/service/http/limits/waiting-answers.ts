/**
 * Answers that are longer than what a connection takes at once (API decisions 13). Writing waits for the reader. What waits is in
 * memory as long as there is room for it and the reader is quick, and else in a file that nobody can find.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '#node/clock.ts';
import { createObjectCache } from '#service/core/cache/attached.ts';
import { refusal } from '#shared/api/refusal.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Up to here an answer goes to its socket as a whole. */
export const SHORT_ANSWER_BYTES = 16 * KIB;
const SLICE_BYTES = 256 * KIB;
const MEMORY_BYTES = 16 * MIB;
/** What a reader has not taken by then goes to disk. */
const QUICK_MS = 10_000;
const DISK_BYTES = 512 * MIB;
/** Of one person with their bots. */
const PERSON_DISK_BYTES = 128 * MIB;
const RETRY_SECONDS = 5;

declare module 'fastify' {
  interface FastifyInstance {
    readonly waitingAnswers: AnswerSpool;
  }
}

type Pieces = readonly Uint8Array[];

export interface AnswerSpool {
  /**
   * Takes room for an answer, and answers what sends it.
   * @param owner  the person for whom it is; 0 for strangers
   * @throws RATE_LIMIT_HIT where there is none
   */
  readonly reserve: (pieces: Pieces, owner: number) => (response: ServerResponse) => void;
}

type Buffers = ReadonlySet<ArrayBufferLike>;

const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

class AnswerBudget {
  #memory = 0;
  /**
   * How many answers hold each: a thousand long polls are told the same bytes, which are there once. A `Map` leaves behind tables
   * that keep what was in them until everything is collected.
   */
  readonly #holders = createObjectCache<ArrayBufferLike, number>();
  #disk = 0;
  readonly #byOwner = new Map<number, number>();

  takeMemory(buffers: Buffers): boolean {
    let added = 0;
    for (const buffer of buffers) if (this.#holdersOf(buffer) === 0) added += buffer.byteLength;
    if (this.#memory + added > MEMORY_BYTES) return false;
    this.#memory += added;
    for (const buffer of buffers) this.#holders.set(buffer, this.#holdersOf(buffer) + 1);
    return true;
  }

  giveMemoryBack(buffers: Buffers): void {
    for (const buffer of buffers) {
      const others = this.#holdersOf(buffer) - 1;
      this.#holders.set(buffer, others);
      if (others === 0) this.#memory -= buffer.byteLength;
    }
  }

  #holdersOf(buffer: ArrayBufferLike): number {
    return this.#holders.get(buffer) ?? 0;
  }

  takeDisk(bytes: number, owner: number): boolean {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes;
    if (this.#disk + bytes > DISK_BYTES || own > PERSON_DISK_BYTES) return false;
    this.#disk += bytes;
    this.#byOwner.set(owner, own);
    return true;
  }

  giveDiskBack(bytes: number, owner: number): void {
    this.#disk -= bytes;
    const own = (this.#byOwner.get(owner) ?? 0) - bytes;
    if (own === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, own);
  }
}

/** A file that is gone when it is closed, whatever happens to the process. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `answer-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}

async function writeAll(file: FileHandle, pieces: Pieces): Promise<void> {
  for (const piece of pieces) await file.writeFile(piece);
}

interface Reservation {
  readonly owner: number;
  readonly memory: Buffers;
  readonly disk: number;
}

const noBuffers: Buffers = new Set();

interface AnswerParts {
  readonly room: AnswerBudget;
  readonly folder: string;
  readonly taken: Reservation;
}

class SpooledAnswer {
  readonly #response: ServerResponse;
  readonly #room: AnswerBudget;
  readonly #folder: string;
  #taken: Reservation;
  /** What is in memory and not written yet. */
  #pieces: Uint8Array[];
  #file: FileHandle | undefined;
  #fileLength = 0;
  #position = 0;
  #moving: Promise<void> = Promise.resolve();
  #isOver = false;
  #resume = (): void => undefined;

  constructor(response: ServerResponse, pieces: Pieces, { room, folder, taken }: AnswerParts) {
    this.#response = response;
    this.#pieces = pieces.filter(({ length }) => length > 0);
    this.#room = room;
    this.#folder = folder;
    this.#taken = taken;
    response.once('close', () => {
      this.#isOver = true;
      this.#resume();
    });
  }

  /** Settles when it was taken, or nobody is there any more. */
  async run(): Promise<void> {
    try {
      if (this.#taken.disk > 0) this.#moving = this.#move();
      for (;;) {
        await this.#moving;
        const slice = await this.#next();
        if (slice.length === 0 || this.#isOver) break;
        await this.#write(slice);
      }
      this.#response.end();
    } catch {
      // Half of it is told already: that it ends too early says that it is not whole.
      this.#response.destroy();
    } finally {
      await this.#file?.close();
      this.#room.giveMemoryBack(this.#taken.memory);
      this.#room.giveDiskBack(this.#taken.disk, this.#taken.owner);
    }
  }

  /** Its reader is slow: from now on what waits is on disk, as long as there is room. */
  spool(): void {
    if (this.#taken.disk > 0 || this.#isOver) return;
    const disk = lengthOf(this.#pieces);
    if (disk === 0 || !this.#room.takeDisk(disk, this.#taken.owner)) return;
    this.#taken = { ...this.#taken, disk };
    this.#moving = this.#move().then(() => {
      this.#room.giveMemoryBack(this.#taken.memory);
      this.#taken = { ...this.#taken, memory: noBuffers };
    });
    // It is awaited when its turn comes.
    this.#moving.catch(() => undefined);
  }

  async #move(): Promise<void> {
    const pieces = this.#pieces;
    this.#file = await openUnnamed(this.#folder);
    await writeAll(this.#file, pieces);
    this.#fileLength = lengthOf(pieces);
    this.#pieces = [];
  }

  /** Up to a slice of what comes next, in the pieces in which it is there. */
  async #next(): Promise<Pieces> {
    const most = Math.min(SLICE_BYTES, this.#fileLength - this.#position);
    if (this.#file === undefined || most <= 0) return this.#nextInMemory();
    const { bytesRead, buffer } = await this.#file.read(
      Buffer.allocUnsafeSlow(most),
      ...[0, most, this.#position],
    );
    if (bytesRead === 0) throw new Error('an answer that waits on disk is shorter than it was');
    this.#position += bytesRead;
    return [buffer.subarray(0, bytesRead)];
  }

  #nextInMemory(): Pieces {
    const slice: Uint8Array[] = [];
    let room = SLICE_BYTES;
    let used = 0;
    for (const piece of this.#pieces) {
      if (piece.length > room) break;
      slice.push(piece);
      room -= piece.length;
      used += 1;
    }
    this.#pieces.splice(0, used);
    const [long] = this.#pieces;
    if (slice.length > 0 || long === undefined) return slice;
    this.#pieces[0] = long.subarray(SLICE_BYTES);
    return [long.subarray(0, SLICE_BYTES)];
  }

  #write(slice: Pieces): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      this.#resume = resolve;
      response.cork();
      slice.forEach((piece, index) => {
        const isLast = index === slice.length - 1;
        response.write(piece, () => {
          if (isLast) resolve();
        });
      });
      response.uncork();
    });
  }
}

/** @param folder  where files may be that nobody else may read */
export function createAnswerSpool(folder: string, clock: Clock): AnswerSpool {
  const room = new AnswerBudget();

  function takeRoom(pieces: Pieces, owner: number): Reservation {
    const memory = new Set(pieces.map(({ buffer }) => buffer));
    if (room.takeMemory(memory)) return { owner, memory, disk: 0 };
    const disk = lengthOf(pieces);
    if (room.takeDisk(disk, owner)) return { owner, memory: noBuffers, disk };
    throw refusal(
      'too_many_waiting_answers',
      {},
      {
        'retry-after': RETRY_SECONDS,
      },
    );
  }

  /** Holds nothing of an answer that has gone to disk. */
  function send(waiting: SpooledAnswer): void {
    const cancel = clock.setTimer(() => {
      waiting.spool();
    }, QUICK_MS);
    void waiting.run().finally(cancel);
  }

  return {
    reserve(pieces, owner) {
      const taken = takeRoom(pieces, owner);
      return (response) => {
        send(new SpooledAnswer(response, pieces, { room, folder, taken }));
      };
    },
  };
}
