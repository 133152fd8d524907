/**
 * An outbox in a process of its own, which can be killed at any moment of a send. Arguments: the file, the address of the
 * service, the key and, if it is to kill itself, at which step: those before and after each write to the disk and each
 * call. Every `write` is answered when the text is on disk; `drain` when nothing is left.
 */
import process from 'node:process';
import { createApi } from '#client/transport/api.ts';
import { createOutbox } from '#client/outbox/outbox.ts';
import type { Http } from '#client/ports.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { openSqliteOutbox } from '#desktop/storage/outbox-store.ts';

export type OutboxOrder =
  | { readonly kind: 'write'; readonly content: string; readonly userIds: readonly number[] }
  | { readonly kind: 'drain' };
export type OutboxReport =
  | { readonly kind: 'open'; readonly problem: string | null }
  | { readonly kind: 'written'; readonly content: string }
  | { readonly kind: 'drained' };

const [file = '', address = '', key = '', deadly = '0'] = process.argv.slice(2);
const report = (message: OutboxReport): void => void process.send?.(message);

let stepsLeft = Number(deadly);
function step(): void {
  stepsLeft -= 1;
  if (stepsLeft === 0) process.kill(process.pid, 'SIGKILL');
}

const stepping =
  <A extends readonly unknown[], R>(run: (...values: A) => R) =>
  (...values: A): R => {
    step();
    const result = run(...values);
    step();
    return result;
  };

const http: Http = async (request) => {
  step();
  const response = await desktopHttp(request);
  step();
  return response;
};

const { outbox: kept, problem } = openSqliteOutbox(file);
const store = {
  ...kept,
  submit: stepping(kept.submit),
  putItem: stepping(kept.putItem),
  removeItem: stepping(kept.removeItem),
};
let isDraining = false;
const look = (left: number): void => {
  if (isDraining && left === 0) report({ kind: 'drained' });
};
const outbox = createOutbox({
  store,
  clock: desktopClock,
  api: createApi({
    http,
    clock: desktopClock,
    address,
    credentials: { email: 'ada@example.com', key },
  }),
  ownUserId: 1,
  queueId: () => null,
  changed: (items) => {
    look(items.length);
  },
  accepted: (localId, messageId) => {
    outbox.confirm(localId, messageId);
  },
});
outbox.resume();

process.on('message', (order: OutboxOrder) => {
  if (order.kind === 'drain') {
    isDraining = true;
    look(outbox.items().length);
    return;
  }
  const { content, userIds } = order;
  const outcome = outbox.submit({ conversation: { kind: 'private', userIds }, content }, null);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  report({ kind: 'written', content });
});
report({ kind: 'open', problem });
