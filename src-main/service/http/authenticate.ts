/** Who is calling (API decisions 10.1 and 12.1). */
import { INCOMING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import { accessOf, type AnyEndpoint, type Auth } from '#shared/api/endpoint.ts';
import {
  accountDeactivated,
  invalidApiKey,
  closedRealm,
  unopenedRealm,
  variableMissing,
} from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { type Caller, type CallerDirectory, type CallerRecord } from '../core/ports/handlers.ts';
import type { ApiKeys } from '../security/api-keys.ts';
import type { Parameters } from './parameters.ts';
import type { SlidingWindow } from './limits/rate-limit.ts';

export interface Credentials {
  /** On which they came. */
  readonly connection: object;
  readonly authorization: string | undefined;
  /** As `addressKey` gives it. */
  readonly address: string;
  /** Whether they come from this computer, as `Call` says it. */
  readonly isLocal: boolean;
}

export interface Authenticator {
  /** Another number as soon as somebody may have changed. */
  readonly version: () => number | undefined;
  /**
   * Whoever has come with the same header on the same connection before, as the endpoint that they ask now lets them in;
   * undefined where they have not, or somebody may have changed since.
   */
  readonly remembered: (endpoint: AnyEndpoint, credentials: Credentials) => Caller | undefined;
  readonly byHeader: (auth: Auth, credentials: Credentials) => Promise<Caller>;
  /** By the `api_key` argument where there is one, else by the header. */
  readonly byKeyOrHeader: (
    auth: Auth,
    parameters: Parameters,
    credentials: Credentials,
  ) => Promise<Caller>;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

interface Basic {
  readonly email: string;
  readonly key: string;
}

/** For one header after the other: a buffer for each would outlive its request until all of the heap is collected. */
const scratch = Buffer.alloc(1024);

const decoded = (base64: string): Buffer =>
  base64.length > scratch.length
    ? Buffer.from(base64, 'base64')
    : scratch.subarray(0, scratch.write(base64, 'base64'));

/** The e-mail and the key of an Authorization header; undefined when it is none of the Basic scheme. */
export function readBasic(header: string | undefined): Basic | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  let pair: string;
  try {
    pair = strictUtf8.decode(decoded(encoded));
  } catch {
    return undefined;
  }
  const colon = pair.lastIndexOf(':');
  if (colon === -1) return undefined;
  return { email: pair.slice(0, colon).trim(), key: pair.slice(colon + 1).trim() };
}

function allowed(auth: Auth, record: CallerRecord): CallerRecord {
  if (auth === 'user' && record.botType === INCOMING_WEBHOOK_BOT) {
    throw refusal('incoming_webhook_bot_sends_only');
  }
  return record;
}

/** Characters of a header that is kept with its connection: it may be stretched with blanks. */
const MAX_REMEMBERED = 1024;

/** A header that was right, and whom it named in a version of the directory. */
interface VerifiedHeader {
  readonly authorization: string | undefined;
  readonly version: number;
  readonly record: CallerRecord;
}

interface HeaderMemory {
  readonly note: (credentials: Credentials, version: number, record: CallerRecord) => void;
  readonly find: Authenticator['remembered'];
}

/** A client asks again on the same connection, thousands of times while nobody changes. */
function createMemory(callers: CallerDirectory): HeaderMemory {
  const proven = new WeakMap<object, VerifiedHeader>();
  return {
    note({ connection, authorization }, version, record) {
      if ((authorization?.length ?? 0) > MAX_REMEMBERED) return;
      proven.set(connection, { authorization, version, record });
    },
    find(endpoint, credentials) {
      const { connection, authorization } = credentials;
      const kept = proven.get(connection);
      if (kept === undefined || kept.authorization !== authorization) return undefined;
      if (kept.version !== callers.directoryVersion?.()) return undefined;
      const { record, version: asOf } = kept;
      callers.noteKeyUse(record, credentials);
      return { ...allowed(endpoint.auth, record), access: accessOf(endpoint), asOf };
    },
  };
}

type CallerOrigin = Pick<Credentials, 'address' | 'isLocal'>;
/** A connection that has ended meanwhile no longer knows it. */
const copyOrigin = ({ address, isLocal }: CallerOrigin): CallerOrigin => ({ address, isLocal });

export interface AuthenticatorParts {
  readonly callers: CallerDirectory;
  readonly apiKeys: ApiKeys;
  /** Wrong keys by address. */
  readonly failures: SlidingWindow;
}

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { callers, apiKeys, failures } = parts;

  /**
   * Counts what was wrong, and nothing else: any page in a browser on the same computer can ask for images of ours, and
   * must not lock out whoever has a right key. @throws INVALID_API_KEY, RATE_LIMIT_HIT
   */
  function refuse(address: string): never {
    failures.admit(address);
    throw invalidApiKey();
  }

  /** Does the same work whether or not there is such an account. */
  function check(record: CallerRecord | undefined, key: string, from: CallerOrigin): CallerRecord {
    const isRight = isKeyOf(record, key);
    if (record === undefined || !isRight) return refuse(from.address);
    if (!record.isRealmActive) throw closedRealm(record);
    if (!record.isActive) throw accountDeactivated();
    callers.noteKeyUse(record, from);
    if (record.restoredFrom === undefined) return record;
    if (record.role !== 'admin' || !from.isLocal) throw unopenedRealm(record.restoredFrom);
    return { ...record, isHere: true };
  }

  function isKeyOf(record: CallerRecord | undefined, key: string): boolean {
    const generation = record?.keyGeneration ?? 0;
    const right =
      record?.deviceId === undefined
        ? apiKeys.derive(record?.userId ?? 0, generation)
        : apiKeys.deriveDevice(record.deviceId, generation);
    return apiKeys.isEqual(right, key);
  }

  /** By its e-mail address, or by its number: that stays when the address becomes another one. */
  async function find({ email, key }: Basic): Promise<CallerRecord | undefined> {
    const isNumber = /^\d{1,15}$/.test(email);
    const named = isNumber ? undefined : await callers.findCallerByEmail(email);
    if (isKeyOf(named, key)) return named;
    // The key of one of its devices, or of whoever has the number.
    const record = await callers.findCallerByKeyHash(apiKeys.hash(key));
    const userId = isNumber ? Number(email) : named?.userId;
    return record?.userId === userId ? record : named;
  }

  const memory = createMemory(callers);

  const byHeader: Authenticator['byHeader'] = async (auth, credentials) => {
    const basic = readBasic(credentials.authorization);
    if (basic === undefined) {
      throw refusal('basic_authentication_required');
    }
    const version = callers.directoryVersion?.();
    const from = copyOrigin(credentials);
    const record = check(await find(basic), basic.key, from);
    if (version !== undefined) memory.note(credentials, version, record);
    return allowed(auth, record);
  };

  const byKeyOrHeader: Authenticator['byKeyOrHeader'] = async (auth, parameters, credentials) => {
    const key = parameters['api_key'];
    if (typeof key !== 'string' || key === '') {
      if (auth === 'webhook' && credentials.authorization === undefined) {
        throw variableMissing('api_key');
      }
      return byHeader(auth, credentials);
    }
    const from = copyOrigin(credentials);
    const record = await callers.findCallerByKeyHash(apiKeys.hash(key));
    return allowed(auth, check(record, key, from));
  };

  const version = (): number | undefined => callers.directoryVersion?.();
  return { version, remembered: memory.find, byHeader, byKeyOrHeader };
}
