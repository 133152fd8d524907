/** Outgoing webhook bots: tells them of messages and posts what they answer (API decisions 7.4). */
import { parseJson } from '#shared/api/codecs.ts';
import { ServiceError } from '#shared/api/errors.ts';
import type { EventMessage } from '#shared/api/models/message.ts';
import type {
  Delivery,
  DeliveryOperations,
  WaitingDelivery,
} from '../features/bots/operations/outgoing-deliveries.ts';
import type { Draft, MessageOperations } from '../features/messages/operations/messages.ts';
import type { WebAnswer, WebClient } from '../core/ports/environment.ts';
import { truncateContent } from '../features/messages/rules/content.ts';
import type {
  AttemptResult,
  DeliveryLogOperations,
} from '../features/bots/operations/delivery-log.ts';
import { redactText } from './redaction/redact.ts';
import type { Notices } from './notices.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** Before the first, second and third retry. */
const PAUSES_MS = [1000, 5000, 25_000] as const;
const SLACK = 2;
const MAX_LOGGED_ANSWER = 4000;

export interface OutgoingParts {
  readonly deliveries: DeliveryOperations;
  readonly domain: Pick<MessageOperations, 'sendMessage'>;
  readonly notices: Pick<Notices, 'reportFailedDelivery'>;
  readonly deliveryLog: Pick<DeliveryLogOperations, 'noteAttempt' | 'secretsOf'>;
  readonly nowSeconds: () => number;
  readonly web: WebClient;
  readonly setTimer: (fn: () => void, delayMs: number) => () => void;
  /** Told of failures that nobody waits for. */
  readonly reportError: (what: string, cause: unknown) => void;
  readonly version: string;
}

export interface Outgoing {
  /** Looks for deliveries that were noted since. */
  readonly wake: () => void;
  /** Ends requests under way; what is not delivered waits for the next start. */
  readonly stop: () => Promise<void>;
}

type ReplyVerdict =
  | { readonly kind: 'done'; readonly reply: string | undefined }
  | { readonly kind: 'retry' | 'failure'; readonly reason: string };

type AttemptOutcome = Pick<AttemptResult, 'outcome' | 'reason'> &
  Partial<Pick<AttemptResult, 'messageIds'>>;

type Fields = Readonly<Record<string, string>>;

const placeOf = (message: EventMessage): Draft['target'] =>
  message.type === 'stream'
    ? {
        kind: 'stream',
        stream: {
          kind: 'id',
          id: message.stream_id ?? 0,
          digits: String(message.stream_id ?? 0),
        },
        topic: message.subject,
      }
    : {
        kind: 'private',
        recipients: {
          emails: [],
          userIds: Array.isArray(message.display_recipient)
            ? message.display_recipient.map(({ id }) => id)
            : [],
        },
      };

/** As the receivers of Slack's outgoing webhooks expect it. */
const slackFields = ({ bot, message, service, trigger }: Delivery): Fields => ({
  token: service.token,
  team_id: message.sender_realm_str,
  channel_id: String(message.stream_id ?? message.recipient_id),
  channel_name:
    typeof message.display_recipient === 'string' ? message.display_recipient : 'directmessage',
  timestamp: String(message.timestamp),
  user_id: String(message.sender_id),
  user_name: message.sender_full_name,
  text: message.content,
  trigger_word: trigger,
  service_id: String(bot.userId),
});

const requestOf = (delivery: Delivery): { readonly type: string; readonly body: string } => {
  const { bot, message, service, trigger } = delivery;
  if (service.interface === SLACK) {
    const body = new URLSearchParams(slackFields(delivery)).toString();
    return { type: 'application/x-www-form-urlencoded', body };
  }
  const payload = {
    bot_email: bot.email,
    data: message.content,
    message,
    token: service.token,
    trigger,
  };
  return { type: 'application/json', body: JSON.stringify(payload) };
};

function readReply(body: string, isSlack: boolean): ReplyVerdict {
  if (body.trim() === '') return { kind: 'done', reply: undefined };
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'failure', reason: 'it answered something that is no JSON object' };
  }
  const answer = value as Readonly<Record<string, unknown>>;
  if (answer['response_not_required'] === true) return { kind: 'done', reply: undefined };
  const given = answer['content'] ?? answer['response_string'];
  const content = given ?? (isSlack ? answer['text'] : undefined) ?? '';
  if (typeof content !== 'string') {
    return { kind: 'failure', reason: 'it answered a content that is no string' };
  }
  return { kind: 'done', reply: content.trim() === '' ? undefined : content };
}

const mayRecover = (status: number): boolean => status >= 500 || status === 408 || status === 429;

function judge(answer: WebAnswer, isSlack: boolean): ReplyVerdict {
  if (answer.kind === 'refused') return { kind: 'failure', reason: answer.reason };
  if (answer.kind === 'failed') return { kind: 'retry', reason: answer.reason };
  const { status, body } = answer;
  if (status >= 200 && status < 300) return readReply(body, isSlack);
  const reason = `it answered with the HTTP status ${String(status)}`;
  return { kind: mayRecover(status) ? 'retry' : 'failure', reason };
}

/** Makes one delivery after the other for each bot, so that its answers stand in the order of the questions. */
function createBotQueues(deliver: (waiting: WaitingDelivery) => Promise<void>): {
  readonly add: (waiting: WaitingDelivery) => void;
  readonly settle: () => Promise<void>;
} {
  const lanes = new Map<number, Promise<void>>();
  return {
    add(waiting) {
      const before = lanes.get(waiting.botId) ?? Promise.resolve();
      const lane = before
        .then(() => deliver(waiting))
        .finally(() => {
          if (lanes.get(waiting.botId) === lane) lanes.delete(waiting.botId);
        });
      lanes.set(waiting.botId, lane);
    },
    async settle() {
      await Promise.all(lanes.values());
    },
  };
}

/** What the owner sees of an attempt; a message is not told again because this could not be written. */
const recordingAttempts =
  ({ deliveryLog, nowSeconds, reportError }: OutgoingParts) =>
  async (
    { id, bot, message, trigger }: Delivery,
    came: WebAnswer,
    { outcome, reason, messageIds = [] }: AttemptOutcome,
  ): Promise<void> => {
    const told = came.kind === 'answered' ? came.body : came.reason;
    const { userId: botId, ownerId } = bot;
    const telling = { botId, ownerId, botDeliveryId: id, messageId: message.id, trigger };
    try {
      const known = await deliveryLog.secretsOf(bot.userId);
      const answer = redactText(told.slice(0, 2 * MAX_LOGGED_ANSWER), known);
      const attempt = {
        time: nowSeconds(),
        status: came.kind === 'answered' ? came.status : 0,
        answer: answer.slice(0, MAX_LOGGED_ANSWER).toWellFormed(),
      };
      await deliveryLog.noteAttempt(telling, {
        attempt,
        outcome,
        messageIds,
        reason: redactText(reason, known),
      });
    } catch (cause) {
      reportError('an attempt to deliver to a bot could not be logged', cause);
    }
  };

/** Ends the last attempt: posts what was answered, or tells the owner why nothing is. */
function createClosing({ domain, notices }: OutgoingParts) {
  async function reply({ bot, message }: Delivery, content: string): Promise<AttemptOutcome> {
    try {
      const id = await domain.sendMessage(bot, {
        client: 'OutgoingWebhookResponse',
        content: truncateContent(content),
        echo: null,
        target: placeOf(message),
      });
      return { outcome: 'answered', reason: '', messageIds: [id] };
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason;
      const why = `its answer was refused: ${reason.message}`;
      await notices.reportFailedDelivery(bot, why);
      return { outcome: 'failed', reason: why };
    }
  }

  return async function close(delivery: Delivery, verdict: ReplyVerdict): Promise<AttemptOutcome> {
    if (verdict.kind !== 'done') {
      await notices.reportFailedDelivery(delivery.bot, verdict.reason);
      return { outcome: 'failed', reason: verdict.reason };
    }
    if (verdict.reply === undefined) return { outcome: 'answered', reason: '' };
    return reply(delivery, verdict.reply);
  };
}

/** Delivers one message, again and again until it is answered, refused or given up. */
function createCourier(parts: OutgoingParts, stopping: AbortSignal) {
  const { deliveries, web, version } = parts;

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stopping.removeEventListener('abort', end);
        resolve();
      };
      const cancel = parts.setTimer(end, delayMs);
      stopping.addEventListener('abort', end);
    });

  async function post(delivery: Delivery): Promise<{ verdict: ReplyVerdict; answer: WebAnswer }> {
    const { type, body } = requestOf(delivery);
    const answer = await web.post(delivery.service.payload_url, {
      headers: { 'content-type': type, 'user-agent': `Hearth/${version}` },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal: stopping,
    });
    return { verdict: judge(answer, delivery.service.interface === SLACK), answer };
  }

  const note = recordingAttempts(parts);
  const close = createClosing(parts);
  const isStopping = (): boolean => stopping.aborted;

  return async (waiting: WaitingDelivery): Promise<void> => {
    for (;;) {
      if (isStopping()) return;
      const delivery = await deliveries.load(waiting);
      if (delivery === undefined) break;
      const { verdict, answer } = await post(delivery);
      const pauseMs = PAUSES_MS[delivery.attempts];
      if (verdict.kind === 'retry' && isStopping()) return;
      if (verdict.kind === 'retry' && pauseMs !== undefined) {
        await note(delivery, answer, { outcome: 'waiting', reason: verdict.reason });
        await deliveries.countAttempt(delivery.id);
        await pause(pauseMs);
        continue;
      }
      await note(delivery, answer, await close(delivery, verdict));
      break;
    }
    // Last of all: after a crash a message is rather told twice than never.
    await deliveries.finish(waiting.id);
  };
}

export function createOutgoing(parts: OutgoingParts): Outgoing {
  const { deliveries, reportError } = parts;
  const stopping = new AbortController();
  const courier = createCourier(parts, stopping.signal);
  const lanes = createBotQueues(async (waiting) => {
    try {
      await courier(waiting);
    } catch (cause) {
      // It waits for the next start; those behind it must not.
      reportError('a message could not be delivered to a bot', cause);
    }
  });
  let takenId = 0;
  let isAsked = false;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    while (isAsked && !stopping.signal.aborted) {
      isAsked = false;
      const waiting = await deliveries.listWaiting(takenId);
      for (const each of waiting) {
        takenId = each.id;
        lanes.add(each);
        isAsked = true;
      }
    }
  }

  return {
    wake() {
      isAsked = true;
      reading ??= read()
        .catch((cause: unknown) => {
          reportError('deliveries to bots could not be read', cause);
        })
        .finally(() => {
          reading = null;
        });
    },
    async stop() {
      stopping.abort();
      await reading;
      await lanes.settle();
    },
  };
}
