import type { Person } from '#shared/bridge/models/client-state.ts';
import { fold } from '#shared/text/fold.ts';
import { wordBefore } from '#shared/text/word-boundaries.ts';
import { isMentionName, mentionById } from '#shared/text/mention-syntax.ts';
import { withoutQuotes } from './fence.ts';

/** Names that stand for everybody who gets the message. */
export const wildcards = ['all', 'everyone', 'stream'] as const;

const wildcardMention = new RegExp(
  String.raw`(?<!${wordBefore})@\*\*(all|everyone|stream)\*\*`,
  'v',
);
const groupMention = new RegExp(String.raw`(?<!${wordBefore})@\*([^*\n]+)\*(?!\*)`, 'gv');

/** The wildcard that a text notifies by, without code; null where there is none. */
export const wildcardOf = (content: string): string | null =>
  wildcardMention.exec(withoutQuotes(content))?.[1] ?? null;

/** The names of what may be groups that a text notifies. */
export const groupsOf = (content: string): readonly string[] =>
  [...withoutQuotes(content).matchAll(groupMention)].map(([, name = '']) => name);

/** How the service's Markdown names somebody; by id too where the name alone would not do. */
export function mentionOf(
  person: Pick<Person, 'userId' | 'fullName'>,
  people: readonly Pick<Person, 'userId' | 'fullName'>[],
  isSilent = false,
): string {
  const { userId, fullName } = person;
  const key = fold(fullName);
  const isShared = people.some((other) => other.userId !== userId && fold(other.fullName) === key);
  const isClear =
    !isShared && isMentionName(fullName) && !(wildcards as readonly string[]).includes(fullName);
  return isClear ? `@${isSilent ? '_' : ''}**${fullName}**` : mentionById(person, isSilent);
}
