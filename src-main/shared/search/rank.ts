/**
 * Which hits of a search answer it best. A database's own measure goes by how often words are in all of its texts, which
 * no two databases agree on; this one looks at nothing but the message, so that service and cache give the same order.
 */
import { type Folded, foldText } from './fold.ts';
import { type UnquotedWord, unquotedWordsIn, occurrences } from './query.ts';
import { isStopWord } from './stop-words.ts';
import { visitRuns, type Word, wordsOfRun } from './words.ts';

/** Only so many of the newest hits are put in order: whatever is sought, that takes a few milliseconds. */
export const RANKED_HITS = 1000;

/** For each word that is asked for and stands in the topic. */
const IN_TOPIC = 50;
/** For each that stands in the message as it was written, and not in another form. */
const AS_WRITTEN = 20;
/** Where all of them, being several, follow each other as they were written, stop words aside. */
const IN_A_ROW = 60;
/** For each time that they come again, up to a number of times. */
const AGAIN = 4;
const MOST_AGAIN = 5;
/** Letters that come more often make no difference. */
const MOST_COUNTED = 1000;
/** What a message with no other words gets; less where there are others. */
const NOTHING_ELSE = 20;
/** The first words decide a longer search. */
const MAX_ASKED = 32;

/** One word without parts, whose token begins as it does. */
const IS_PLAIN = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;

/** Letters of a script without blanks that are about a word. */
const WORD_LETTERS = 2;

function tellingOf(text: string): readonly UnquotedWord[] {
  const asked = new Map<string, UnquotedWord>();
  for (const each of unquotedWordsIn(text)) {
    const key = `${each.kind} ${each.text}`;
    if (!asked.has(key)) asked.set(key, each);
  }
  const all = [...asked.values()];
  const telling = all.filter(({ folded, kind }) => kind !== 'word' || !isStopWord(folded));
  return (telling.length === 0 ? all : telling).slice(0, MAX_ASKED);
}

/** What a text has of the words that are asked for. */
class TextMatches {
  readonly asWritten: Set<number>;
  readonly indexes = new Set<number>();
  count = 0;
  words = 0;
  isInARow = false;
  /** How many of them the words just read are, from the first one on. */
  #inARow = 0;
  readonly #asked: readonly UnquotedWord[];
  readonly #byToken: ReadonlyMap<string, number>;

  constructor(
    asked: readonly UnquotedWord[],
    byToken: ReadonlyMap<string, number>,
    both: Set<number>,
  ) {
    this.#asked = asked;
    this.#byToken = byToken;
    this.asWritten = both;
  }

  take(word: Word): void {
    const index = this.#indexOf(word);
    if (index !== -1) {
      this.count += 1;
      this.indexes.add(index);
      if (this.#asked[index]?.folded === word.folded) this.asWritten.add(index);
    }
    if (word.isPart) return;
    this.words += word.isUnspaced ? Math.ceil(word.folded.length / WORD_LETTERS) : 1;
    if (index !== -1 || !isStopWord(word.folded)) this.#follow(index);
  }

  /** What stands anywhere in the text, words or not. */
  takeLetters({ lower }: Folded): void {
    for (const [index, { kind, text }] of this.#asked.entries()) {
      if (kind !== 'anywhere') continue;
      let at = lower.indexOf(text);
      if (at === -1) continue;
      this.indexes.add(index);
      if (occurrences(lower, text).next().done !== true) this.asWritten.add(index);
      for (; at >= 0 && this.count <= MOST_COUNTED; at = lower.indexOf(text, at + text.length))
        this.count += 1;
    }
  }

  /** A word that is none of those that are asked for. */
  pass(word: string): void {
    this.words += 1;
    if (this.#inARow > 0 && !isStopWord(word.toLowerCase())) this.#inARow = 0;
  }

  #follow(index: number): void {
    if (index !== -1 && index === this.#inARow) this.#inARow += 1;
    else this.#inARow = index === 0 ? 1 : 0;
    if (this.#inARow === this.#asked.length) this.isInARow = true;
  }

  #indexOf({ token, folded }: Word): number {
    const index = this.#byToken.get(token);
    if (index !== undefined) return index;
    return this.#asked.findIndex(
      ({ kind, text }) => kind === 'beginning' && folded.startsWith(text),
    );
  }
}

/** How well a message answers; more is better. @param topic  null for a private message */
export type Scorer = (topic: string | null, content: string) => number;

/** @param wanted  operands of `search` that are not negated */
export function createScorer(wanted: readonly string[]): Scorer {
  const asked = tellingOf(wanted.join(' '));
  const byToken = new Map(
    asked.flatMap(({ kind, text }, index) => (kind === 'word' ? [[text, index] as const] : [])),
  );
  const initials = new Set(asked.map(({ text }) => text.charAt(0)));
  const read = (text: Folded, asWritten: Set<number>): TextMatches => {
    const found = new TextMatches(asked, byToken, asWritten);
    visitRuns(text.plain, (run) => {
      // Most words are others: they need not be cut.
      if (!initials.has(run.charAt(0).toLowerCase()) && IS_PLAIN.test(run)) found.pass(run);
      else for (const word of wordsOfRun(run)) found.take(word);
    });
    found.takeLetters(text);
    return found;
  };
  return (topic, content) => {
    if (asked.length === 0) return 0;
    const asWritten = new Set<number>();
    const title = read(foldText(topic ?? ''), asWritten);
    const text = read(foldText(content), asWritten);
    const isInARow = asked.length > 1 && (title.isInARow || text.isInARow);
    const again = Math.min(Math.max(text.count - asked.length, 0), MOST_AGAIN);
    const share = text.words === 0 ? 0 : Math.min(text.count / text.words, 1);
    return (
      title.indexes.size * IN_TOPIC +
      asWritten.size * AS_WRITTEN +
      (isInARow ? IN_A_ROW : 0) +
      again * AGAIN +
      Math.floor(share * NOTHING_ELSE)
    );
  };
}

interface Scored {
  readonly id: number;
  readonly score: number;
}

/** The best first; of equals the newest. */
export const byRelevance = (a: Scored, b: Scored): number => b.score - a.score || b.id - a.id;
