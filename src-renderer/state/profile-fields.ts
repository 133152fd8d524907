import type { Person, ProfileField } from '#shared/bridge/models/client-state.ts';

export const fieldTypes = { shortText: 1, longText: 2, choice: 3, date: 4, link: 5, people: 6 };

/** An answer as it is shown. */
export type ShownAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'people'; readonly userIds: readonly number[] };

/** `2020-02-29` as people of the region write it; as it is where it is no day. */
function dayOf(value: string, locale: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  if (Number.isNaN(time)) return value;
  return new Date(time).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
}

/** People that an answer names, by their ids. */
export function peopleOf(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value);
    return Array.isArray(ids) ? ids.filter((id): id is number => Number.isInteger(id)) : [];
  } catch {
    // Another client may have written anything.
    return [];
  }
}

function shown({ type, choices }: ProfileField, value: string, locale: string): ShownAnswer | null {
  switch (type) {
    case fieldTypes.choice: {
      const text = choices.find((choice) => choice.value === value)?.text;
      return text === undefined ? null : { kind: 'text', text };
    }
    case fieldTypes.date:
      return { kind: 'text', text: dayOf(value, locale) };
    case fieldTypes.link:
      return { kind: 'link', url: value };
    case fieldTypes.people: {
      const userIds = peopleOf(value);
      return userIds.length === 0 ? null : { kind: 'people', userIds };
    }
    default:
      return { kind: 'text', text: value };
  }
}

/** What somebody says about themselves, in the order of the fields; without those that they left blank. */
export function answersOf(
  { profile }: Pick<Person, 'profile'>,
  fields: readonly ProfileField[],
  locale: string,
): readonly { readonly field: ProfileField; readonly answer: ShownAnswer }[] {
  return fields.flatMap((field) => {
    const value = profile[field.id];
    const answer = value === undefined || value === '' ? null : shown(field, value, locale);
    return answer === null ? [] : [{ field, answer }];
  });
}

type Choices = ProfileField['choices'];

/**
 * The choices that lines of text stand for, each once. What an answer refers to stays where the text stays, or where it is
 * written anew in its place; other lines are new choices.
 */
export function choicesFromLines(text: string, before: Choices): Choices {
  const given = text.split('\n').map((line) => line.trim());
  const lines = [...new Set(given.filter((line) => line !== ''))];
  const left = new Map(before.map((choice) => [choice.text, choice.value]));
  const kept = lines.map((line) => left.get(line));
  const taken = new Set(kept);
  let next = Math.max(-1, ...before.map(({ value }) => Number(value)).filter(Number.isSafeInteger));
  return lines.map((line, at) => {
    const there = before[at]?.value;
    const isFree = there !== undefined && !taken.has(there) && lines.length === before.length;
    return { text: line, value: kept[at] ?? (isFree ? there : String((next += 1))) };
  });
}

/** Choices as the service takes them. */
export const choicesOnWire = (choices: Choices): Record<string, { text: string; order: string }> =>
  Object.fromEntries(
    choices.map(({ value, text }, at) => [value, { text, order: String(at + 1) }]),
  );

/** The ids in their order after one of them changed places with its neighbour. */
export function movedBy(ids: readonly number[], id: number, step: 1 | -1): readonly number[] {
  const at = ids.indexOf(id);
  const other = ids[at + step];
  if (at === -1 || other === undefined) return ids;
  return ids.map((each) => (each === id ? other : each === other ? id : each));
}
