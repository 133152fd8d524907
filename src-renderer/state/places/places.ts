import {
  isInView,
  type PrivateView,
  type StreamView,
  viewKey,
  type View,
} from '#shared/bridge/models/conversation.ts';

export { viewKey };

/** `missing` stands for a stream that there is not, or that one may not see. */
const pageKinds = [
  'inbox',
  'recent',
  'drafts',
  'streams',
  'firstSteps',
  'introduction',
  'missing',
] as const;

/** A page of the window that is no list of messages. */
export interface PagePlace {
  readonly kind: (typeof pageKinds)[number];
}

/** Where the window can be. */
export type Place = View | PagePlace;

const pages: ReadonlySet<string> = new Set(pageKinds);
/** Those that a window may open with again. */
const kept: ReadonlySet<unknown> = new Set(pageKinds.filter((kind) => kind !== 'missing'));

export const isPage = (place: Place): place is PagePlace => pages.has(place.kind);

const lists: ReadonlySet<unknown> = new Set(['feed', 'mentions', 'starred']);

const isSearch = ({ terms, order }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(terms) && (order === undefined || order === 'relevance');

/** Whether it is a place, and not what another version of this window wrote down as one. */
export function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind, ...rest } = value as { readonly kind: unknown } & Record<string, unknown>;
  if (kind === 'stream') {
    const { streamId, topic } = rest;
    return Number.isInteger(streamId) && (topic === null || typeof topic === 'string');
  }
  if (kind === 'private')
    return Array.isArray(rest['userIds']) && rest['userIds'].every(Number.isInteger);
  if (kind === 'search') return isSearch(rest);
  return kept.has(kind) || lists.has(kind);
}

/** A key that is equal exactly for equal places. */
export const placeKey = (place: Place): string => (isPage(place) ? place.kind : viewKey(place));

export const isSamePlace = (a: Place | null, b: Place | null): boolean =>
  a === b || (a !== null && b !== null && placeKey(a) === placeKey(b));

export const isSameView = (a: View | null, b: View | null): boolean => isSamePlace(a, b);

/** Whether what is written to the stream, topic or people is seen in the place. */
export function isShownIn(place: Place, to: PrivateView | StreamView): boolean {
  if (isPage(place)) return false;
  const conversation = to.kind === 'private' ? to : { ...to, topic: to.topic ?? '' };
  return isInView({ conversation, isMentioned: false, isStarred: false }, place);
}

/** The link as the outside understands it: relative ones stand on the organization's address. */
export function absoluteLink(href: string, address: string): string | null {
  try {
    return new URL(href, `${address}/`).href;
  } catch {
    return null;
  }
}

/** Whether only the computer that runs the service reaches the address. */
export function isLoopback(address: string): boolean {
  try {
    const { hostname } = new URL(address);
    return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  } catch {
    return false;
  }
}
