import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAlertWords, findAlerted, plainTextOf } from '#service/core/rules/alert-words.ts';
import { fold } from '#shared/text/fold.ts';
import { expectLinear } from '#test/support/growth.ts';

const isAlerted = (word: string, html: string): boolean =>
  findAlerted(new Map([[fold(word), [1]]]), html).length > 0;

describe('an alert word', () => {
  test.each<[string, string]>([
    ['lunch', '<p>Lunch</p>'],
    ['lunch', '<p>lunch, anybody?</p>'],
    ['LUNCH', '<p>(lunch)</p>'],
    ['on call', '<p>who is on call?</p>'],
    ['c++', '<p>a C++ question</p>'],
    ['@team', '<p>hi @team!</p>'],
    ['r&d', '<p>ask R&amp;D</p>'],
    ['<b>', '<p>&lt;b&gt;</p>'],
    ['straße', '<p>Die Straße.</p>'],
    ['lunch', '<p><strong>Lun</strong>ch</p>'],
    ['lunch', '<p>lunch<br>\ntime</p>'],
    ['lunch', '<ul><li>lunch</li><li>time</li></ul>'],
    ['昼食', '<p>今日の昼食は</p>'],
    ['ข้าว', '<p>กินข้าวไหม</p>'],
    ['회의', '<p>오늘 회의를 해요</p>'],
    ['Hearth', '<p>Hearthを使う、在hearth中</p>'],
    ['lunch', '<p>lunchtime and lunch</p>'],
  ])('%j is found in %j', (word, html) => {
    expect(isAlerted(word, html)).toBe(true);
  });

  test.each<[string, string]>([
    ['lunch', '<p>lunchtime</p>'],
    ['lunch', '<p>prelunch</p>'],
    ['lunch', '<p>lunch_time</p>'],
    ['lunch', '<p>lunch2</p>'],
    ['stra', '<p>straße</p>'],
    ['span', '<p><span class="x">text</span></p>'],
    ['alert', '<p title="alert">text</p>'],
    ['ab', '<p>a</p><p>b</p>'],
    ['e', '<p>e\u0301</p>'],
    ['lunch', '<p></p>'],
  ])('%j is not found in %j', (word, html) => {
    expect(isAlerted(word, html)).toBe(false);
  });

  test('a word is found among others wherever blanks are around it', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), word, (words, wanted) => {
        expect(isAlerted(wanted, `<p>${words.join(' ')}</p>`)).toBe(words.includes(wanted));
      }),
    );
  });

  test('every watcher of alert words is told once, in ascending order', () => {
    const watchers = new Map([
      ['a', [3, 1]],
      ['b', [2, 3]],
      ['c', [9]],
    ]);
    expect(findAlerted(watchers, '<p>b a</p>')).toEqual([1, 2, 3]);
    expect(findAlerted(new Map(), '<p>a</p>')).toEqual([]);
  });
});

test.each(['<', '<a ', '&', '&amp;'])(
  'the text of many %j takes time in proportion to their length',
  async (unit) => {
    const make = (size: number): string => unit.repeat(size / unit.length);
    await expectLinear({ make, run: plainTextOf, size: 16_384 });
  },
);

describe('a list of alert words', () => {
  test('a list of words is trimmed, without blanks and without duplicates', () => {
    expect(checkAlertWords([' Lunch', 'LUNCH ', '', '  ', 'Ｌｕｎｃｈ', 'x'])).toEqual([
      { word: 'Lunch', key: 'lunch' },
      { word: 'x', key: 'x' },
    ]);
  });

  test('a list of words refuses one that is longer than 100 characters', () => {
    expect(checkAlertWords(['é'.repeat(100)])).toHaveLength(1);
    expect(() => checkAlertWords(['é'.repeat(101)])).toThrow('limit: 100 characters');
  });
});

test('plain text is what a reader sees', () => {
  expect(plainTextOf('<p>a &lt;b&gt; &amp;lt; &#39;x&#x27; &nope;</p>').trim()).toBe(
    "a <b> &lt; 'x' &nope;",
  );
});
