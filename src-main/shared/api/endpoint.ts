import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Decoded, Param, Wire } from './wire.ts';

/**
 * Who may call: `none` anybody; `user` an account by Basic authentication; `sender` the same, incoming-webhook
 * bots included; `webhook` by an `api_key` argument or Basic authentication (API decisions 12.1).
 */
export type Auth = 'none' | 'user' | 'sender' | 'webhook';
/**
 * Which kinds of account may call at all; finer rules depend on what the call is about (API decisions 10.4).
 * `anyone` needs no account; `account` is every one that may authenticate here; `person` is not a bot; `member` is
 * not a guest; `member-person` is neither; `admin` is a person who administers the organization.
 */
export type Access = 'anyone' | 'account' | 'person' | 'member' | 'member-person' | 'admin';
/** Calls that are counted apart from all others. */
export type CallLimit = 'sign-in' | 'join-request' | 'join-check' | 'event-fetch';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type AnyWire = Wire<Readonly<Record<string, Param<unknown>>>>;

/** One endpoint of the API. Its path is relative to `/api/v1`; `:name` captures a path part. */
export interface EndpointOf<A extends Auth, W extends AnyWire, R extends z.ZodObject> {
  readonly method: Method;
  readonly path: string;
  readonly auth: A;
  /** Absent: `anyone` without authentication, `account` with it. */
  readonly access?: Access;
  readonly params: W;
  readonly limit?: CallLimit;
  /** Takes file parts, of which uploads may be as long as an administrator allows (API decisions 13). */
  readonly takesFiles?: 'picture' | 'upload';
  /** Its body is a piece of a file, whatever its type is; all arguments are in the query. */
  readonly takesPiece?: true;
  /** With any of these arguments it checks the caller's own password. */
  readonly ownPasswordWith?: readonly string[];
  /** Its calls are deliveries, of which refused ones are recorded too. */
  readonly recordsRefusals?: true;
  /** Pages from elsewhere may not read its answers: a development service gives keys away. */
  readonly isSameOrigin?: true;
  /** The keys beside `result` and `msg`, in their wire form. */
  readonly result: R;
  readonly errors: readonly ErrorCode[];
  readonly summary: string;
  /** The section of the specification or of the API decisions that describes it. */
  readonly spec: string;
}

export type AnyEndpoint = EndpointOf<Auth, AnyWire, z.ZodObject>;
export type Table = Readonly<Record<string, AnyEndpoint>>;

export const endpoint = <A extends Auth, W extends AnyWire, R extends z.ZodObject>(
  description: EndpointOf<A, W, R>,
): EndpointOf<A, W, R> => description;

export const accessOf = ({ auth, access }: Pick<AnyEndpoint, 'auth' | 'access'>): Access =>
  access ?? (auth === 'none' ? 'anyone' : 'account');

/** The decoded arguments that a handler receives and a client gives. */
export type ParamsOf<E extends AnyEndpoint> =
  E['params'] extends Wire<infer F> ? Decoded<F> : never;

/** What a client has to give: arguments with a default or that are optional may be left out. */
export type ArgumentsOf<E extends AnyEndpoint> = Partial<ParamsOf<E>>;

/** The wire form of a result, without `result` and `msg`. */
export type ResultOf<E extends AnyEndpoint> = z.input<E['result']>;
/** The same as its caller gets it, read by the codec. */
export type AnswerOf<E extends AnyEndpoint> = z.output<E['result']>;
