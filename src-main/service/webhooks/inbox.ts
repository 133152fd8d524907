/**
 * Keeps what is delivered to bots, for their owners (API decisions 15.12). It is written after the answer, several
 * deliveries at a time: an answer never waits for it, and a crash in between loses an entry, never a message.
 */
import { ServiceError } from '#shared/api/errors.ts';
import type { DeliveryOutcome } from '#shared/api/models/delivery.ts';
import type {
  DeliveryLogOperations,
  NewDelivery,
} from '../features/bots/operations/delivery-log.ts';
import type { DeliveryRecorder } from '../core/ports/deliveries.ts';
import type { Caller, RawBody } from '../core/ports/handlers.ts';
import { type ReceivedRequest, receivedRequestOf, loggedPartOf } from './stored-request.ts';
import { redactDeliveryLog } from './redact-stored.ts';
import type { Notices } from './notices.ts';

const LIMIT_SECONDS = 60;
const MAX_REASON = 500;

/** What came of a delivery. */
export interface DeliveryResult {
  readonly integration: string;
  readonly event: string;
  readonly outcome: DeliveryOutcome;
  readonly messageIds: readonly number[];
  /** What it was refused with; undefined where it was not. */
  readonly refusal?: Error;
  readonly againOf?: number;
}

export interface Inbox extends DeliveryRecorder {
  /** Keeps what bots deliver: what people deliver to themselves is not kept. Does not wait. */
  readonly note: (caller: Caller, body: RawBody | null, result: DeliveryResult) => void;
  /** Answers the id of the entry when it is on disk. */
  readonly keep: (caller: Caller, body: RawBody, result: DeliveryResult) => Promise<number>;
  /** Settles when everything that was noted is on disk, and what was kept with secrets is redacted. */
  readonly settle: () => Promise<void>;
}

export interface InboxParts {
  readonly deliveryLog: Pick<
    DeliveryLogOperations,
    'add' | 'setCount' | 'secretsOf' | 'listUnredacted' | 'setRedacted'
  >;
  readonly notices: Pick<Notices, 'reportLimited'>;
  readonly nowSeconds: () => number;
  /** Told of failures that nobody waits for. */
  readonly reportError: (what: string, cause: unknown) => void;
}

const nothing: RawBody = {
  contentType: '',
  bytes: new Uint8Array(),
  header: () => undefined,
  headers: () => [],
  query: '',
};

/** Whatever was thrown. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

function answerOf(refusal: Error | undefined): Pick<NewDelivery, 'status' | 'reason'> {
  if (refusal === undefined) return { status: 200, reason: '' };
  if (!(refusal instanceof ServiceError)) return { status: 500, reason: 'Internal server error' };
  return {
    status: refusal.status,
    reason: String(refusal.body['msg']).slice(0, MAX_REASON).toWellFormed(),
  };
}

interface InboxEntry {
  readonly caller: Caller;
  readonly request: ReceivedRequest;
  readonly result: DeliveryResult;
  /** UNIX seconds. */
  readonly now: number;
}

/** @param known  secrets of the bot */
function deliveryOf(
  { caller, request, result, now }: InboxEntry,
  known: readonly string[],
): NewDelivery {
  const { integration, event, outcome, messageIds, refusal, againOf = null } = result;
  const { status, reason } = answerOf(refusal);
  return {
    accountId: caller.userId,
    ownerId: caller.ownerId,
    direction: 'incoming',
    at: now,
    lastAt: now,
    integration: integration.slice(0, 100),
    outcome,
    status,
    count: 1,
    messageIds,
    againOf,
    botDeliveryId: null,
    ...loggedPartOf(request, { event: event.slice(0, 100).toWellFormed(), reason }, known),
  };
}

type Redact = (entry: InboxEntry) => Promise<NewDelivery>;

/** A bot that is told more than it may be: one entry counts until a minute has gone without a refusal. */
interface Flood {
  readonly id: Promise<number | undefined>;
  count: number;
  lastAt: number;
  isWriting: boolean;
}

/** Writes what was noted in the order in which it came; what comes meanwhile goes together. */
function createQueue({ deliveryLog, reportError }: InboxParts, redactEntry: Redact) {
  let waiting: InboxEntry[] = [];
  let written: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const deliveries: NewDelivery[] = [];
      for (const entry of batch) deliveries.push(await redactEntry(entry));
      await deliveryLog.add(deliveries);
    } catch (cause) {
      reportError('deliveries could not be logged', cause);
    }
  }

  return {
    add(entry: InboxEntry): void {
      waiting.push(entry);
      if (waiting.length === 1) written = written.then(write);
    },
    settle: (): Promise<void> => written,
  };
}

function createFloods(
  { deliveryLog, notices, nowSeconds, reportError }: InboxParts,
  redactEntry: Redact,
) {
  const floods = new Map<string, Flood>();
  const underWay = new Set<Promise<unknown>>();

  function follow(work: Promise<unknown>): void {
    const caught = work.catch((cause: unknown) => {
      reportError('deliveries above the limit could not be counted', cause);
    });
    underWay.add(caught);
    void caught.finally(() => underWay.delete(caught));
  }

  async function write(flood: Flood): Promise<void> {
    if (flood.isWriting) return;
    flood.isWriting = true;
    try {
      const id = await flood.id;
      for (let written = 0; id !== undefined && written !== flood.count;) {
        written = flood.count;
        await deliveryLog.setCount(id, written, flood.lastAt);
      }
    } finally {
      flood.isWriting = false;
    }
  }

  function begin(caller: Caller, integration: string, refusal: ServiceError): Flood {
    const now = nowSeconds();
    const result = { integration, event: '', outcome: 'limited', messageIds: [], refusal } as const;
    const keeping = redactEntry({ caller, request: receivedRequestOf(nothing), result, now })
      .then((delivery) => deliveryLog.add([delivery]))
      .then(([id]) => id);
    follow(keeping);
    follow(notices.reportLimited(caller, integration));
    const id = keeping.catch(() => undefined);
    return { id, count: 1, lastAt: now, isWriting: false };
  }

  return {
    count(caller: Caller, integration: string, refusal: ServiceError): void {
      const now = nowSeconds();
      for (const [each, { lastAt }] of floods) {
        if (now - lastAt >= LIMIT_SECONDS) floods.delete(each);
      }
      // A new owner sees none of what counts for the one of before.
      const key = `${String(caller.userId)} ${String(caller.ownerId)}`;
      const flood = floods.get(key);
      if (flood === undefined) {
        floods.set(key, begin(caller, integration, refusal));
        return;
      }
      flood.count += 1;
      flood.lastAt = now;
      follow(write(flood));
    },
    async settle(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

export function createInbox(parts: InboxParts): Inbox {
  const { deliveryLog, nowSeconds } = parts;
  const redactEntry: Redact = async (entry) =>
    deliveryOf(entry, await deliveryLog.secretsOf(entry.caller.userId));
  const queue = createQueue(parts, redactEntry);
  const floods = createFloods(parts, redactEntry);
  const entryOf = (caller: Caller, body: RawBody | null, result: DeliveryResult): InboxEntry => ({
    caller,
    result,
    request: receivedRequestOf(body ?? nothing),
    now: nowSeconds(),
  });
  const redacted = redactDeliveryLog(parts);

  const note: Inbox['note'] = (caller, body, result) => {
    if (caller.botType !== null) queue.add(entryOf(caller, body, result));
  };

  return {
    note,
    async keep(caller, body, result) {
      const [id = 0] = await deliveryLog.add([await redactEntry(entryOf(caller, body, result))]);
      return id;
    },
    noteRefused(caller, integration, body, refusal) {
      if (caller.botType === null) return;
      if (refusal instanceof ServiceError && refusal.code === 'RATE_LIMIT_HIT') {
        floods.count(caller, integration, refusal);
        return;
      }
      const base = { integration, event: '', messageIds: [] };
      note(caller, body, { ...base, outcome: 'refused', refusal: errorOf(refusal) });
    },
    async settle() {
      await redacted;
      await queue.settle();
      await floods.settle();
    },
  };
}
