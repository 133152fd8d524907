/** How the endpoint table is bound to the code that answers it. */
import type { Access, AnyEndpoint, Auth, ParamsOf, ResultOf, Table } from '#shared/api/endpoint.ts';
import type { Role } from '#shared/policies/actor.ts';

/** The account of a request, as it was when its key was checked. */
export interface Caller {
  readonly userId: number;
  /** The login e-mail, as it is written in the account. */
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  /** Null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook. */
  readonly botType: number | null;
  readonly ownerId: number | null;
  /** The device whose key was given; absent with the account's one key. */
  readonly deviceId?: number;
  /** The generation of the key that was given, the device's where there is one; absent where the service itself acts for the account. */
  readonly keyGeneration?: number;
  /** Whom the endpoint lets in; absent where the service itself acts for the account. */
  readonly access?: Access;
  /** The version of the directory in which they were found so; absent where it is not known. */
  readonly asOf?: number;
  /** Whether they came from this computer, of an organization that is closed to others. */
  readonly isHere?: true;
}

/** What is needed beside the caller to check a key. */
export interface CallerRecord extends Caller {
  /** The device key's, where there is one. */
  readonly keyGeneration: number;
  readonly isActive: boolean;
  /** False while the whole organization is deactivated. */
  readonly isRealmActive: boolean;
  /** It is for good, because the organization goes on elsewhere. */
  readonly isRealmSucceeded?: boolean;
  /** UNIX seconds: the backup from which it was restored, as long as nobody has opened it. */
  readonly restoredFrom?: number | undefined;
}

export interface CallerDirectory {
  /** Without case. */
  readonly findCallerByEmail: (email: string) => Promise<CallerRecord | undefined>;
  /** @param keyHash  the keyed hash of an API key, as `ApiKeys.hash` gives it */
  readonly findCallerByKeyHash: (keyHash: string) => Promise<CallerRecord | undefined>;
  /** Another number as soon as somebody may have changed; without it nobody is remembered. */
  readonly directoryVersion?: () => number;
  /** Told of every call with a right key; asks for the address only where it is noted. */
  readonly noteKeyUse: (record: CallerRecord, from: { readonly address: string }) => void;
}

/** Tells that a client has gone. An AbortSignal is one; a lighter object will do. */
export interface GoneSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
  readonly removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** Who does something, and from where, as the audit log remembers it: a call is one. */
export interface ActionSource {
  readonly caller: Pick<Caller, 'userId'> | null;
  /** Of IPv6 the network. */
  readonly address: string;
  readonly client: string;
  /** As that of a call. */
  readonly isLocal?: boolean;
}

/** A deed of somebody whose rights matter. */
export type CallerActionSource = ActionSource & { readonly caller: Caller };

/**
 * From where somebody asks: `near` from this computer or a network of its own, by a service that only these reach, as far as
 * it knows; `foreign` by a page of somebody else, wherever that is open.
 */
export type Distance = 'near' | 'far' | 'foreign';

/** A request as a handler sees it. */
export interface Call<A extends Auth = Auth> {
  readonly caller: A extends 'none' ? null : Caller;
  /** Name of the client: the `client` argument's fallback, from User-Agent (API decisions 2.4). */
  readonly client: string;
  /** From where it comes; of IPv6 the network. */
  readonly address: string;
  /** Aborts when the client has gone; only calls that wait need it. */
  readonly signal: GoneSignal;
  /** The origin that the client used: scheme, host and port, no trailing slash. */
  readonly origin: string;
  /** The origin for somebody else: the public one where the client used one of loopback. */
  readonly sharedOrigin: string;
  /** True only for a request from this machine that names it by a loopback host, and that no proxy passed on. */
  readonly isLocal: boolean;
  readonly distance: Distance;
  /** Counts further messages of the same call in the limits of the caller. @throws RATE_LIMIT_HIT */
  readonly countMore: (count: number) => void;
  /** The body as received, for webhooks only. */
  readonly body: RawBody | null;
  /** The file parts of a multipart body, for endpoints that take pictures only. */
  readonly files: readonly UploadedFile[];
  /** The same while they come, for endpoints that take uploads only. */
  readonly incoming: AsyncIterable<FileEvent>;
  /** The body while it comes, for endpoints that take pieces only. */
  readonly piece: AsyncIterable<Uint8Array>;
}

/** A file begins with its name and type; its bytes follow. */
export type FileEvent =
  | {
      readonly kind: 'file';
      /** As the client named it; not safe to use as a path. */
      readonly fileName: string;
      readonly contentType: string;
    }
  | { readonly kind: 'value'; readonly bytes: Uint8Array };

/** One file part of a multipart body. */
export interface UploadedFile {
  readonly partName: string;
  /** As the client named it; not safe to use as a path. */
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A delivery of a webhook as it arrived. */
export interface RawBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** @param name  in small letters */
  readonly header: (name: string) => string | undefined;
  /** All of them, names in small letters. */
  readonly headers: () => readonly (readonly [string, string])[];
  /** What follows the `?`; empty without one. */
  readonly query: string;
}

/** A complete answer, already JSON: one event is serialised once and sent to every queue. */
export class Serialized {
  readonly json: string;
  /** What follows, as pieces of UTF-8 that several answers share. */
  readonly tail: readonly Uint8Array[];

  constructor(json: string, tail: readonly Uint8Array[] = []) {
    this.json = json;
    this.tail = tail;
  }
}

/** An answer that is not JSON: some services want back what they sent. */
export class PlainText extends Serialized {}

export type Handler<E extends AnyEndpoint> = (
  call: Call<E['auth']>,
  params: ParamsOf<E>,
) => Promise<ResultOf<E> | Serialized>;

export type Handlers<T extends Table> = { readonly [K in keyof T]: Handler<T[K]> };

/** Handlers of a whole API: one record for each file of the endpoint table. */
export type ApiHandlers<A extends Readonly<Record<string, Table>>> = {
  readonly [K in keyof A]: Handlers<A[K]>;
};
