/** What a delivery says: its event, whether anybody wants to hear of it, and the messages. */
import { refusal } from '#shared/api/refusal.ts';
import {
  type Declaration,
  matches,
  type Message,
  unknownEvent,
  type Write,
} from './integration.ts';
import type { Payload } from './payload.ts';

export interface Filters {
  /** Patterns of events; undefined for all. */
  readonly onlyEvents: readonly string[] | undefined;
  readonly excludeEvents: readonly string[];
  /** Names of branches; undefined for all. */
  readonly branches: readonly string[] | undefined;
}

export const noFilters: Filters = {
  onlyEvents: undefined,
  excludeEvents: [],
  branches: undefined,
};

export interface Delivery {
  readonly payload: Payload;
  /** @param name  in small letters */
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
  readonly filters: Filters;
}

/** The name of an event where a header has it, which nobody has verified yet. */
export function eventInHeaders(
  { event }: Pick<Declaration, 'event'>,
  header: Delivery['header'],
): string | undefined {
  if (event === undefined || !('headers' in event)) return undefined;
  return event.headers
    .map((name) => header(name.toLowerCase())?.trim())
    .find((value) => value !== undefined && value !== '');
}

/** The name of its event. @throws MISSING_HTTP_EVENT_HEADER, BAD_REQUEST */
export function eventOf(
  { event }: Declaration,
  { payload, header }: Pick<Delivery, 'payload' | 'header'>,
): string {
  if (event === undefined) return 'message';
  if (!('headers' in event)) return event.read(payload);
  const named = eventInHeaders({ event }, header);
  if (named !== undefined) return named;
  const fallback = event.fallback?.(payload);
  if (fallback !== undefined) return fallback;
  const names = event.headers.join(' or ');
  throw refusal('event_header_missing', { header: names }, { header: names });
}

function isWanted(event: string, { onlyEvents, excludeEvents }: Filters): boolean {
  const isNamed = (pattern: string): boolean => matches(pattern, event);
  return (onlyEvents === undefined || onlyEvents.some(isNamed)) && !excludeEvents.some(isNamed);
}

function writerOf({ name, events, silent = [] }: Declaration, event: string): Write {
  const found = Object.entries(events).find(([pattern]) => matches(pattern, event));
  if (found !== undefined) return found[1];
  if (silent.some((pattern) => matches(pattern, event))) return () => null;
  throw unknownEvent(name, event);
}

/** The messages of a delivery in order. @throws whatever the integration refuses */
export function interpret(
  declaration: Declaration,
  delivery: Delivery,
  event: string,
): readonly Message[] {
  const { payload, query, filters } = delivery;
  if (declaration.event !== undefined && !isWanted(event, filters)) return [];
  const outcome = writerOf(declaration, event)(payload, { event, query });
  if (outcome === null) return [];
  const messages = 'content' in outcome ? [outcome] : outcome;
  return messages.filter(
    ({ branch }) => branch === undefined || (filters.branches?.includes(branch) ?? true),
  );
}
