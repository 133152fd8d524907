import { expect, test } from 'vitest';
import {
  accepted,
  commandsFor,
  emojiFor,
  languagesFor,
  peopleFor,
  rankOf,
  streamsFor,
  topicPlaceOf,
  topicsFor,
  triggerAt,
  type Trigger,
} from '#renderer/lib/writing/completion.ts';
import { addressFor } from '#shared/text/transliterations.ts';
import { allEmoji } from '#renderer/lib/writing/emoji-list.ts';
import { applied } from '#renderer/lib/writing/text-edit.ts';
import { listedStream, person, stream } from '#test/support/window/office.ts';

/** `|` is the caret. */
const asked = (marked: string): Trigger | null =>
  triggerAt(marked.replace('|', ''), marked.indexOf('|'));

test.each([
  ['@|', 'person', ''],
  ['hi @be|', 'person', 'be'],
  ['hi @_be|', 'person', 'be'],
  ['hi @**be|', 'person', 'be'],
  ['hi @Ben Mem|', 'person', 'Ben Mem'],
  ['(@ben|', 'person', 'ben'],
  ['#|', 'stream', ''],
  ['你好@be|', 'person', 'be'],
  ['「@be|', 'person', 'be'],
  ['ל@be|', 'person', 'be'],
  ['テスト#gen|', 'stream', 'gen'],
  ['안녕#**gen>lun|', 'topic', 'lun'],
  ['太好了:ta|', 'emoji', 'ta'],
  ['see #gen|', 'stream', 'gen'],
  ['see #**gen|', 'stream', 'gen'],
  ['#**general>|', 'topic', ''],
  ['#**general>lun|', 'topic', 'lun'],
  ['#**general**>lun|', 'topic', 'lun'],
  ['#general>lun|', 'topic', 'lun'],
  ['see #1 and @be|', 'person', 'be'],
  ['[a](#narrow/is/starred) @|', 'person', ''],
  ['@Ben Member :ta|', 'emoji', 'ta'],
  ['@ben in #gen|', 'stream', 'gen'],
  ['#general>issue #4|', 'topic', 'issue #4'],
  [':ta|', 'emoji', 'ta'],
  ['nice :+1|', 'emoji', '+1'],
  ['```py|', 'language', 'py'],
  ['text\n```py|', 'language', 'py'],
  ['~~~ py|', 'language', 'py'],
  ['/|', 'command', ''],
  ['/m|', 'command', 'm'],
])('%s asks for a %s called %j', (marked, kind, query) => {
  expect(asked(marked)).toMatchObject({ kind, query });
});

test.each([
  '|',
  'mail@example|',
  'почта@example|',
  '# heading|',
  '@ ben|',
  ':t|',
  'at 12:30|',
  'a::b|',
  '```|',
  'hi /m|',
  '`@be|',
  '```\n@be|',
  '```\n:tada|',
  '@ben@cleo|x',
])('%s asks for nothing', (marked) => {
  const found = asked(marked);
  expect(found === null || found.query === 'cleo').toBe(true);
});

test('in a closed block nothing is code any more, and in a quote nothing was', () => {
  expect(asked('```quote\n@be|')).toMatchObject({ kind: 'person' });
  expect(asked('```\ncode\n```\n@be|')).toMatchObject({ kind: 'person' });
});

const people = [
  person(1, 'Ada Admin'),
  person(2, 'Ben Member'),
  person(3, 'Zoë Beneke'),
  person(4, 'Ben Member'),
  person(5, 'Benno Gone', { isActive: false }),
  person(6, 'all'),
  person(7, 'Carl Benson'),
];
const source = {
  people,
  lookAlikes: new Set<number>(),
  groups: [],
  present: [7],
  familiar: [],
  isStream: true,
  ownUserId: 1,
};
const labels = (list: readonly { readonly label: string }[]): string[] => list.map((c) => c.label);

test('people whose name starts so come first, those of the conversation before others, nobody who is gone', () => {
  const found = peopleFor(asked('@ben|')!, source);
  expect(labels(found)).toEqual(['Ben Member', 'Ben Member', 'Carl Benson', 'Zoë Beneke']);
  expect(found.map(({ insert }) => insert)).toEqual([
    '@**Ben Member|2**',
    '@**Ben Member|4**',
    '@**Carl Benson**',
    '@**Zoë Beneke**',
  ]);
});

test('people who talk here come first by one letter too, then those one writes to in private, then strangers', () => {
  const many = [person(20, 'Bea Stranger'), person(21, 'Betty Pal'), person(22, 'Carl Benson')];
  const given = { ...source, people: many, present: [22], familiar: [21] };
  expect(labels(peopleFor(asked('@b|')!, given))).toEqual([
    'Carl Benson',
    'Betty Pal',
    'Bea Stranger',
  ]);
});

test('accents do not matter', () => {
  expect(labels(peopleFor(asked('@zoe|')!, source))).toEqual(['Zoë Beneke']);
});

test('a silent mention notifies nobody, so it offers no wildcards', () => {
  expect(peopleFor(asked('@_zo|')!, source)[0]?.insert).toBe('@_**Zoë Beneke**');
  expect(peopleFor(asked('@_al|')!, source).map(({ insert }) => insert)).toEqual(['@_**all|6**']);
});

test('wildcards and groups are offered, in a private conversation without that of streams', () => {
  const group = { id: 1, name: 'everything', description: '', userIds: [1, 2] };
  const given = { ...source, people: [], groups: [group] };
  const inserts = (marked: string, isStream: boolean) =>
    peopleFor(asked(marked)!, { ...given, isStream }).map(({ insert }) => insert);
  expect(inserts('@eve|', true)).toEqual(['@**everyone**', '@*everything*']);
  expect(inserts('@st|', true)).toEqual(['@**stream**']);
  expect(inserts('@st|', false)).toEqual([]);
});

test('a group is offered among people whose domain or letters answer too', () => {
  const group = { id: 1, name: 'kilncrew', description: '', userIds: [1, 2] };
  const people = Array.from({ length: 40 }, (_, n) =>
    person(20 + n, n % 2 === 0 ? `Member ${String(n)}` : `Karl Irwin Lane ${String(n)}`, {
      email: `m${String(n)}@kiln.example`,
    }),
  );
  const given = { ...source, people, groups: [group] };
  expect(labels(peopleFor(asked('@kiln|')!, given))[0]).toBe('kilncrew');
  expect(addressFor('m2@kiln', 'm2@kiln.example')).toBe('m2@kiln.example');
});

test('streams of one’s own come before others, muted ones after them', () => {
  const found = streamsFor(
    'de',
    [stream(1, 'design', { isMuted: true }), stream(2, 'development')],
    [listedStream(3, 'deals')],
  );
  expect(labels(found)).toEqual(['development', 'design', 'deals']);
  expect(found[0]?.insert).toBe('#**development**');
});

test('a topic is named with its stream', () => {
  const streams = [stream(1, 'general'), stream(2, 'gt>x'), stream(3, 'gt>x>y')];
  const find = (name: string) => streams.find((each) => each.name === name);
  const inserts = (marked: string) => {
    const place = topicPlaceOf(asked(marked)!, find);
    return (
      place && topicsFor(place.query, place.stream, ['lunch', 'y>z', 'a*b']).map((c) => c.insert)
    );
  };
  expect(inserts('#**general>lu|')).toEqual(['#**general>lunch**']);
  expect(inserts('#**general>y>|')).toEqual(['#**general>y>z**']);
  expect(inserts('#gt>x>lu|')).toEqual(['[#gt>x > lunch](/#narrow/stream/2-gt.3Ex/topic/lunch)']);
  expect(inserts('#**general>a|')).toEqual([
    String.raw`[#general > a\*b](/#narrow/stream/1-general/topic/a.2Ab)`,
  ]);
  expect(inserts('#gt>|')).toBeUndefined();
});

test('emoji are found by any of their names, the whole name and popular ones first', () => {
  expect(emojiFor('tada', allEmoji(), [])[0]).toMatchObject({ insert: ':tada:', sign: '🎉' });
  expect(emojiFor('thumbs', allEmoji(), [])[0]?.sign).toBe('👍');
  expect(emojiFor('+1', allEmoji(), [])[0]?.insert).toBe(':+1:');
  const own = { id: '7', name: 'party_parrot', url: '/x.gif', isActive: true };
  expect(emojiFor('parr', allEmoji(), [own])[0]).toMatchObject({
    insert: ':party_parrot:',
    emojiUrl: '/x.gif',
  });
  expect(emojiFor('parr', allEmoji(), [{ ...own, isActive: false }])[0]?.label).toBe(':parrot:');
});

test('a language that is typed in full is not offered, and its block is closed when it is open', () => {
  expect(languagesFor('python', '')).toEqual([]);
  expect(languagesFor('js', '')).toEqual([]);
  expect(languagesFor('pyt', '')[0]).toMatchObject({ insert: 'python\n', behind: '\n```\n' });
  expect(languagesFor('pyt', '\n```')[0]?.behind).toBe('');
});

test.each([
  ['hi @be|', '@**Ben Member**', 'hi @**Ben Member** |'],
  ['hi @be| there', '@**Ben Member**', 'hi @**Ben Member** |there'],
  ['see #gen|, ok', '#**general**', 'see #**general** |, ok'],
  [':ta|', ':tada:', ':tada: |'],
])('%s becomes %s', (marked, insert, expected) => {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const chosen = { key: 'x', label: '', hint: '', insert, behind: '' };
  const edit = accepted(text, caret, asked(marked)!, chosen);
  const after = applied(text, edit);
  const shown = `${after.slice(0, edit.start)}|${after.slice(edit.start)}`;
  // A blank that follows already is not doubled; the caret stands behind the one that was put in.
  expect(shown.replace('** | there', '** |there').replace('**| there', '** |there')).toBe(expected);
});

test('a command stands only at the beginning, and puts the caret where writing goes on', () => {
  expect(commandsFor('m').map(({ label }) => label)).toEqual(['/me', '/math']);
  const chosen = commandsFor('quote')[0];
  if (chosen === undefined) throw new Error('no such command');
  const edit = accepted('/quote', 6, asked('/quote|')!, chosen);
  expect(applied('/quote', edit)).toBe('```quote\n\n```\n');
  expect(edit.start).toBe('```quote\n'.length);
});

test.each([
  ['', ['x'], 0],
  ['ge', ['general'], 0],
  ['tea', ['design team'], 1],
  ['ner', ['general'], 2],
  ['gnl', ['general'], 3],
  ['zz', ['general'], null],
])('%j answers %j with rank %s', (query, names, rank) => {
  expect(rankOf(query, names)).toBe(rank);
});
