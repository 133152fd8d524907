/** Answers that stay open, on which the events of a queue go out as they come (API decisions 8.4). */
import type { ServiceError } from '#shared/api/errors.ts';
import type { Clock } from '#node/clock.ts';
import { memoized } from '../core/cache/attached.ts';
import type { StreamClient, StreamSink } from '../core/ports/event-stream.ts';
import type { GoneSignal } from '../core/ports/handlers.ts';
import type { Store } from '../db/port.ts';
import type { Payloads } from './payloads.ts';
import { heartbeatJson } from './polls.ts';
import { acknowledge, type Queue, type Waiter } from './queue.ts';
import type { Registry } from './queue-registry.ts';
import type { Scanner } from './scan.ts';
import { type Receiver, receiverOf } from './shared-lists.ts';
import type { Waiters } from './waiters.ts';

/** Often enough for proxies, and for a client to see soon that its connection is dead. */
const HEARTBEAT_SECONDS = 20;
/** The largest part of it by which one comes earlier. */
const HEARTBEAT_JITTER = 0.1;
/** What goes out at once: what a reader has not taken stays in the queue, and not in the memory of its connection. */
const MAX_CHUNK_EVENTS = 200;
const MAX_CHUNK_BYTES = 1024 * 1024;

export interface OpenStreamRequest extends StreamClient {
  /** -1 acknowledges nothing. */
  readonly lastEventId: number;
  /** Whether the client may still be told; asked at the beginning and at every heartbeat. */
  readonly isAllowed: () => Promise<boolean>;
}

export interface EventStreamParts {
  readonly store: Store;
  readonly waiters: Waiters;
  readonly registry: Pick<Registry, 'touch'>;
  readonly scanner: Scanner;
  readonly payloads: Pick<Payloads, 'serialize' | 'serializeNow'>;
  readonly clock: Clock;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly heartbeatSeconds: number;
}

const encoder = new TextEncoder();

/** Queues that are told the same share the list, and so its bytes. */
const linesOf = memoized((events: readonly string[]) => encoder.encode(`${events.join('\n')}\n`));

const lastIdOf = ({ events }: Receiver): number => events.at(-1)?.event.id ?? 0;

class OpenStream implements Waiter {
  readonly queue: Queue;
  slot = -1;
  /** It has heartbeats of its own. */
  readonly dueAtMs = Infinity;
  readonly #parts: EventStreamParts;
  readonly #sink: StreamSink;
  readonly #isAllowed: OpenStreamRequest['isAllowed'];
  readonly #signal: GoneSignal;
  /** Settles when it is over. */
  readonly over: Promise<void>;
  #settle = (): void => undefined;
  #cancelBeat = (): void => undefined;
  /** The newest event or heartbeat that was written: the client has been told of everything up to here. */
  #writtenId: number;
  /** How often something was written. */
  #chunks = 0;
  /** How many events may go out at once, as far as they are not too long. */
  #chunkEvents = MAX_CHUNK_EVENTS;
  #isBehind = false;
  #writing: Promise<void> | undefined;
  #isOver = false;

  constructor(queue: Queue, parts: EventStreamParts, request: OpenStreamRequest) {
    this.queue = queue;
    this.#parts = parts;
    this.#isAllowed = request.isAllowed;
    this.#signal = request.signal;
    this.#writtenId = queue.acknowledgedId;
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#sink = request.begin();
    this.#sink.onDrain(() => {
      this.#isBehind = false;
      this.notify();
    });
    this.#signal.addEventListener('abort', this.release);
  }

  readonly notify = (): void => {
    // The client asks again, and its next request reports what is wrong.
    if (!this.#writeNow()) this.#write().catch(this.release);
  };

  readonly release = (): void => {
    this.#end(() => {
      this.#sink.end();
    });
  };

  /** The last line says why, as the answer to a fetch would. */
  refuse({ body }: ServiceError): void {
    this.#end(() => {
      this.#sink.write(linesOf([JSON.stringify(body)]));
      this.#sink.end();
    });
  }

  expire(): void {
    this.release();
  }

  /** Something at once, by which the client sees that the way is open, and from then on whatever comes. */
  async start(): Promise<void> {
    this.#parts.waiters.enter(this);
    if (this.#signal.aborted) this.release();
    await this.#beat(0);
    this.#arm();
  }

  #arm(): void {
    const { clock, heartbeatSeconds, random } = this.#parts;
    if (this.#isOver) return;
    const seconds = Math.min(heartbeatSeconds, HEARTBEAT_SECONDS);
    const chunksBefore = this.#chunks;
    this.#cancelBeat = clock.setTimer(
      () => {
        this.#beat(chunksBefore).then(() => {
          this.#arm();
        }, this.release);
      },
      1000 * seconds * (1 - HEARTBEAT_JITTER * random()),
    );
  }

  /** @param chunksBefore  how often something had been written at the last one */
  async #beat(chunksBefore: number): Promise<void> {
    // Nothing more is written until it has taken what was: one that reads slowly gets on between two of them.
    if (this.#isBehind && this.#chunks === chunksBefore) {
      this.#end(() => {
        this.#sink.cut();
      });
    } else if (await this.#isAllowed()) await this.#tell();
    else this.release();
  }

  /** Events, or where there are none any more a heartbeat: its id may lie above events of the same moment, which go before it. */
  async #tell(): Promise<void> {
    const { store, scanner } = this.#parts;
    const id = await store.takeEventId();
    await scanner.scan(this.queue);
    const before = this.#chunks;
    // What is being written goes before it, also where it was acknowledged meanwhile, and may turn out to be gone.
    await this.#write();
    if (this.#chunks === before && this.#isOpen() && this.#writing === undefined) {
      // A full queue has not looked so far, and its client would acknowledge with that id what it was never told.
      if (this.queue.scannedId >= id) this.#writtenId = Math.max(this.#writtenId, id);
      this.#send(linesOf([heartbeatJson(this.#writtenId)]));
    }
  }

  #hasNews(): boolean {
    return this.queue.buffer.lastId > this.#writtenId;
  }

  #isOpen(): boolean {
    return !this.#isOver && !this.#isBehind;
  }

  /** What is pending and was not written yet. It stays pending until it is acknowledged. */
  async #write(): Promise<void> {
    if (this.#hasNews() && this.#isOpen()) this.#writing ??= this.#writeAll();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      do await this.#writeChunk();
      while (this.#hasNews() && this.#isOpen());
    } finally {
      this.#writing = undefined;
    }
  }

  /** Whether it was written without waiting for anything, as nearly always. */
  #writeNow(): boolean {
    // What is being written ends with what is pending then.
    if (this.#writing !== undefined) return true;
    while (this.#hasNews() && this.#isOpen()) {
      const chunk = this.#nextChunk();
      const events = this.#parts.payloads.serializeNow(chunk);
      if (events === undefined) return false;
      this.#sendChunk(chunk, events);
    }
    return true;
  }

  async #writeChunk(): Promise<void> {
    const chunk = this.#nextChunk();
    const { events, removed } = await this.#parts.payloads.serialize(chunk);
    this.queue.buffer.remove(removed);
    if (!this.#isOver) this.#sendChunk(chunk, events);
  }

  #nextChunk(): Receiver {
    return receiverOf(this.queue, this.#writtenId, this.#chunkEvents);
  }

  /** Half as many are tried next where they are too long to go out at once. */
  #sendChunk(chunk: Receiver, events: readonly string[]): void {
    const bytes = linesOf(events);
    if (bytes.length > MAX_CHUNK_BYTES && events.length > 1) {
      this.#chunkEvents = Math.ceil(chunk.events.length / 2);
      return;
    }
    this.#chunkEvents = Math.min(MAX_CHUNK_EVENTS, 2 * this.#chunkEvents);
    this.#writtenId = lastIdOf(chunk);
    if (events.length > 0) this.#send(bytes);
  }

  #send(bytes: Uint8Array): void {
    this.#chunks += 1;
    if (!this.#sink.write(bytes)) this.#isBehind = true;
  }

  #end(close: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.waiters.leave(this);
    this.#cancelBeat();
    this.#signal.removeEventListener('abort', this.release);
    close();
    this.#settle();
  }
}

export class EventStreams {
  readonly #parts: EventStreamParts;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  /**
   * Writes the events of a queue as they come, each as one line of JSON. Settles when the stream is over: the client has
   * gone or takes nothing from one heartbeat to the next, another request took the queue, or it was released.
   * @throws RATE_LIMIT_HIT when too many requests wait already
   */
  async open(queue: Queue, request: OpenStreamRequest): Promise<void> {
    const { waiters } = this.#parts;
    const taken = waiters.take(queue, request.lastEventId);
    try {
      waiters.checkRoom(queue);
      const stream = new OpenStream(queue, this.#parts, request);
      await stream.start().catch(stream.release);
      if (!taken.isCurrent()) stream.release();
      await stream.over;
    } finally {
      taken.release();
    }
  }

  /** The client of a stream has the events up to here: the queue need not keep them. */
  acknowledge(queue: Queue, eventId: number): void {
    const { store, waiters, registry } = this.#parts;
    acknowledge(queue, eventId, store.lastEventId());
    registry.touch(queue);
    // A full queue has taken in no more until now.
    waiters.wakeQueue(queue);
  }
}
