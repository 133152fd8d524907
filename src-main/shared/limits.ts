/** What one installation allows (API decisions 13), with what holds where nothing else is asked for. */
import { MOST_UPLOAD_MIB } from './api/bounds.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

interface LimitDescription {
  readonly value: number;
  /** What is counted, to follow the number. */
  readonly unit: string;
  readonly summary: string;
  /** The smallest value with which the service still works. */
  readonly from: number;
  readonly to: number;
  /** Calls over time: these can be switched off altogether. */
  readonly isRate?: true;
}

const rate = (value: number, unit: string, summary: string): LimitDescription => ({
  value,
  unit,
  summary,
  from: 1,
  to: 1_000_000,
  isRate: true,
});

const size = (value: number, summary: string, to: number): LimitDescription => ({
  value,
  unit: 'bytes',
  summary,
  from: KIB,
  to,
});

const count = (value: number, unit: string, summary: string): LimitDescription => ({
  value,
  unit,
  summary,
  from: 1,
  to: 10_000_000,
});

const MINUTE = 'calls in 60 seconds';

export const limitTable = {
  apiCalls: rate(1200, MINUTE, 'by one account, except GET /events, webhooks and downloads'),
  eventFetches: rate(1200, MINUTE, 'of GET /events by one account'),
  webhookCalls: rate(300, MINUTE, 'of one integration bot'),
  signInCalls: rate(60, MINUTE, 'of /fetch_api_key from one address'),
  signInFailures: {
    ...rate(10, 'failures in 15 minutes', 'to sign in to one account'),
    to: 1000,
  },
  failedKeys: {
    ...rate(120, 'failures in 60 seconds', 'of API keys from one address'),
    to: 10_000,
  },
  joinRequests: {
    ...rate(10, 'requests in 60 minutes', 'to join from one address'),
    to: 10_000,
  },
  joinChecks: rate(120, MINUTE, 'about a request to join from one address'),
  bodyBytes: size(MIB, 'in the body of a request', 256 * MIB),
  webhookBodyBytes: size(5 * MIB, 'in the body of a webhook call', 256 * MIB),
  uploadBytes: size(250 * MIB, 'in an uploaded file', MOST_UPLOAD_MIB * MIB),
  addressWaitingBytes: size(
    4 * MIB,
    'of bodies in memory that came from one address without a key',
    1024 * MIB,
  ),
  strangerWaitingBytes: size(
    32 * MIB,
    'of all bodies in memory that came without a key',
    16 * 1024 * MIB,
  ),
  accountWaitingBytes: size(
    64 * MIB,
    'of bodies in memory of one person and their bots',
    16 * 1024 * MIB,
  ),
  waitingBytes: size(
    256 * MIB,
    'of bodies in memory of all people and bots; uploads and webhooks take three quarters at most',
    64 * 1024 * MIB,
  ),
  personUploadBytes: size(
    5 * 1024 * MIB,
    'of files that one person and their bots have uploaded',
    1024 * 1024 * MIB,
  ),
  personStreams: count(500, 'streams', 'that one person and their bots have made'),
  personUploads: count(100, 'uploads', 'of one person and their bots that are not finished'),
  streams: count(5000, 'streams', 'in all'),
  personEmoji: count(300, 'emoji', 'that one person and their bots have added'),
  emoji: count(3000, 'emoji', 'in all'),
  personBots: count(300, 'bots', 'of one person, deactivated ones included'),
  personMutedTopics: count(1000, 'topics', 'that one person has muted'),
  userGroups: count(1000, 'user groups', 'in all'),
  linkifiers: count(200, 'linkifiers', 'in all'),
  profileFields: count(100, 'profile fields', 'in all'),
  messageReactions: count(50, 'reactions', 'of one person and their bots to one message'),
  messageSubmessages: count(200, 'submessages', 'of one person and their bots on one message'),
  deliveryMessages: count(100, 'messages', 'that one webhook call becomes'),
  queuesPerAccount: count(
    200,
    'queues',
    'of one person and their bots; then the longest idle one is dropped',
  ),
  queues: count(20_000, 'queues', 'in all'),
  queueEvents: {
    ...count(
      10_000,
      'events',
      'that wait in one queue, which takes in no more until some of them are acknowledged',
    ),
    // As many come between two acknowledgements of Hearth's own clients.
    from: 5000,
  },
  connections: count(12_000, 'connections', 'at the same time'),
  addressConnections: count(
    2000,
    'connections',
    'of one address; through a trusted proxy, requests under way',
  ),
  waitingRequests: count(10_000, 'requests', 'that wait for events at the same time'),
  logEvents: {
    ...count(1_000_000, 'events', 'that wait for the slowest queue, which is then dropped'),
    from: 100,
    to: 1_000_000_000,
  },
  logBytes: size(256 * MIB, 'of events that wait for the slowest queue', 1024 * 1024 * MIB),
  memoryBytes: size(
    8 * MIB,
    'of recent events and messages in memory, and as many of messages read lately',
    16 * 1024 * MIB,
  ),
} as const satisfies Readonly<Record<string, LimitDescription>>;

export type LimitName = keyof typeof limitTable;
export type Limits = Readonly<Record<LimitName, number>>;

/** In a body that needs no key: the longest that is of any use is a form with a name and a password. */
export const STRANGER_BODY_BYTES = 16 * KIB;

/** As much of a form is read to find the key of a webhook in it. */
export const FORM_KEY_BYTES = 64 * KIB;

/** The multipart wrapping around an uploaded file. */
export const UPLOAD_OVERHEAD_BYTES = 64 * KIB;

/** A body with a picture, which is read as a whole; what is longer is refused without reading it. */
export const PICTURE_BODY_BYTES = 25 * MIB + UPLOAD_OVERHEAD_BYTES;

/** The longest piece of an upload that is sent in pieces. */
export const PIECE_BYTES = 16 * MIB;

export const limitNames = Object.keys(limitTable) as readonly LimitName[];

const limitsBy = (valueOf: (name: LimitName) => number): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, valueOf(name)])) as Limits;

export const defaultLimits: Limits = limitsBy((name) => limitTable[name].value);

const isGuess = (name: LimitName): boolean => name === 'signInFailures' || name === 'failedKeys';

/**
 * The limits on how often one may call, lifted. Those on guessing passwords and keys stay: nobody who calls
 * rightly meets them.
 */
export const withoutRates = (limits: Limits): Limits =>
  limitsBy((name) =>
    'isRate' in limitTable[name] && !isGuess(name) ? Number.POSITIVE_INFINITY : limits[name],
  );

/** `apiCalls` as it is written on a command line: `api-calls`. */
export const limitOption = (name: LimitName): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
