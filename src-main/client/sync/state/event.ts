/** How an event is read and what it may ask for. */
import type { z } from 'zod';
import type { Event } from '#shared/api/events.ts';
import type { Message } from '#shared/api/models/message.ts';
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

/** What services that are newer than this application tell beside what the API declares. */
interface Newer {
  readonly delete_message: { readonly message_ids?: number[] };
}

type EventType = Event['type'];
type ServiceEvent<T extends EventType> = Extract<Event, { readonly type: T }>;

/** As the API declares it, and as a newer service may tell it. */
type Declared<T extends EventType> = T extends keyof Newer
  ? ServiceEvent<T> & Newer[T]
  : ServiceEvent<T>;

type OpOf<T extends EventType> = Extract<ServiceEvent<T>, { readonly op: string }>['op'];
/** Those of `E` that may have the `op`: an event is declared for several at once. */
type WithOp<E, O> = E extends { readonly op: infer P } ? (O extends P ? E : never) : never;

type EventParts<E> = E extends readonly (infer Item)[]
  ? EventParts<Item>
  : E extends object
    ? E
    : never;
type KeyOf<E> = E extends unknown ? keyof E & string : never;
type PartOf<E, K extends string> = E extends Partial<Record<K, infer V>> ? EventParts<V> : never;

type KeyBelow<E, K extends string> = K extends unknown ? `${K}.${KeyOf<PartOf<E, K>>}` : never;

/** Names of keys, and of those one level below. */
type Keys<E> = KeyOf<E> | KeyBelow<E, KeyOf<E>>;

/**
 * Changes the state by an event. The last two have no values: by them the compiler refuses what reads a key that the
 * API does not declare, or reads it as something else.
 */
export interface Change<Read, Key = Keys<Read>> {
  (state: SessionState, event: unknown, context: EventContext): SessionState;
  readonly reads?: (event: Read) => void;
  readonly keys?: Key;
}

/** By whatever event. */
export type AnyChange = Change<never, unknown>;

/** By type; what is told with other types says nothing of the state. */
export type Changes = { readonly [T in EventType]?: Change<Declared<T>> };

/** An event that is not of the form changes nothing. */
export const onEvent =
  <T extends z.ZodType>(
    form: T,
    change: (state: SessionState, event: z.output<T>, context: EventContext) => SessionState,
  ): Change<z.input<T>> =>
  (state, event, context) => {
    const read = form.safeParse(event);
    return read.success ? change(state, read.data, context) : state;
  };

/** By the event's `op`. */
export const byOp =
  <T extends EventType>(changes: {
    readonly [O in OpOf<T>]?: Change<WithOp<ServiceEvent<T>, O>>;
  }): Change<Declared<T>> =>
  (state, event, context) => {
    const op = (event as { readonly op?: unknown }).op;
    if (typeof op !== 'string' || !Object.hasOwn(changes, op)) return state;
    const known: Readonly<Record<string, AnyChange | undefined>> = changes;
    return known[op]?.(state, event, context) ?? state;
  };
