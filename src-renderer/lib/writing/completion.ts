/** What may be meant while somebody writes, and what is put into the text when it is. */
import type {
  CustomEmoji,
  ListedStream,
  Person,
  SubscribedStream,
  UserGroup,
} from '#shared/bridge/models/client-state.ts';
import { wordBefore } from '#shared/text/word-boundaries.ts';
import { streamReference } from '#shared/text/mention-syntax.ts';
import { composeWords } from '#renderer/i18n/compose.ts';
import { byFullName, byName } from '../by-name.ts';
import type { ListedEmoji } from './emoji-list.ts';
import { isInOpenCode } from './fence.ts';
import { fuzzyScore, plain } from '#shared/text/fuzzy.ts';
import { addressFor, spellingsOf } from '#shared/text/transliterations.ts';
import { fenceNames, shortNames } from './languages.ts';
import { mentionOf, wildcards } from './mentions.ts';
import type { TextEdit } from './text-edit.ts';

export type TriggerKind = 'person' | 'stream' | 'topic' | 'emoji' | 'language' | 'command';

export interface Trigger {
  readonly kind: TriggerKind;
  /** Where what is replaced begins. */
  readonly from: number;
  readonly query: string;
  /** The name of a topic's stream. */
  readonly stream: string;
  /** Whether a person is named and not notified. */
  readonly isSilent: boolean;
}

export interface Candidate {
  readonly key: string;
  readonly label: string;
  /** Said beside it; may be empty. */
  readonly hint: string;
  readonly insert: string;
  /** Put behind the caret, as the end of a block. */
  readonly behind: string;
  /** A character to show before it, and what else it can be shown by. */
  readonly sign?: string;
  readonly person?: Person;
  readonly stream?: SubscribedStream | ListedStream;
  readonly emojiUrl?: string;
}

const MOST = 8;
const START = String.raw`(?:^|[\s\(\[\{"'>\/,;]|(?!${wordBefore})\P{ASCII})`;
const patterns: readonly (readonly [TriggerKind, RegExp])[] = [
  [
    'topic',
    new RegExp(
      String.raw`${START}(#\*\*(?<stream>(?:[^*>\n]|\*(?!\*))+)(?:\*\*\s?)?>(?<query>[^*\n]{0,60}))$`,
      'v',
    ),
  ],
  [
    'topic',
    new RegExp(
      String.raw`${START}(#(?<stream>[^\s#*>][^#*>\n]{0,59})>(?<query>[^*\n]{0,60}))$`,
      'v',
    ),
  ],
  ['stream', new RegExp(String.raw`${START}(#\*{0,2}(?<query>(?:[^\s#*>][^#*>\n]{0,40})?))$`, 'v')],
  [
    'person',
    new RegExp(
      String.raw`${START}(@(?<silent>_?)\*{0,2}(?<query>(?:[^\s@*_][^@*\n]{0,40})?))$`,
      'v',
    ),
  ],
  ['emoji', new RegExp(String.raw`(?<!:|${wordBefore})(:(?<query>[a-z0-9_+\-]{2,40}))$`, 'v')],
];
const fence = /^ {0,3}(?:`{3,}|~{3,})[ \t]?(?<query>[a-z0-9+#-]+)$/i;

const lineOf = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);
const isInCode = (line: string): boolean => (line.match(/`/g) ?? []).length % 2 === 1;

const plainTrigger = { stream: '', isSilent: false } as const;

/** What can be asked for at the beginning of a line or of the text. */
function triggerAtStart(before: string, line: string): Trigger | null {
  const language = fence.exec(line)?.groups?.['query'];
  if (language !== undefined) {
    const from = before.length - language.length;
    return { kind: 'language', from, query: language, ...plainTrigger };
  }
  const command = /^\/(\w*)$/.exec(before)?.[1];
  return command === undefined
    ? null
    : { kind: 'command', from: 0, query: command, ...plainTrigger };
}

function triggerInLine(line: string, caret: number): Trigger | null {
  const found = patterns.flatMap(([kind, pattern]): Trigger[] => {
    const match = pattern.exec(line);
    if (match === null) return [];
    const { query = '', stream = '', silent = '' } = match.groups ?? {};
    const from = caret - (match[1] ?? '').length;
    return [{ kind, from, query, stream, isSilent: silent !== '' }];
  });
  // What was begun last is meant: names have blanks, so an earlier sign may reach as far. A topic may hold any sign.
  const topic = found.find(({ kind }) => kind === 'topic');
  return topic ?? found.toSorted((a, b) => b.from - a.from)[0] ?? null;
}

/** What somebody who stands there is asking for; null where it is nothing, or code. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const line = lineOf(before);
  const lead = before.slice(0, Math.max(0, before.length - line.length - 1));
  if (isInOpenCode(lead)) return null;
  const atStart = triggerAtStart(before, line);
  if (atStart !== null) return atStart;
  return isInCode(line) ? null : triggerInLine(line, caret);
}

/** The edit that puts a candidate where it was asked for. */
export function accepted(
  text: string,
  caret: number,
  trigger: Trigger,
  chosen: Candidate,
): TextEdit {
  const isWhole = trigger.kind === 'language' || chosen.behind !== '' || /\s$/.test(chosen.insert);
  const gap = isWhole || /^[\s]/.test(text.slice(caret)) ? '' : ' ';
  const at = trigger.from + chosen.insert.length;
  const next = at + (isWhole ? 0 : 1);
  return {
    from: trigger.from,
    to: caret,
    insert: `${chosen.insert}${gap}${chosen.behind}`,
    start: next,
    end: next,
  };
}

/** How well names answer: 0 starts with it, 1 has a word that does, 2 in part, 3 its letters in order; null not at all. */
export function rankOf(query: string, names: readonly string[]): number | null {
  const wanted = plain(query.trimEnd());
  if (wanted === '') return 0;
  const given = names.flatMap(spellingsOf);
  if (given.some((name) => name.startsWith(wanted))) return 0;
  if (given.some((name) => name.split(/[\s_.-]+/).some((word) => word.startsWith(wanted))))
    return 1;
  // A single letter is in nearly every name.
  if (wanted.length > 1 && given.some((name) => name.includes(wanted))) return 2;
  // Letters that are spread over a name are a guess, not an answer, when there are few of them.
  return wanted.length >= 3 && names.some((name) => (fuzzyScore(query, name) ?? 0) > 0) ? 3 : null;
}

interface Ranked<T> {
  readonly item: T;
  readonly rank: number;
}

/** The best answers first; equals stay in their order. */
function ranked<T>(
  items: readonly T[],
  rank: (item: T) => number | null,
  most: number,
): readonly Ranked<T>[] {
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((each): each is Ranked<T> => each.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most);
}

const best = <T>(
  items: readonly T[],
  rank: (item: T) => number | null,
  most = MOST,
): readonly T[] => ranked(items, rank, most).map(({ item }) => item);

const entry = (
  key: string,
  label: string,
  insert: string,
  more: Partial<Candidate> = {},
): Candidate => ({ key, label, insert, hint: '', behind: '', ...more });

export interface PeopleSource {
  readonly people: readonly Person[];
  /** Those whose names look like others'. */
  readonly lookAlikes: ReadonlySet<number>;
  readonly groups: readonly UserGroup[];
  /** Those who take part in the conversation, the latest first. */
  readonly present: readonly number[];
  /** Those whom one writes to in private, the latest first. */
  readonly familiar: readonly number[];
  readonly isStream: boolean;
  readonly ownUserId: number;
}

/** The best first; of equals people before groups. Wildcards come last, except that one which was typed in full comes first. */
export function peopleFor(
  { query, isSilent }: Trigger,
  source: PeopleSource,
): readonly Candidate[] {
  const near = [...new Set([...source.present, ...source.familiar])];
  const order = new Map(near.map((id, index) => [id, index]));
  const placeOf = ({ userId, isBot }: Person): number =>
    userId === source.ownUserId ? 1e6 : (order.get(userId) ?? (isBot ? 2e5 : 1e5));
  const present = new Set(source.present);
  const active = source.people
    .filter((person) => person.isActive)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || byFullName(a, b));
  const rankOfPerson = ({ userId, fullName, email }: Person): number | null => {
    const rank = rankOf(query, [fullName, addressFor(query, email)]);
    // By a letter or two, whoever talks here is meant more often than a stranger whose first name begins so.
    return rank === 1 && query.length <= 2 && present.has(userId) ? 0 : rank;
  };
  const people = ranked(active, rankOfPerson, MOST).map(({ item: person, rank }) => ({
    item: entry(
      `person-${String(person.userId)}`,
      person.fullName,
      mentionOf(person, source.people, isSilent),
      {
        hint:
          person.isBot && !source.lookAlikes.has(person.userId) ? composeWords.bot : person.email,
        person,
      },
    ),
    rank,
  }));
  if (isSilent) return people.map(({ item }) => item);
  const groups = ranked(source.groups, ({ name }) => rankOf(query, [name]), MOST).map(
    ({ item: group, rank }) => ({
      item: entry(`group-${String(group.id)}`, group.name, `@*${group.name}*`, {
        hint: composeWords.groupHint(group.userIds.length),
        sign: '@',
      }),
      rank,
    }),
  );
  // A group that is called so comes before people in whose names the letters are only somewhere.
  const named = best([...people, ...groups], ({ rank }) => rank).map(({ item }) => item);
  const offered = source.isStream ? wildcards : wildcards.filter((name) => name !== 'stream');
  const all = offered
    .filter((name) => name.startsWith(plain(query)))
    .map((name) =>
      entry(`all-${name}`, name, `@**${name}**`, { hint: composeWords.wildcardHint, sign: '@' }),
    );
  const isTyped = query.length > 1;
  return (isTyped ? [...all, ...named] : [...named, ...all]).slice(0, MOST);
}

export function streamsFor(
  query: string,
  subscribed: readonly SubscribedStream[],
  others: readonly ListedStream[],
): readonly Candidate[] {
  const muted = subscribed.filter(({ isMuted }) => isMuted);
  const rest = subscribed.filter(({ isMuted }) => !isMuted);
  const ordered = [rest, muted, others].flatMap((streams) => streams.toSorted(byName));
  return best<SubscribedStream | ListedStream>(ordered, ({ name }) => rankOf(query, [name])).map(
    (stream) =>
      entry(`stream-${String(stream.streamId)}`, stream.name, streamReference(stream), {
        hint: stream.description,
        stream,
      }),
  );
}

interface NamedStream {
  readonly streamId: number;
  readonly name: string;
}

/** The stream whose topics are asked for, and what was typed of one: a `>` may belong to the name of a stream. */
export function topicPlaceOf<T extends NamedStream>(
  { stream, query }: Trigger,
  find: (name: string) => T | undefined,
): { readonly stream: T; readonly query: string } | undefined {
  const parts = `${stream}>${query}`.split('>');
  for (const [index] of parts.entries()) {
    if (index === 0) continue;
    const found = find(parts.slice(0, index).join('>'));
    if (found !== undefined) return { stream: found, query: parts.slice(index).join('>') };
  }
  return undefined;
}

export function topicsFor(
  query: string,
  stream: NamedStream,
  topics: readonly string[],
): readonly Candidate[] {
  return best(topics, (topic) => rankOf(query.trimStart(), [topic])).map((topic) =>
    entry(`topic-${topic}`, topic, streamReference(stream, topic), {
      hint: `#${stream.name}`,
      sign: '›',
    }),
  );
}

/** Emoji that people use most, in case of equal names. */
const popular = new Set(
  '1f44d 1f389 2764 1f604 1f602 1f440 1f680 1f64f 1f44f 1f914 2705 1f525 1f4af 1f622 1f609'.split(
    ' ',
  ),
);

export function emojiFor(
  query: string,
  table: readonly ListedEmoji[],
  custom: readonly CustomEmoji[],
): readonly Candidate[] {
  const own = best(
    custom.filter(({ isActive }) => isActive),
    ({ name }) => rankOf(query, [name]),
  ).map(({ name, url, id }) =>
    entry(`custom-${id}`, `:${name}:`, `:${name}:`, { emojiUrl: url, hint: composeWords.ownEmoji }),
  );
  const known = best(table, ({ names, code }) => {
    const rank = rankOf(query, names);
    if (rank === null || rank === 3) return null;
    // The whole name was typed: nothing else can be meant more.
    if (names.includes(query)) return -1;
    return rank + (popular.has(code) ? 0 : 0.5);
  }).map(({ code, names, characters }) => {
    const name = names.find((each) => each.startsWith(query)) ?? names[0] ?? '';
    return entry(`emoji-${code}`, `:${name}:`, `:${name}:`, { sign: characters });
  });
  return [...own, ...known].slice(0, MOST);
}

export function languagesFor(query: string, textAfter: string): readonly Candidate[] {
  const wanted = query.toLowerCase();
  if (fenceNames.includes(wanted) || shortNames.includes(wanted)) return [];
  const isClosed = /^(?:`{3,}|~{3,})[ \t]*$/m.test(textAfter);
  return fenceNames
    .filter((name) => name.startsWith(wanted))
    .slice(0, MOST)
    .map((name) =>
      entry(`language-${name}`, name, `${name}\n`, {
        behind: isClosed ? '' : '\n```\n',
        hint: composeWords.blockHints[name] ?? '',
        sign: '</>',
      }),
    );
}

const commands: readonly (readonly [name: string, insert: string, behind: string])[] = [
  ['me', '/me ', ''],
  ['quote', '```quote\n', '\n```\n'],
  ['spoiler', '```spoiler ', '\n\n```\n'],
  ['code', '```\n', '\n```\n'],
  ['math', '```math\n', '\n```\n'],
  ['table', '| ', ' |  |\n| --- | --- |\n|  |  |\n'],
];

export const commandsFor = (query: string): readonly Candidate[] =>
  commands
    .filter(([name]) => name.startsWith(query.toLowerCase()))
    .map(([name, insert, behind]) =>
      entry(`command-${name}`, `/${name}`, insert, {
        behind,
        hint: composeWords.commandHints[name] ?? '',
      }),
    );
