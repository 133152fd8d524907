/** POST /external/{integration} (API decisions 12.1), and the same once more for the owner of the bot (15.12). */
import type { ParamsOf } from '#shared/api/endpoint.ts';
import { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { decodeParams } from '#shared/api/wire.ts';
import { webhooks } from '#shared/api/endpoints/bots/webhooks.ts';
import type {
  DeliveryLogOperations,
  LoggedIncoming,
} from '../features/bots/operations/delivery-log.ts';
import type { MessageOperations } from '../features/messages/operations/messages.ts';
import { type Caller, type Handlers, PlainText, type RawBody } from '../core/ports/handlers.ts';
import { decodeBody, isForm } from './common/body.ts';
import { clientNameOf, type Declaration } from './common/integration.ts';
import {
  type Delivery,
  eventInHeaders,
  eventOf,
  type Filters,
  interpret,
} from './common/interpret.ts';
import { Payload } from './common/payload.ts';
import { errorOf, type Inbox, type DeliveryResult } from './inbox.ts';
import { integrations } from './integrations/index.ts';
import { rawBodyOf } from './stored-request.ts';
import type { Notices } from './notices.ts';
import { createPost, destinationOf, given } from './posting.ts';

type Params = ParamsOf<typeof webhooks.receive>;

const filtersOf = ({ onlyEvents, excludeEvents, branches }: Params): Filters => ({
  onlyEvents,
  excludeEvents: excludeEvents ?? [],
  branches: given(branches)
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
});

export interface IncomingParts {
  readonly domain: MessageOperations;
  readonly notices: Notices;
  readonly inbox: Inbox;
  readonly deliveryLog: Pick<DeliveryLogOperations, 'isPaused'>;
  /** What a bot shares with the service that delivers to it; undefined where nothing is verified. */
  readonly secrets: { readonly findWebhookSecret: (id: number) => Promise<string | undefined> };
  readonly nowSeconds: () => number;
  /** So many messages one delivery may become. */
  readonly mostMessages: number;
}

interface ReceivedDelivery {
  /** Counts messages beyond the first one. @throws RATE_LIMIT_HIT */
  readonly countMore: (count: number) => void;
  readonly caller: Caller;
  readonly body: RawBody | null;
  readonly params: Params;
  /** Whether the owner of the bot has looked at it and wants it posted: it is not verified, nor held back. */
  readonly isVouchedFor: boolean;
}

function knownIntegration(name: string): Declaration {
  const integration = integrations.get(name);
  if (integration !== undefined) return integration;
  throw refusal('no_integration_here', { integration: name });
}

/** Says who may have sent a delivery. @throws UNAUTHORIZED */
const verifying =
  ({ secrets, nowSeconds }: IncomingParts) =>
  async ({ caller, body }: ReceivedDelivery, { title, signature }: Declaration): Promise<void> => {
    const secret = await secrets.findWebhookSecret(caller.userId);
    if (secret === undefined) return;
    if (signature === undefined) {
      throw refusal('unsigned_integration', { integration: title });
    }
    const bytes = body?.bytes ?? new Uint8Array();
    const header = (name: string): string | undefined => body?.header(name);
    if (await signature({ secret, body: bytes, header, nowSeconds: nowSeconds() })) return;
    throw refusal('signature_invalid');
  };

const isMissingHeader = (reason: unknown): boolean =>
  reason instanceof ServiceError && reason.code === 'MISSING_HTTP_EVENT_HEADER';

interface OpenedDelivery {
  readonly event: string;
  readonly delivery: Delivery;
}

/** @throws INVALID_JSON, MISSING_HTTP_EVENT_HEADER: of both the owner is told */
const opening =
  ({ notices }: IncomingParts) =>
  async (
    { caller, body, params, isVouchedFor }: ReceivedDelivery,
    integration: Declaration,
  ): Promise<OpenedDelivery> => {
    const tell = async (why: string): Promise<void> => {
      if (!isVouchedFor) await notices.reportUnreadable(caller, integration.name, why);
    };
    let payload: Payload;
    try {
      payload = new Payload(decodeBody(body, integration));
    } catch (reason) {
      await tell('its payload is not JSON');
      throw reason;
    }
    const query = new URLSearchParams(body?.query ?? '');
    const delivery: Delivery = {
      payload,
      header: (name) => body?.header(name),
      query: (name) => given(query.get(name) ?? undefined),
      filters: filtersOf(params),
    };
    try {
      return { event: eventOf(integration, delivery), delivery };
    } catch (reason) {
      if (isMissingHeader(reason)) await tell('nothing says of which event it is');
      throw reason;
    }
  };

const tooMany = (count: number, most: number): ServiceError =>
  refusal('too_many_webhook_messages', { count, limit: most });

/** Takes a delivery all the way, and says what came of it; does not throw. */
export type Attempt = (received: ReceivedDelivery) => Promise<DeliveryResult>;

export function createAttempt(parts: IncomingParts): Attempt {
  const { domain, notices, deliveryLog, mostMessages } = parts;
  const verify = verifying(parts);
  const open = opening(parts);
  const post = createPost(domain, notices);

  return async (received) => {
    const { caller, params, isVouchedFor } = received;
    const known = { integration: params.integration };
    const messageIds: number[] = [];
    let event = '';
    try {
      const integration = knownIntegration(params.integration);
      event = eventInHeaders(integration, (name) => received.body?.header(name)) ?? '';
      if (!isVouchedFor) await verify(received, integration);
      const opened = await open(received, integration);
      event = opened.event;
      const messages = interpret(integration, opened.delivery, event);
      if (messages.length === 0) return { ...known, event, outcome: 'silent', messageIds };
      if (!isVouchedFor && (await deliveryLog.isPaused(caller.userId))) {
        return { ...known, event, outcome: 'paused', messageIds };
      }
      if (messages.length > mostMessages) throw tooMany(messages.length, mostMessages);
      // Before the first is posted: a delivery is posted as a whole, or again later.
      if (messages.length > 1) received.countMore(messages.length - 1);
      const client = clientNameOf(integration);
      const posting = { caller, client, to: destinationOf(params), isWatched: isVouchedFor };
      // One after the other: they are read in the order in which things happened.
      for (const message of messages) messageIds.push(await post(posting, message));
      return { ...known, event, outcome: 'posted', messageIds };
    } catch (refusal) {
      return { ...known, event, outcome: 'refused', messageIds, refusal: errorOf(refusal) };
    }
  };
}

/** What stands in place of what a delivery named. */
interface ReplacedDestination {
  readonly stream: string | undefined;
  readonly topic: string | undefined;
}

function paramsOf(
  { integration, request, body }: LoggedIncoming,
  instead: ReplacedDestination,
): Params {
  const headers = new Map(request.headers);
  const form = isForm(headers.get('content-type') ?? '') ? body : '';
  const fields = [...new URLSearchParams(request.query), ...new URLSearchParams(form)];
  const named = Object.entries(instead).filter(([, value]) => value !== undefined);
  const raw = Object.fromEntries([...fields, ...named]) as Record<string, unknown>;
  return decodeParams(webhooks.receive.params, { ...raw, integration });
}

interface RepeatOptions {
  readonly instead: ReplacedDestination;
  readonly countMore: ReceivedDelivery['countMore'];
}

/** Reads a kept delivery once more; answers the id of the new entry. */
export const createRepeat =
  (attempt: Attempt, inbox: Pick<Inbox, 'keep'>) =>
  async (
    found: LoggedIncoming,
    againOf: number,
    { instead, countMore }: RepeatOptions,
  ): Promise<number> => {
    const { bot, integration, request } = found;
    const query = new URLSearchParams(request.query);
    for (const name of ['stream', 'topic'] as const) {
      const value = instead[name];
      if (value !== undefined) query.set(name, value);
    }
    const body = rawBodyOf({ ...request, query: query.toString() }, found.body);
    let result: DeliveryResult;
    try {
      const params = paramsOf(found, instead);
      result = await attempt({ caller: bot, body, params, isVouchedFor: true, countMore });
    } catch (reason) {
      const refusal = errorOf(reason);
      result = { integration, event: '', outcome: 'refused', messageIds: [], refusal };
    }
    return inbox.keep(bot, body, { ...result, againOf });
  };

const isLimited = ({ refusal }: DeliveryResult): boolean =>
  refusal instanceof ServiceError && refusal.code === 'RATE_LIMIT_HIT';

export function webhookHandlers(
  attempt: Attempt,
  inbox: Pick<Inbox, 'note' | 'noteRefused'>,
): Handlers<typeof webhooks> {
  return {
    probe: (_call, { integration, challenge }) => {
      knownIntegration(integration);
      // Whoever asks with a challenge wants it back as it is.
      return Promise.resolve(challenge === undefined ? {} : new PlainText(challenge));
    },
    async receive(call, params) {
      const { caller, body } = call;
      const countMore = (count: number): void => {
        call.countMore(count);
      };
      const result = await attempt({ caller, body, params, isVouchedFor: false, countMore });
      if (isLimited(result) && body !== null) {
        inbox.noteRefused(caller, result.integration, body, result.refusal);
      } else inbox.note(caller, body, result);
      if (result.refusal !== undefined) throw result.refusal;
      return {};
    },
  };
}
