/** What is known of a message by its text, each declared once: columns, answers, events and caches name it the same. */

interface Mark {
  /** In the column `prev_marks` of the history of messages. */
  readonly bit: number;
  /** The messages of the API that have it as a key. */
  readonly told: 'always' | 'with_source' | 'never';
}

const messageMarks = {
  /** Said about the sender: `/me waves`. */
  is_me_message: { bit: 1, told: 'always' },
  /** Told as a flag. */
  has_wildcard_mention: { bit: 2, told: 'never' },
  has_link: { bit: 4, told: 'with_source' },
  has_image: { bit: 8, told: 'with_source' },
  has_attachment: { bit: 16, told: 'with_source' },
} as const satisfies Readonly<Record<string, Mark>>;

export type MessageMark = keyof typeof messageMarks;
export type MessageMarks = Readonly<Record<MessageMark, boolean>>;
type Told<T extends Mark['told']> = {
  [K in MessageMark]: (typeof messageMarks)[K]['told'] extends T ? K : never;
}[MessageMark];

export const markNames = Object.keys(messageMarks) as readonly MessageMark[];
const toldNames = <T extends Mark['told']>(told: T) =>
  markNames.filter((name): name is Told<T> => messageMarks[name].told === told);
export const marksOfAll = toldNames('always');
export const marksWithSource = toldNames('with_source');
export const toldMarks = [...marksOfAll, ...marksWithSource] as const;
export type MarksOfAll = Readonly<Record<Told<'always'>, boolean>>;

export const markBit = (name: MessageMark): number => messageMarks[name].bit;

/** One value for each name. */
export function marked<K extends string, T>(names: readonly K[], of: (name: K) => T): Record<K, T> {
  const all = {} as Record<K, T>;
  for (const name of names) all[name] = of(name);
  return all;
}

/** The marks alone of what has others beside them. */
export const marksOf = (source: MessageMarks): MessageMarks =>
  marked(markNames, (name) => source[name]);

export const noMarks: MessageMarks = marked(markNames, () => false);
