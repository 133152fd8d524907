/**
 * A store in a process of its own, driven over IPC: one that can be killed, that can be denied rights or disk
 * space. Started by `startStoreProcess`; arguments are the database's file and, if another account than root is
 * to open it, that account's id.
 */
import process from 'node:process';
import { openStore } from '#service/db/sqlite/open.ts';

export interface StoreCall {
  readonly number: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

export type StoreAnswer = { readonly number: number } & (
  | { readonly value: unknown }
  | { readonly failure: { readonly code: string; readonly message: string } }
);

const [file = '', userId] = process.argv.slice(2);

function failureOf(reason: unknown): { readonly code: string; readonly message: string } {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  return { code, message: String(reason) };
}

const send = (answer: StoreAnswer): void => void process.send?.(answer);

if (userId !== undefined) process.seteuid?.(Number(userId));
try {
  const store: object = await openStore({ file });
  process.on('message', ({ number, method, values }: StoreCall) => {
    const operation: unknown = Reflect.get(store, method);
    if (typeof operation !== 'function') throw new Error(`no operation ${method}`);
    Promise.resolve(Reflect.apply(operation, store, values)).then(
      (value) => send({ number, value }),
      (reason: unknown) => send({ number, failure: failureOf(reason) }),
    );
  });
  send({ number: 0, value: 'open' });
} catch (reason) {
  send({ number: 0, failure: failureOf(reason) });
  process.disconnect();
}
