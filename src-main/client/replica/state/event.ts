/** How an event is read and what it may ask for. */
import type { z } from 'zod';
import type { Message } from '../../../contract/models/message.ts';
import type { SessionState } from './session-state.ts';

export interface EventContext {
  /** The time of this computer, in UNIX seconds. */
  readonly nowSeconds: number;
  /** A message that is kept here. */
  readonly find: (id: number) => Message | undefined;
  /**
   * The newest message of a private conversation that is older than the one that was deleted; null where there is
   * none, undefined where that is not known here.
   */
  readonly newestBefore?: (userIds: readonly number[], id: number) => number | null | undefined;
}

export type Change = (state: SessionState, event: unknown, context: EventContext) => SessionState;

/** An event that is not of the form changes nothing. */
export const on =
  <T extends z.ZodType>(
    form: T,
    change: (state: SessionState, event: z.output<T>, context: EventContext) => SessionState,
  ): Change =>
  (state, event, context) => {
    const read = form.safeParse(event);
    return read.success ? change(state, read.data, context) : state;
  };

/** By the event's `op`. */
export const byOp =
  (changes: Readonly<Record<string, Change>>): Change =>
  (state, event, context) => {
    const op = (event as { readonly op?: unknown }).op;
    if (typeof op !== 'string' || !Object.hasOwn(changes, op)) return state;
    return changes[op]?.(state, event, context) ?? state;
  };
