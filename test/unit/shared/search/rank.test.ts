import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches, searchOf } from '#shared/search/query.ts';
import { byRelevance, createScorer } from '#shared/search/rank.ts';

interface Written {
  readonly topic: string | null;
  readonly text: string;
}

const inTopic = (topic: string, text = 'and something else'): Written => ({ topic, text });
const said = (text: string): Written => ({ topic: null, text });

/** The order of the texts, of which the last is the newest. */
function order(wanted: string, written: readonly Written[]): readonly Written[] {
  const scoreOf = createScorer([wanted]);
  return written
    .map((each, id) => ({ id, score: scoreOf(each.topic, each.text), each }))
    .sort(byRelevance)
    .map(({ each }) => each);
}

const long = Array.from({ length: 40 }, (_, index) => `filler${String(index)}`).join(' ');

test.each<[string, string, Written, Written]>([
  ['a topic', 'pineapple', inTopic('Pineapples'), said(`pineapple ${long}`)],
  ['all words in the topic', 'green tea', inTopic('green tea'), inTopic('green', 'tea')],
  ['the word as it is written', 'deploy', said('we deploy'), said('we deployed')],
  ['the word as it is written', 'deployed', said('we deployed'), said('we deploy')],
  ['case and accents aside', 'CAFÉ', said('the cafe'), said('the cafes')],
  ['words in a row', 'quick fox', said('a quick fox ran'), said('a fox is quick now')],
  ['words in a row, stop words aside', 'state art', said('state of the art'), said('art or state')],
  ['a row in the topic', 'red apple', inTopic('red apple'), inTopic('apple red')],
  ['words that come again', 'tea', said('tea, tea and more tea'), said('tea and some more milk')],
  ['short messages', 'tea', said('tea!'), said(`tea ${long}`)],
  ['a whole word, where a beginning was asked for', 'dep*', said('dep it'), said('deploy it')],
  ['a quoted row', '"server is"', said('the server is up'), said(`server is ${long}`)],
  ['stop words where nothing else is asked for', 'to be', said('to be or so'), said('be it to')],
  ['words of unspaced scripts', '大学', said('大学'), said('大学 的学生 met in the other city')],
])('%s: %j', (_, wanted, better, worse) => {
  expect(order(wanted, [better, worse])).toEqual([better, worse]);
  expect(order(wanted, [worse, better])).toEqual([better, worse]);
});

test.each(['tea', '🎉', '->', '"->"', 'x*'])('the newest of equals comes first: %j', (wanted) => {
  const twice = [said(`${wanted} one`), said(`${wanted} two`)];
  expect(order(wanted, twice)).toEqual(twice.toReversed());
});

const word = fc.constantFrom(
  'deploy',
  'deployed',
  'Server',
  'the',
  'foxes',
  'HTTPServer',
  'x2',
  'é',
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

test('every text can be scored by every other, finitely, and hits by more than nothing', () => {
  fc.assert(
    fc.property(text, fc.oneof(text, fc.string()), fc.oneof(text, fc.string()), (a, b, wanted) => {
      const score = createScorer([wanted])(a, b);
      expect(Number.isInteger(score) && score >= 0).toBe(true);
      const search = searchOf([wanted], []);
      const isByWords = search.wanted.words.length > 0 && search.wanted.phrases.length === 0;
      const isInBoth = matches(null, b, search) && matches(null, a, search);
      if (isByWords && isInBoth && b.length < 60) expect(score).toBeGreaterThan(0);
    }),
  );
});

test('words that are none of those asked for change nothing but how much else there is', () => {
  const scoreOf = createScorer(['quick fox']);
  for (const other of ['Quiet', 'FAX', 'question7', 'f', 'Q', 'quÄck']) {
    expect(scoreOf(null, `quick fox ${other} tea`)).toBe(scoreOf(null, 'quick fox milk tea'));
  }
  expect(scoreOf(null, 'quick silver fox')).toBeLessThan(scoreOf(null, 'silver quick fox'));
  expect(scoreOf(null, 'quick fans fox')).toBe(scoreOf(null, 'quick silver fox'));
});
