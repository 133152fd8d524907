import type { Person, SubscribedStream } from '#shared/bridge/models/client-state.ts';
import type { StreamTopic } from '#shared/bridge/models/client.ts';
import type { View } from '#shared/bridge/models/conversation.ts';
import { fuzzyFilter } from '#shared/text/fuzzy.ts';
import { placeKey, type Place } from './places.ts';

export type SwitcherKind = 'stream' | 'topic' | 'person' | 'conversation' | 'view' | 'command';

interface Shown {
  readonly key: string;
  readonly kind: SwitcherKind;
  readonly name: string;
  /** Shown beside the name: the stream of a topic, the address of a person. */
  readonly detail: string;
  readonly unread: number;
}

export interface PlaceItem extends Shown {
  readonly place: Place;
}

export interface CommandItem extends Shown {
  readonly kind: 'command';
  readonly run: () => void;
}

export type SwitcherItem = PlaceItem | CommandItem;

/** What the switcher can choose from. */
export interface SwitcherSource {
  readonly streams: readonly SubscribedStream[];
  readonly topics: readonly StreamTopic[];
  readonly people: readonly Person[];
  /** Private conversations, latest first. */
  readonly privates: readonly (View & { readonly kind: 'private' })[];
  readonly views: readonly { readonly place: Place; readonly name: string }[];
  readonly commands: readonly {
    readonly key: string;
    readonly name: string;
    readonly detail: string;
    readonly run: () => void;
  }[];
  /** Where the window was, latest first. */
  readonly visited: readonly Place[];
  readonly namesOf: (userIds: readonly number[]) => string;
  readonly streamNameOf: (streamId: number) => string;
  /** How many messages want the reader there, or are new: what sorts first. */
  readonly unreadOf: (place: Place) => number;
}

/** Every place there is, once: private conversations first (latest first), then streams, topics, people. */
export function switcherItems(source: SwitcherSource): readonly SwitcherItem[] {
  const item = (kind: SwitcherKind, place: Place, name: string, detail: string): PlaceItem => ({
    key: placeKey(place),
    kind,
    name,
    detail,
    place,
    unread: source.unreadOf(place),
  });
  const everything: readonly SwitcherItem[] = [
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
    ...source.views.map(({ place, name }) => item('view', place, name, '')),
    ...source.commands.map((command): CommandItem => ({ ...command, kind: 'command', unread: 0 })),
  ];
  // A person one writes with stands where the conversation stands, once.
  const seen = new Set<string>();
  return everything.filter(({ key }) => !seen.has(key) && seen.add(key));
}

const SHOWN = 50;

/** Unread places first, then those where the window was last, then the others. */
function byUse(items: readonly SwitcherItem[], visited: readonly Place[]): readonly SwitcherItem[] {
  const places = new Map(visited.map((place, at) => [placeKey(place), at]));
  const at = ({ key, unread, kind }: SwitcherItem): number => {
    if (unread > 0) return -1;
    if (kind === 'command') return visited.length + 1;
    return places.get(key) ?? visited.length;
  };
  return [...items].sort((a, b) => at(a) - at(b));
}

/** The answers to what was typed; what is unread and was visited first when nothing is. */
export function searchPlaces(
  items: readonly SwitcherItem[],
  query: string,
  visited: readonly Place[] = [],
): readonly SwitcherItem[] {
  const found =
    query.trim() === ''
      ? byUse(items, visited)
      : fuzzyFilter(query, byUse(items, visited), ({ name }) => name);
  return found.slice(0, SHOWN);
}
