import { describe, expect, it } from 'vitest';
import {
  compileLinkifier,
  linkifierBudget,
  matchLinkifiers,
} from '#service/markdown/syntax/linkifiers.ts';

const urlsOf = (pattern: string, urlFormat: string, text: string): readonly string[] =>
  matchLinkifiers([compileLinkifier(pattern, urlFormat)], text, linkifierBudget()).map(
    (hit) => hit.url,
  );

describe('a linkifier', () => {
  it('a linkifier puts what its groups match into the address', () => {
    expect(
      urlsOf('(?P<a>[a-z]+)/(?P<b>[0-9]+)', 'https://t.test/%(b)s/%(a)s?x=%(b)s', 'see ops/7'),
    ).toEqual(['https://t.test/7/ops?x=7']);
  });

  it('a linkifier puts nothing where a group matched nothing', () => {
    expect(urlsOf('#(?P<a>[0-9]+)(?P<b>!)?', 'https://t.test/%(a)s%(b)s', '#1 #2!')).toEqual([
      'https://t.test/1',
      'https://t.test/2!',
    ]);
  });

  it.each<readonly [string, string, string]>([
    ['(', 'https://t.test/', "The pattern '(' is no regular expression: missing closing ): `(`"],
    [
      'a)(b',
      'https://t.test/',
      "The pattern 'a)(b' is no regular expression: unexpected ): `a)(b`",
    ],
    [
      '(?=a)',
      'https://t.test/',
      "The pattern '(?=a)' is no regular expression: invalid or unsupported Perl syntax: `(?=`",
    ],
    [
      '(a)\\1',
      'https://t.test/',
      "The pattern '(a)\\1' is no regular expression: invalid escape sequence: `\\1`",
    ],
    ['a*', 'https://t.test/', "The pattern 'a*' must not match an empty text"],
    ['[0-9]{999}', 'https://t.test/', "The pattern '[0-9]{999}' is too large"],
    ['a'.repeat(1001), 'https://t.test/', 'The pattern is longer than 1000 characters'],
    ['a', `https://t.test/${'a'.repeat(1000)}`, 'The URL format is longer than 1000 characters'],
    [
      '(?P<a>x)',
      'https://t.test/%(b)s',
      "The URL format names 'b', but the pattern has no group (?P<b>...)",
    ],
    [
      '(?P<a>x)',
      'javascript:%(a)s',
      "The URL format 'javascript:%(a)s' must be an http:// or https:// address",
    ],
    ['(?P<a>x)', '%(a)s', "The URL format '%(a)s' must be an http:// or https:// address"],
    [
      '(?P<a>x)',
      'https://t.test/ x',
      "The URL format 'https://t.test/ x' must be an http:// or https:// address",
    ],
  ])('%j with %j is refused', (pattern, urlFormat, message) => {
    expect(() => compileLinkifier(pattern, urlFormat)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message }) as Error,
    );
  });

  it('a linkifier leaves a text to one that comes before it', () => {
    const both = ['(?P<x>[a-z]+-[0-9]+)', '(?P<x>[0-9a-z-]+)'].map((pattern, i) =>
      compileLinkifier(pattern, `https://t.test/${String(i)}/%(x)s`),
    );
    expect(matchLinkifiers(both, 'b ab-1 c', linkifierBudget()).map((hit) => hit.url)).toEqual([
      'https://t.test/1/b',
      'https://t.test/0/ab-1',
      'https://t.test/1/c',
    ]);
  });

  it('a linkifier makes no address of thousands of characters', () => {
    const format = `https://t.test/${'%(x)s'.repeat(100)}`;
    expect(urlsOf('(?P<x>[a-z]+)', format, `a ${'b'.repeat(100)}`)).toEqual([
      `https://t.test/${'a'.repeat(100)}`,
    ]);
  });

  it('a linkifier finds hits in long texts too', () => {
    const text = `${'word '.repeat(500)}#1 ${'x'.repeat(2000)} #2`;
    expect(urlsOf('#(?P<x>[0-9]+)', 'https://t.test/%(x)s', text)).toEqual([
      'https://t.test/1',
      'https://t.test/2',
    ]);
  });
});
