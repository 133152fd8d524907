import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTENT_BYTES } from '#shared/api/bounds.ts';
import { checkContent, truncateContent } from '#service/features/messages/rules/content.ts';

const unixLines = (text: string): string => text.split(/\r\n|\r/).join('\n');

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');
const refused = expect.objectContaining({ name: 'ServiceError', code: 'BAD_REQUEST' });
const marker = '\n[message truncated]';

/** Texts around the limit, of characters of one to four bytes. */
const longText = fc
  .tuple(
    fc.constantFrom('x', 'é', '日', '🙂', 'x🙂', ' é\n'),
    fc.integer({ min: 9000, max: 11_000 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  .map(([unit, bytes, rest]) => unit.repeat(Math.floor(bytes / bytesOf(unit))) + rest);

describe('the content of a message', () => {
  test('the content keeps everything but the white space at its end', () => {
    expect(checkContent('  a\n b \n\t ')).toBe('  a\n b');
    expect(checkContent('a\r\nb\rc')).toBe('a\nb\nc');
  });

  test.for(['', ' ', '\n\n', '\t\u00a0\u3000', 'a\0b', '\0'])('%j is refused', (content) => {
    expect(() => checkContent(content)).toThrow(refused);
  });

  test('the content has at most 10,000 bytes, whatever characters they encode', () => {
    for (const unit of ['x', 'é', '日', '🙂']) {
      const most = unit.repeat(Math.floor(CONTENT_BYTES / bytesOf(unit)));
      expect(checkContent(most)).toBe(most);
      expect(checkContent(`${most}${' '.repeat(5000)}`)).toBe(most);
      expect(() => checkContent(most + unit)).toThrow(refused);
    }
  });

  test('content that is too long is refused with its size and the limit', () => {
    expect(() => checkContent('🙂'.repeat(2501))).toThrow(
      'Message too long: 10004 bytes (limit: 10000 bytes)',
    );
  });

  test('the content is never changed inside: it is accepted as a beginning of what was sent, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), longText), (content) => {
        const fits = bytesOf(unixLines(content).trimEnd()) <= CONTENT_BYTES;
        const isText = content.trim() !== '' && !content.includes('\0');
        if (fits && isText) expect(checkContent(content)).toBe(unixLines(content).trimEnd());
        else expect(() => checkContent(content)).toThrow(refused);
      }),
      { numRuns: 300 },
    );
  });
});

/** As many characters from the beginning as fit into so many bytes. */
function longestWithin(text: string, room: number): string {
  let longest = '';
  let bytes = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > room) return longest;
    longest += character;
  }
  return longest;
}

describe('the content that a webhook sends', () => {
  test('content from a webhook is left as it is where it fits', () => {
    expect(truncateContent('x'.repeat(10_000))).toBe('x'.repeat(10_000));
    expect(truncateContent(`short${' '.repeat(20_000)}`)).toBe('short');
  });

  test('content that does not fit is cut, with a marker, and then fits', () => {
    const cut = truncateContent('x'.repeat(10_001));
    expect(cut).toBe('x'.repeat(10_000 - marker.length) + marker);
  });

  test('a cut ends the code that it falls into, so that the marker is no part of it', () => {
    const cut = truncateContent(`before\n\`\`\`\`js\n${'code();\n'.repeat(2000)}\`\`\`\`\nafter`);
    expect(bytesOf(cut)).toBeLessThanOrEqual(CONTENT_BYTES);
    expect(cut.endsWith(`code();\n\`\`\`\`${marker}`)).toBe(true);
  });

  test('a cut never falls inside a character, and loses no more than the rest of a word', () => {
    fc.assert(
      fc.property(longText, (content) => {
        // Code that is cut is closed as well, which is another test.
        fc.pre(!/^```/m.test(content));
        const cut = truncateContent(content);
        expect(bytesOf(cut)).toBeLessThanOrEqual(CONTENT_BYTES);
        expect(cut.isWellFormed()).toBe(content.isWellFormed());
        if (cut === content.trimEnd()) return;
        expect(cut.endsWith(marker)).toBe(true);
        const kept = cut.slice(0, -marker.length);
        const longest = longestWithin(content.trimEnd(), CONTENT_BYTES - bytesOf(marker));
        expect(longest.startsWith(kept)).toBe(true);
        expect(longest.slice(kept.length)).toMatch(/^(?:\s+\S{0,99})?$/);
      }),
      { numRuns: 300 },
    );
  });

  test('content from a webhook, once cut to fit, is acceptable as the content of a message', () => {
    fc.assert(
      fc.property(longText, (content) => {
        fc.pre(content.trim() !== '' && !content.includes('\0'));
        expect(() => checkContent(truncateContent(content))).not.toThrow();
      }),
      { numRuns: 100 },
    );
  });
});
