/** Every index offers at least what `matches` finds, and everything that is offered is decided by it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { matches, searchOf } from '#shared/search/query.ts';
import { cachedMessageOf, cacheScope } from '#test/support/client/kept-messages.ts';
import { shortOrLong } from '#test/support/long.ts';
import { type Random, randomFrom, seedsOf } from '#test/support/random.ts';
import { indexAll, indexBlock } from '#test/support/service/indexing.ts';
import { found, openSeeded } from '#test/support/service/searching.ts';
import { newMessage, temporaryFile, toStream } from '#test/support/service/store.ts';

/** Of ten scripts, each with something that can be typed in several ways. */
const scripts: readonly (readonly string[])[] = [
  'deploy deployed Server HTTPServer naïve Straße Łódź fooBar2 ｗｉｄｅ the to'.split(' '),
  'Ελλάδα ΟΔΟΣ λόγος λόγου και'.split(' '),
  'мой моего Ёлка йод слово словом'.split(' '),
  'الكتاب كتاب والمدرسة مدرسه مكتبـــة إدارة في'.split(' '),
  'הספר ספר ובבית בית שָׁלוֹם'.split(' '),
  ['東京都知事選挙', '上海东边', '我家在', '会議', '葛󠄀城', '𠮷野家'],
  ['データベース', 'ﾃﾞｰﾀ', 'かな', 'にいきました'],
  ['한국은행', '서울에서', '회의', '회의'.normalize('NFD')],
  ['ผมชอบ', 'กินข้าว', 'ข้าวผัด', 'ดี'],
  ['हिन्दी', 'संदेश', 'ខ្ញុំចូល', 'ကျွန်တော်', 'ຂ້ອຍກິນ'],
];
const signs = ['🎉', '->', ',', '—', '2', '(', '❤️'];

function phraseOf(random: Random): string {
  const one = random.pick(scripts);
  const count = 1 + random.below(4);
  const words = Array.from({ length: count }, () => {
    const word = random.pick(random.chance(0.8) ? one : random.pick(scripts));
    if (!random.chance(0.15)) return word;
    const characters = Array.from(word);
    const at = random.below(characters.length);
    return characters.toSpliced(at, 0, random.pick(['**', '*', '~~', '`'])).join('');
  });
  return words.join(random.pick([' ', ' ', ' ', '', '、', '-', '\n']));
}

const textOf = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.15) ? random.pick(signs) : phraseOf(random),
  ).join(' ');

/** As somebody else types it. */
function retyped(random: Random, text: string): string {
  const ways: readonly ((typed: string) => string)[] = [
    (typed) => typed,
    (typed) => typed.toUpperCase(),
    (typed) => typed.toLowerCase(),
    (typed) => typed.normalize('NFD'),
    (typed) => typed.normalize('NFKC'),
  ];
  return random.pick(ways)(text);
}

/** A run of characters of a text, or its words. */
function pieceOf(random: Random, text: string): string {
  const characters = Array.from(text);
  const at = random.below(characters.length);
  const piece = characters.slice(at, at + 1 + random.below(6)).join('');
  const words = text.split(/\s+/);
  return retyped(random, random.chance(0.5) ? piece : random.pick(words));
}

function operandOf(random: Random, text: string): string {
  const piece = pieceOf(random, text);
  const way = random.next();
  if (way < 0.2) return `"${piece}"`;
  if (way < 0.3) return `${piece}*`;
  if (way < 0.4) return `${piece} ${pieceOf(random, text)}`;
  if (way < 0.5) return `"${text.split(/\s+/).slice(0, 3).join(' ')}"`;
  return piece;
}

interface Said {
  readonly streamId: number;
  readonly topic: string;
  text: string;
}

/** Each of them is asked for of the service and of the cache. */
const MESSAGES = shortOrLong(60, 600);
const QUERIES = shortOrLong(60, 1000);

test.each(seedsOf('HEARTH_SEARCH_SEED', 1))(
  'the service and the cache find what reading every message finds (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const random = randomFrom(seed);
    const file = temporaryFile();
    const store = await openSeeded(file);
    const dir = mkdtempSync(join(tmpdir(), 'hearth-hits-'));
    const { cache } = openSqliteCache(join(dir, 'cache.db'));
    const said = new Map<number, Said>();

    const keep = (id: number, { streamId, topic, text }: Said): void => {
      if (streamId === 1) cache.put([cachedMessageOf(id, { streamId, topic, text })]);
    };
    async function say(): Promise<void> {
      const each: Said = {
        streamId: random.chance(0.8) ? 1 : 2,
        topic: phraseOf(random).replaceAll('\n', ' '),
        text: textOf(random),
      };
      const target = toStream(each.streamId, each.topic);
      const id = await store.appendMessage(newMessage({ content: each.text, target }));
      said.set(id, each);
      keep(id, each);
    }
    async function edit(): Promise<void> {
      const [id, each] = random.pick([...said]);
      each.text = textOf(random);
      const { target: _target, ...content } = newMessage({ content: each.text });
      const plan = { messageId: id, editorId: 1, editedAt: 1, content, move: null };
      await store.change((tx) => tx.editMessage(plan));
      keep(id, each);
    }

    let hits = 0;
    async function ask(): Promise<void> {
      const readable = [...said].filter(([, { streamId }]) => streamId === 1);
      const source = (): string => {
        const [, { topic, text }] = random.pick(readable);
        return random.chance(0.2) ? topic : text;
      };
      const wanted = random.chance(0.95) ? [operandOf(random, source())] : [];
      const unwanted =
        wanted.length === 0 || random.chance(0.3) ? [operandOf(random, source())] : [];
      const search = searchOf(wanted, unwanted);
      const expected = readable
        .filter(([, { topic, text }]) => matches(topic, text, search))
        .map(([id]) => id);
      const asked = JSON.stringify({ wanted, unwanted });
      hits += expected.length;
      expect([asked, await found(store, wanted, unwanted)]).toEqual([asked, expected]);
      const page = cache.page(
        {
          narrow: [
            ...wanted.map((operand) => ({ operator: 'search', operand })),
            ...unwanted.map((operand) => ({ operator: 'search', operand, negated: true })),
          ],
          anchor: 'newest',
          numBefore: 1000,
          numAfter: 0,
        },
        cacheScope(),
      );
      expect([asked, page.messages.map(({ id }) => id)]).toEqual([asked, expected]);
    }

    try {
      for (let n = 0; n < MESSAGES; n += 1) await say();
      await indexBlock(store, file, { messages: Math.floor(MESSAGES / 2) });
      for (let n = 0; n < QUERIES; n += 1) {
        if (n === Math.floor(QUERIES / 3)) await indexAll(store, file);
        if (random.chance(0.2)) await edit();
        if (n % 50 === 49) await indexAll(store, file);
        await ask();
      }
      expect(hits).toBeGreaterThan(QUERIES);
    } finally {
      cache.close();
      rmSync(dir, { recursive: true });
      await store.close();
    }
  },
);

test('a piece of what has no blanks is found where it was taken from, however it is typed', () => {
  const random = randomFrom(7);
  for (let n = 0; n < shortOrLong(500, 20_000); n += 1) {
    const word = random.pick(random.pick(scripts.slice(5, 9)));
    const clusters = Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment);
    const at = random.below(clusters.length);
    const piece = clusters.slice(at, at + 1 + random.below(5)).join('');
    const text = `${phraseOf(random)}${word}${phraseOf(random)}`;
    const query = retyped(random, piece);
    for (const asked of [query, `"${query}"`, `${query}*`])
      expect([asked, text, matches(null, text, searchOf([asked], []))]).toEqual([
        asked,
        text,
        true,
      ]);
  }
});
