import type { Person, SubscribedStream, View } from '../../src-main/contract/models/client.ts';
import { fuzzyFilter } from './fuzzy.ts';
import { viewKey } from './places.ts';

export interface SwitcherItem {
  readonly key: string;
  readonly kind: 'stream' | 'topic' | 'person' | 'conversation';
  readonly name: string;
  /** Shown beside the name: the stream of a topic, the address of a person. */
  readonly detail: string;
  readonly view: View;
  readonly unread: number;
}

/** What the switcher can choose from. */
export interface SwitcherSource {
  readonly streams: readonly SubscribedStream[];
  readonly topics: readonly { readonly streamId: number; readonly topic: string }[];
  readonly people: readonly Person[];
  /** Private conversations, latest first. */
  readonly privates: readonly (View & { readonly kind: 'private' })[];
  readonly namesOf: (userIds: readonly number[]) => string;
  readonly streamNameOf: (streamId: number) => string;
  readonly unreadOf: (view: View) => number;
}

/** Every place there is, once: private conversations first (latest first), then streams, topics, people. */
export function switcherItems(source: SwitcherSource): readonly SwitcherItem[] {
  const item = (
    kind: SwitcherItem['kind'],
    view: View,
    name: string,
    detail: string,
  ): SwitcherItem => ({
    key: viewKey(view),
    kind,
    name,
    detail,
    view,
    unread: source.unreadOf(view),
  });
  const everything = [
    ...source.privates.map((view) => item('conversation', view, source.namesOf(view.userIds), '')),
    ...source.streams.map(({ streamId, name, description }) =>
      item('stream', { kind: 'stream', streamId, topic: null }, name, description),
    ),
    ...source.topics.map(({ streamId, topic }) =>
      item('topic', { kind: 'stream', streamId, topic }, topic, source.streamNameOf(streamId)),
    ),
    ...source.people.map(({ userId, fullName, email }) =>
      item('person', { kind: 'private', userIds: [userId] }, fullName, email),
    ),
  ];
  // A person one writes with stands where the conversation stands, once.
  const seen = new Set<string>();
  return everything.filter(({ key }) => !seen.has(key) && seen.add(key));
}

const SHOWN = 50;

/** The answers to what was typed; unread places first when nothing is. */
export function searchPlaces(
  items: readonly SwitcherItem[],
  query: string,
): readonly SwitcherItem[] {
  const found =
    query.trim() === ''
      ? [...items].sort((a, b) => Number(b.unread > 0) - Number(a.unread > 0))
      : fuzzyFilter(query, items, ({ name }) => name);
  return found.slice(0, SHOWN);
}
