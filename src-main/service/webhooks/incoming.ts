/** POST /external/{integration} (API decisions, section 12.1). */
import { parseJson } from '../../contract/codecs.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Call, Caller, Handlers } from '../../contract/handlers.ts';
import type { webhooks } from '../../contract/api/webhooks.ts';
import type { Draft, MessageOperations } from '../domain/messages.ts';
import { truncateContent } from '../domain/rules/content.ts';
import { countCharacters, cutCharacters, MAX_TOPIC_CHARACTERS } from '../domain/rules/names.ts';
import type { StreamReference } from '../domain/rules/recipients.ts';
import { escapeMarkdown } from '../markdown/render.ts';
import { type Integration, payloadOf } from './integration.ts';
import { helloworld } from './integrations/helloworld.ts';
import type { Notices } from './notices.ts';

const integrations: ReadonlyMap<string, Integration> = new Map([['helloworld', helloworld]]);

export const isKnownIntegration = (name: string): boolean => integrations.has(name);

interface Destination {
  readonly stream: string | undefined;
  readonly topic: string | undefined;
}

const text = {
  escape: (value: string): string => escapeMarkdown(value.replace(/\s+/g, ' ').trim()),
};

/** Some services send a form whose field `payload` is the JSON. */
function decodeForm(form: string): unknown {
  const payload = new URLSearchParams(form).get('payload');
  return payload === null ? undefined : parseJson(payload);
}

const isForm = (contentType: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);

function decodeBody(call: Call<'webhook'>): unknown {
  const { contentType, bytes } = call.body ?? { contentType: '', bytes: new Uint8Array() };
  let body: string;
  try {
    body = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('INVALID_JSON', 'Malformed JSON: not UTF-8');
  }
  // Tried first whatever the type says: many senders name another one than they send.
  const json = parseJson(body);
  const value = json === undefined && isForm(contentType) ? decodeForm(body) : json;
  if (value === undefined) throw new ServiceError('INVALID_JSON', 'Malformed JSON');
  return value;
}

/** Only webhooks cut: their sender cannot correct the text (API decisions, section 2.4). */
const cutTopic = (topic: string): string =>
  countCharacters(topic) > MAX_TOPIC_CHARACTERS
    ? `${cutCharacters(topic, MAX_TOPIC_CHARACTERS - 3)}...`
    : topic;

const referTo = (stream: string): StreamReference =>
  /^\d{1,15}$/.test(stream)
    ? { kind: 'id', id: Number(stream), digits: stream }
    : { kind: 'name', name: stream };

/** Some senders encode twice. */
function decodeAgain(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const given = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

function targetOf(caller: Caller, integration: Integration, to: Destination): Draft['target'] {
  if (to.stream === undefined) {
    const userIds = [caller.ownerId ?? caller.userId];
    return { kind: 'private', recipients: { emails: [], userIds } };
  }
  const topic = cutTopic(to.topic ?? integration.topic);
  return { kind: 'stream', stream: referTo(to.stream), topic };
}

/** The stream as it was sent comes first: one may really be called so. */
function streamsOf(stream: string | undefined): readonly (string | undefined)[] {
  if (stream === undefined) return [undefined];
  return [...new Set([stream, given(decodeAgain(stream)) ?? stream])];
}

const isMissingStream = (reason: unknown): reason is ServiceError =>
  reason instanceof ServiceError && reason.code === 'STREAM_DOES_NOT_EXIST';

export function webhookHandlers(
  domain: MessageOperations,
  notices: Notices,
): Handlers<typeof webhooks> {
  async function deliver(
    caller: Caller,
    integration: Integration,
    message: { readonly content: string; readonly to: Destination },
  ): Promise<void> {
    const { content, to } = message;
    let refusal: ServiceError | undefined;
    for (const stream of streamsOf(to.stream)) {
      try {
        await domain.sendMessage(caller, {
          client: integration.clientName,
          content,
          echo: null,
          target: targetOf(caller, integration, { stream, topic: to.topic }),
        });
        return;
      } catch (reason) {
        if (!isMissingStream(reason)) throw reason;
        refusal = reason;
      }
    }
    if (refusal === undefined) return;
    await notices.reportUndelivered(caller, String(refusal.data['stream']), content);
    throw refusal;
  }

  async function readPayload(call: Call<'webhook'>, integration: string): Promise<unknown> {
    try {
      return decodeBody(call);
    } catch (reason) {
      await notices.reportUnreadable(call.caller, integration);
      throw reason;
    }
  }

  return {
    async receive(call, params) {
      const integration = integrations.get(params.integration);
      if (integration === undefined) {
        throw new ServiceError('NOT_FOUND', `Unknown integration '${params.integration}'`);
      }
      const payload = payloadOf(await readPayload(call, params.integration));
      const content = truncateContent(integration.write(payload, text));
      const topic = given(params.topic);
      const to = {
        stream: given(params.stream),
        topic: topic === undefined ? undefined : given(decodeAgain(topic)),
      };
      await deliver(call.caller, integration, { content, to });
      return {};
    },
  };
}
