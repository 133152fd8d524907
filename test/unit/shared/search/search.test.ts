import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { returnMemory } from '#node/threads/memory.ts';
import { createHighlighter } from '#shared/search/highlight.ts';
import { matches, parseQuery, searchOf } from '#shared/search/query.ts';
import { stem } from '#shared/search/stem.ts';
import { foldText } from '#shared/search/fold.ts';
import { indexedWords } from '#shared/search/index-tokens.ts';

describe('English words', () => {
  test.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['agreed', 'agre'],
    ['feed', 'feed'],
    ['plastered', 'plaster'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['digitizer', 'digit'],
    ['operator', 'oper'],
    ['hopefulness', 'hope'],
    ['triplicate', 'triplic'],
    ['adoption', 'adopt'],
    ['controll', 'control'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['yes', 'ye'],
    ['is', 'is'],
  ])('%s is found by %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});

describe('what is remembered of words', () => {
  const heldMiB = (): number => {
    returnMemory();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  /** Another one for each number, of letters alone. */
  const numbered = (word: string, number: number): string =>
    word + String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

  test.each(['notification', 'уведомлениями'])(
    'keeps no message alive that has the word %s',
    (word) => {
      const [texts, length] = [1000, 20_000];
      const before = heldMiB();
      const kept: unknown[] = [];
      for (let number = 0; number < texts; number++) {
        // Read from a buffer, as from a request: a string in one piece.
        const message = `${numbered(word, number)} ${' '.repeat(length)}`;
        kept.push(indexedWords(null, Buffer.from(message).toString()));
      }
      // The texts are 19 MiB, or twice that.
      expect(heldMiB() - before).toBeLessThan(4);
      expect(kept).toHaveLength(texts);
    },
  );

  test('is the same whether a text is seen first, again, or long after', () => {
    const run = 'HTTPServerOfTheOffice';
    const first = indexedWords(null, run);
    for (let number = 0; number < 12_000; number++)
      indexedWords(null, numbered('abcdefghij', number));
    expect([indexedWords(null, run), indexedWords(null, run)]).toEqual([first, first]);
  });
});

describe('folding', () => {
  test.each([
    ['Café', 'cafe'],
    ['ŁÓDŹ', 'lodz'],
    ['Straße', 'strasse'],
    ['Ångström', 'angstrom'],
    ['ёлка', 'елка'],
    ['мой', 'мой'],
    ['ＷＩＤＥ', 'wide'],
    ['ガ', 'ガ'],
    ['ก็ดี', 'ก็ดี'],
    ['한국', '한국'],
    ['İstanbul', 'istanbul'],
  ])('%s', (word, expected) => {
    expect(foldText(word).lower).toBe(expected);
  });

  test('folding leaves only what belongs to words, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const token of indexedWords(null, text).sequence) {
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}\p{Cs}]+$/u);
        }
      }),
    );
  });
});

test('the words of a text are the same whether all of it is ASCII or not', () => {
  // Without Markdown, of which words are made that are none in the text.
  const Ascii = fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll(/[*~`]/g, ' '));
  fc.assert(
    fc.property(Ascii, (text) => {
      const { sequence, others } = indexedWords(null, text);
      const beside = indexedWords(null, `${text} é`);
      expect(beside.sequence).toEqual([...sequence, 'e']);
      expect(beside.others).toEqual(others);
    }),
  );
});

describe('parts of words', () => {
  test.each([
    ['**bold** and ~~struck~~ words, 2 * 3', []],
    ['see un**believ**able', []],
    ['HTTPServer', ['http', 'server']],
    ['fooBarBaz', ['foo', 'bar', 'baz']],
    ['build123', ['build', '123']],
    ['a1b2c3d4e5', []],
    ['plain', []],
    ['清华大学 🎉—', ['清华', '华大', '大学', '学', '\ue000x1f389']],
    ['ดีมาก', ['ดีม', 'ีมา', 'มาก', 'าก', 'ก']],
    ['والكتاب', ['وال', 'الك', 'لكت', 'كتا', 'تاب']],
  ])('%s', (text, expected) => {
    expect([...indexedWords(null, text).others]).toEqual(expected);
  });
});

test('a message is found by each of its own words, and by all of them in a row', () => {
  const Word = fc.stringMatching(/^[a-z]{4,9}$/);
  fc.assert(
    fc.property(fc.array(Word, { minLength: 1, maxLength: 8 }), (words) => {
      const content = words.join(' ');
      for (const word of words) expect(matches(null, content, searchOf([word], []))).toBe(true);
      expect(matches(null, content, searchOf([`"${content}"`], []))).toBe(true);
      expect(matches(null, content, searchOf([], [content]))).toBe(false);
    }),
  );
});

describe('highlighting', () => {
  test('highlighting adds spans and nothing else, whatever the query and the text', () => {
    const Text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a &amp; b', '<b title="x>y">x</b>'),
    );
    fc.assert(
      fc.property(Text, Text, (query, html) => {
        const marked = createHighlighter(parseQuery(query)).html(html);
        expect(marked.replaceAll('<span class="highlight">', '').replaceAll('</span>', '')).toBe(
          html.replaceAll('<span class="highlight">', '').replaceAll('</span>', ''),
        );
      }),
    );
  });

  test.each([
    [
      'title',
      '<a title="title">title</a>',
      '<a title="title"><span class="highlight">title</span></a>',
    ],
    ['amp', 'a &amp; b', 'a &amp; b'],
    ['"a & b"', 'a &amp; b', '<span class="highlight">a &amp; b</span>'],
    ['lt', '<!-- lt --> 1 &lt; 2', '<!-- lt --> 1 &lt; 2'],
    ['the fox', 'the fox', 'the <span class="highlight">fox</span>'],
    ['plan', 'éplan planй plan', 'éplan planй <span class="highlight">plan</span>'],
    [
      'plan',
      `${'x '.repeat(20_000)}plan`,
      `${'x '.repeat(20_000)}<span class="highlight">plan</span>`,
    ],
    ['', 'x', 'x'],
  ])('%s in %s', (query, html, expected) => {
    expect(createHighlighter(parseQuery(query)).html(html)).toBe(expected);
  });

  test('highlighting marks a word in plain letters as it does between others', () => {
    const Stem = fc.stringMatching(/^[a-z]{2,7}$/);
    const End = fc.constantFrom(
      '',
      's',
      'ing',
      'ed',
      'ation',
      'ational',
      'ness',
      'ibility',
      'y',
      'ies',
    );
    fc.assert(
      fc.property(Stem, End, End, (word, one, other) => {
        const { html } = createHighlighter(parseQuery(`${word}${one}`));
        const text = `${word}${other} x`;
        expect(html(`${text} é`)).toBe(`${html(text)} é`);
      }),
      // A stem of two letters, whose words do not begin with it.
      { numRuns: 2000, examples: [['ay', 'ing', 'ing']] },
    );
  });

  test('highlighting marks plain letters between tags and entities as it does all others', () => {
    const Piece = fc.constantFrom(
      ...'plan Plans planning planPlan unplanned x2plan - plane oplan'.split(' '),
      ...' |&amp;|&#112;lan|pl&#97;n|&plan;|<b>|</b>|<a title="plan > plan">|<!-- plan -->'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('plan', 'plan*', 'plan x2', '"plan -"', 'pla* -plan'),
        fc.array(Piece, { maxLength: 12 }),
        (query, pieces) => {
          const { html } = createHighlighter(parseQuery(query));
          const source = pieces.join('');
          // With any other letter in it, text goes another way.
          expect(html(`${source}<p>é</p>`)).toBe(`${html(source)}<p>é</p>`);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('plain text becomes HTML', () => {
    expect(createHighlighter(parseQuery('b')).text(`<b> & "c" 'd'`)).toBe(
      '&lt;<span class="highlight">b</span>&gt; &amp; &quot;c&quot; &#39;d&#39;',
    );
  });
});
