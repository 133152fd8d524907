import { expect, test } from 'vitest';
import {
  finishText,
  searchFor,
  searchView,
  splitTerms,
  suggestionsFor,
  termLabel,
  type SearchSource,
} from '#renderer/lib/search/search-query.ts';

const source: SearchSource = {
  streams: [
    { streamId: 1, name: 'general' },
    { streamId: 2, name: 'engineering' },
  ],
  people: [
    { userId: 8, fullName: 'Ada Admin' },
    { userId: 10, fullName: 'Cleo Zürcher' },
  ],
  topics: ['lunch', 'release 2.0'],
  ownUserId: 8,
  nowMs: new Date(2026, 10, 21, 15).getTime(),
};
const labels = (text: string): readonly string[] =>
  suggestionsFor(text, source).map(({ label }) => label);

test('without anything typed every filter is offered', () => {
  expect(labels('')).toEqual(expect.arrayContaining(['stream:', 'sender:', 'is:unread', 'near:']));
});

test.each([
  ['st', ['stream:', 'is:starred']],
  ['two words -se', ['-sender:']],
  ['stream:eng', ['stream:engineering']],
  ['channel:general', ['stream:general']],
  ['hello -from:zurch', ['-sender:Cleo Zürcher']],
  ['has:', ['has:link', 'has:image', 'has:attachment']],
  ['topic:release', ['topic:release 2.0']],
])('%j offers %j', (text, wanted) => {
  expect(labels(text)).toEqual(wanted);
});

test('a suggestion takes what was typed for it out of the text', () => {
  const [first] = suggestionsFor('noodles -sender:cleo z', source);
  expect(first).toMatchObject({
    text: 'noodles ',
    term: { operator: 'sender', operand: 10, negated: true },
  });
});

test.each([
  ['stream:General', { terms: [{ operator: 'stream', operand: 1 }], text: '' }],
  ['a b is:starred', { terms: [{ operator: 'is', operand: 'starred' }], text: 'a b ' }],
  ['-has:link', { terms: [{ operator: 'has', operand: 'link', negated: true }], text: '' }],
  ['topic:never seen', { terms: [{ operator: 'topic', operand: 'never seen' }], text: '' }],
  ['near:118', { terms: [{ operator: 'near', operand: 118 }], text: '' }],
  ['with:118', { terms: [{ operator: 'near', operand: 118 }], text: '' }],
  ['is:dm', { terms: [{ operator: 'is', operand: 'private' }], text: '' }],
  ['dm:Cleo Zürcher', { terms: [{ operator: 'pm-with', operand: [10] }], text: '' }],
  [
    'from:cleo in:engineering noodles and rice',
    {
      terms: [
        { operator: 'sender', operand: 10 },
        { operator: 'stream', operand: 2 },
      ],
      text: 'noodles and rice',
    },
  ],
  [
    'soup topic:release 2.0 late -has:link',
    {
      terms: [
        { operator: 'topic', operand: 'release 2.0' },
        { operator: 'has', operand: 'link', negated: true },
      ],
      text: 'soup late',
    },
  ],
  [
    'topic:"never seen" soup',
    { terms: [{ operator: 'topic', operand: 'never seen' }], text: 'soup' },
  ],
  [
    'is:unread soup has:link late',
    {
      terms: [
        { operator: 'is', operand: 'unread' },
        { operator: 'has', operand: 'link' },
      ],
      text: 'soup late',
    },
  ],
  ['is:unread soup', { terms: [{ operator: 'is', operand: 'unread' }], text: 'soup' }],
  [
    'stream:general "is:this quoted"',
    { terms: [{ operator: 'stream', operand: 1 }], text: '"is:this quoted"' },
  ],
  ['https://example.com', { terms: [], text: 'https://example.com' }],
  ['just words', { terms: [], text: 'just words' }],
])('%j is finished', (text, wanted) => {
  expect(finishText(text, source)).toEqual(wanted);
});

test.each([
  ['stream:nowhere', /no stream called nowhere/],
  ['sender:Nobody', /Nobody here is called Nobody/],
  ['is:green', /is:green is no filter/],
  ['near:here', /here is not the number of a message/],
  ['with:Cleo', /Cleo is not the number of a message.*dm:/],
])('%j says what is wrong', (text, sentence) => {
  expect(finishText(text, source)).toEqual({ problem: expect.stringMatching(sentence) as string });
});

test('a name of many offers each of them, or everybody, with the words behind it', () => {
  const bens = Array.from({ length: 33 }, (_, n) => ({
    userId: 100 + n,
    fullName: `Ben ${String.fromCharCode(65 + n)}ole`,
  }));
  const many = { ...source, people: [...source.people, ...bens] };
  const [everybody, first] = suggestionsFor('soup from:ben kiln', many);
  const userIds = bens.map(({ userId }) => userId);
  expect(everybody).toMatchObject({
    label: 'sender:everybody called ben (33)',
    term: { operator: 'sender', operand: userIds },
    text: 'soup kiln',
  });
  expect(first).toMatchObject({ label: 'sender:Ben Aole', text: 'soup kiln' });
  expect(finishText('from:ben kiln', many)).toEqual({
    problem: 'Several people are called ben. Choose from the list.',
  });
  expect(suggestionsFor('from:cleo kiln', many)).toMatchObject([
    { label: 'sender:Cleo Zürcher', text: 'kiln' },
  ]);
  const label =
    everybody?.term && termLabel(everybody.term, { streamNameOf: String, nameOf: String });
  expect(label).toBe('sender: 100, 101 and 31 more');
});

test('words and filters come apart and together again', () => {
  const terms = [
    { operator: 'stream', operand: 1 },
    { operator: 'search', operand: 'two words' },
  ];
  const { chips, text } = splitTerms(terms);
  expect(text).toBe('two words');
  expect(searchFor(chips, text)).toEqual({ terms, near: null });
  expect(searchFor([{ operator: 'near', operand: 5 }], '')).toEqual({ terms: [], near: 5 });
  expect(searchFor([], '  ')).toBeNull();
  const starred = { operator: 'is', operand: 'starred' };
  expect(searchFor([starred, { ...starred }], '')?.terms).toEqual([starred]);
});

test('a search has an order where it has words to rank by', () => {
  const words = [{ operator: 'search', operand: 'tea' }];
  const starred = [{ operator: 'is', operand: 'starred' }];
  expect(searchView([...starred, ...words], 'relevance')).toEqual({
    kind: 'search',
    terms: [...starred, ...words],
    order: 'relevance',
  });
  expect(searchView(words, undefined)).toEqual({ kind: 'search', terms: words });
  expect(searchView(starred, 'relevance')).toEqual({ kind: 'search', terms: starred });
  const without = [{ operator: 'search', operand: 'tea', negated: true }];
  expect(searchView(without, 'relevance')).toEqual({ kind: 'search', terms: without });
});

test('chips are read as names', () => {
  const names = { streamNameOf: () => 'general', nameOf: () => 'Cleo Zürcher' };
  expect(termLabel({ operator: 'stream', operand: 1, negated: true }, names)).toBe(
    'not stream: general',
  );
  expect(termLabel({ operator: 'pm-with', operand: [10] }, names)).toBe('dm: Cleo Zürcher');
  expect(termLabel({ operator: 'is', operand: 'unread' }, names)).toBe('is:unread');
});
