/** How an integration is declared: once, with everything that the service, lists and documentation need of it. */
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type {
  IntegrationDescription,
  IntegrationSubject,
} from '#service/core/ports/integrations.ts';
import { type Labelled, lines, Markdown, values } from './markdown.ts';
import type { Payload } from './payload.ts';
import type { Scheme } from './signatures.ts';

export interface Message {
  /** Where the request names none. */
  readonly topic: string;
  readonly content: Markdown;
  /** Where a push went: what `branches` of the request selects by. */
  readonly branch?: string;
}

/** What a delivery brought beside its payload. */
export interface Request {
  readonly event: string;
  /** An argument of the address. */
  readonly query: (name: string) => string | undefined;
}

/** The messages of a delivery, in order; null where nothing is to be said, by intention. */
export type Outcome = Message | readonly Message[] | null;

/** @throws BAD_REQUEST naming the key that is missing or of another type; see `unknownEvent` */
export type Write = (payload: Payload, request: Request) => Outcome;

export interface Declaration {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly subject: IntegrationSubject;
  /** What to do at the other side, in order, a sentence or two each. */
  readonly steps: readonly string[];
  /** `form`: plain form fields are a payload as well. Default: JSON, also in the field `payload` of a form. */
  readonly body?: 'json' | 'form';
  /** Names of headers, the first that is there counts; or how the payload tells. Absent: one kind of delivery. */
  readonly event?:
    | {
        readonly headers: readonly string[];
        /** The event of older deliveries, which come without any of them. */
        readonly fallback?: (payload: Payload) => string | undefined;
      }
    | { readonly key: string; readonly read: (payload: Payload) => string };
  /** By the names of events, which may hold `*`; of several that match the first counts. */
  readonly events: Readonly<Record<string, Write>>;
  /** Events that the service sends and nobody needs to read of. */
  readonly silent?: readonly string[];
  readonly signature?: Scheme;
  /** True where the service asks by GET or HEAD before it delivers. */
  readonly answersProbes?: true;
}

export const clientNameOf = ({ name }: Declaration): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', '')}Webhook`;

export function describe(declaration: Declaration): IntegrationDescription {
  const { name, title, about, subject, steps, event, events, signature } = declaration;
  let eventSource: string | null = null;
  if (event !== undefined) {
    eventSource =
      'headers' in event
        ? `the header ${event.headers.join(' or ')}`
        : `the payload's ${event.key}`;
  }
  return {
    name,
    title,
    about,
    subject,
    steps,
    eventSource,
    events: event === undefined ? [] : Object.keys(events),
    isSigned: signature !== undefined,
    answersProbes: declaration.answersProbes ?? false,
  };
}

/** For an event, or an action within one, that the integration does not know. */
export function unknownEvent(integration: string, event: string): ServiceError {
  const name = event.toWellFormed().slice(0, 100).toWellFormed();
  return refusal(
    'webhook_event_unknown',
    { event: name, integration },
    { webhook_name: integration, event_type: name },
  );
}

/** Whether a name fits a pattern in which `*` stands for anything; without case. */
export function matches(pattern: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= text.length - last.length;
}

export interface NoteParts {
  readonly topic: string;
  /** Who did what to what. */
  readonly line: Markdown;
  readonly values?: readonly Labelled[];
  /** What stands below: lists, quotations, text in a fence. */
  readonly below?: readonly Markdown[];
  readonly branch?: string;
}

/** A message in the form that all of them have: a line, then the values, then what somebody wrote. */
export const note = ({
  topic,
  line,
  values: rows = [],
  below = [],
  branch,
}: NoteParts): Message => ({
  topic,
  content: lines(line, values(rows), ...below),
  ...(branch === undefined ? {} : { branch }),
});

/** The answer to a service that only tries whether somebody is there. */
export const confirmation = (title: string, topic: string, more?: Markdown): Message => ({
  topic,
  content: lines(new Markdown(`${title} can deliver to this place.`), more),
});
