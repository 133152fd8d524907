/**
 * Long polls and streams of the bare server: every queue gets every message, and queues that stand equal get the same bytes.
 */

/** Messages that can still be fetched; a poll that is further behind misses some. */
const MAX_KEPT = 20_000;

export interface Told {
  readonly id: number;
  readonly json: string;
}

export type Answer = (body: Buffer) => void;

export interface ReferencePolls {
  /** Answers at once or when there is something. */
  readonly wait: (afterId: number, answer: Answer) => void;
  /** Given lines from now on. Answers what ends that. */
  readonly listen: (write: Answer) => () => void;
  readonly tell: (events: readonly Told[]) => void;
  readonly lastId: () => number;
}

export function createReferencePolls(): ReferencePolls {
  let kept: Told[] = [];
  const listening = new Set<Answer>();
  let waiting: { readonly afterId: number; readonly answer: Answer }[] = [];

  function bytesAfter(afterId: number): Buffer {
    // Ids are consecutive here.
    const from = Math.max(0, kept.length - ((kept.at(-1)?.id ?? 0) - afterId));
    const events = kept.slice(from).map(({ json }) => json);
    return Buffer.from(
      `{"result":"success","msg":"","queue_id":"1","events":[${events.join(',')}]}`,
    );
  }

  const lastId = (): number => kept.at(-1)?.id ?? 0;

  return {
    lastId,
    wait(afterId, answer) {
      if (afterId < lastId()) answer(bytesAfter(afterId));
      else waiting.push({ afterId, answer });
    },
    listen(write) {
      listening.add(write);
      return () => listening.delete(write);
    },
    tell(events) {
      if (listening.size > 0) {
        const lines = Buffer.from(events.map(({ json }) => `${json}\n`).join(''));
        for (const write of listening) write(lines);
      }
      kept.push(...events);
      if (kept.length > 2 * MAX_KEPT) kept = kept.slice(-MAX_KEPT);
      const woken = waiting;
      waiting = [];
      const bytes = new Map<number, Buffer>();
      for (const { afterId, answer } of woken) {
        const body = bytes.get(afterId) ?? bytesAfter(afterId);
        bytes.set(afterId, body);
        answer(body);
      }
    },
  };
}
