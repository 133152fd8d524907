/** Deliveries read by integrations as the service does it, and what a reader of their messages sees. */
import { ServiceError } from '#shared/api/errors.ts';
import { enginesFor, type MentionDirectory, renderMessage } from '#service/markdown/render.ts';
import { plainMarkup } from '#service/markdown/env.ts';
import { decodeBody } from '#service/webhooks/common/body.ts';
import type { Declaration, Message } from '#service/webhooks/common/integration.ts';
import { eventOf, interpret, noFilters } from '#service/webhooks/common/interpret.ts';
import { Payload } from '#service/webhooks/common/payload.ts';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { truncateContent } from '#service/features/messages/rules/content.ts';
import { scanHtml } from '../service/markdown/scan-html.ts';

export interface Sent {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** Set where the body is the value of that form field. */
  readonly formField?: string;
}

export interface Read {
  readonly messages: readonly Message[];
  readonly refusal: ServiceError | undefined;
}

export function declarationOf(name: string): Declaration {
  const declaration = integrations.get(name);
  if (declaration === undefined) throw new Error(`there is no integration ${name}`);
  return declaration;
}

const FORM = 'application/x-www-form-urlencoded';

/** Everything but a refusal that the sender could act on is thrown. */
export function read(name: string, sent: Sent): Read {
  const declaration = declarationOf(name);
  const { formField, query = {} } = sent;
  const headers = new Map(
    Object.entries(sent.headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const body =
    formField === undefined ? sent.body : new URLSearchParams([[formField, sent.body]]).toString();
  const header = (key: string): string | undefined => headers.get(key);
  const contentType = formField === undefined ? (sent.contentType ?? 'application/json') : FORM;
  try {
    const raw = { contentType, bytes: Buffer.from(body), header, query: '' };
    const payload = new Payload(decodeBody(raw, declaration));
    const branches = query['branches']?.split(',');
    const delivery = {
      payload,
      header,
      query: (key: string) => query[key],
      filters: { ...noFilters, branches },
    };
    const messages = interpret(declaration, delivery, eventOf(declaration, delivery));
    return { messages, refusal: undefined };
  } catch (reason) {
    if (!(reason instanceof ServiceError)) throw reason;
    return { messages: [], refusal: reason };
  }
}

const engines = await enginesFor('```', null);

/** Everybody and everything can be mentioned here, whatever it is called. */
const directory: MentionDirectory = {
  findUsersByName: (name) => [{ userId: 1, fullName: name }],
  findUser: (userId) => ({ userId, fullName: 'somebody' }),
  findStreamByName: (name) => ({ streamId: 1, name }),
  findGroup: (name) => ({ groupId: 1, name, memberIds: [1] }),
};

/** As it is posted: cut where it is too long. */
export const rendered = (message: Message) =>
  renderMessage(truncateContent(message.content.source), {
    directory,
    markup: plainMarkup,
    engines,
  });

/** What stands in messages, white space as one space, and where their links lead. */
export function visibleTextOf(messages: readonly Message[]): {
  text: string;
  links: readonly string[];
} {
  const scans = messages.map((message) => scanHtml(rendered(message).html));
  return {
    text: scans.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n'),
    links: scans.flatMap(({ tags }) =>
      tags.flatMap(({ attributes }) =>
        attributes['href'] === undefined ? [] : [attributes['href']],
      ),
    ),
  };
}

interface OwnPayload {
  readonly name: string;
  readonly event?: string;
  readonly payload: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** A payload as its service delivers it. */
export function sentOf({ name, event, payload, query }: OwnPayload): Sent {
  const source = declarationOf(name).event;
  const header = source !== undefined && 'headers' in source ? source.headers[0] : undefined;
  return {
    body: JSON.stringify(payload),
    ...(header === undefined || event === undefined ? {} : { headers: { [header]: event } }),
    ...(query === undefined ? {} : { query }),
  };
}
