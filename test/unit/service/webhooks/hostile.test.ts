/**
 * Every integration is fed with what nobody should send: mentions and markup in every text, texts that are far too long,
 * keys that are missing or of another type, bodies that break off. Whatever comes, the answer is a message that
 * neither mentions nor marks up what came from outside, or a refusal that says which key is wrong.
 */
import { describe, expect, test } from 'vitest';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { type Read, read, rendered, sentOf } from '#test/support/webhooks/read.ts';
import { scanHtml } from '#test/support/service/markdown/scan-html.ts';
import { allPayloads } from '#test/support/service/webhooks/payloads/index.ts';
import type { Own } from '#test/support/service/webhooks/payloads/own.ts';

const texts = [
  '@**all** @_**Ann** @*team* #**general** #**general>topic** @**Ann|1**',
  '**b** ~~s~~ `c` [x](https://evil.test) ![y](https://evil.test/y.png) https://evil.test evil.test a@evil.test',
  '](https://evil.test) @**all** [x\n```\n@**all**\n```\n> quote\n# head\n* item\n| a | b |\n|---|---|\n/me waves',
  '<@U1|x> <!everyone> <https://evil.test|@**all**> *@**all*** _#**general**_ ~@**all**~ `@**all**` ```@**all**```',
  '<!-- @**all** --> <b>bold</b><script>alert(1)</script> <time:2020-01-01> $$x$$ :smile: \\',
  'javascript:alert(1)//) @**all** (',
];
const long = `@**all** ${'word '.repeat(4000)}`;

/** A copy in which every text is another one. Names of events and kinds stay, so that the event is still read. */
function withTexts(value: unknown, text: string, keep: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return keep.has(value) ? value : text;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text, keep));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withTexts(each, text, keep)]),
  );
}

/** Paths of every key, those inside included. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    [...path, key],
    ...pathsOf(each, [...path, key]),
  ]);
}

/** A copy with another value at a path; without it where that is undefined. */
function withValue(
  value: unknown,
  [key = '', ...rest]: readonly string[],
  other: unknown,
): unknown {
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) =>
      String(index) === key ? (rest.length === 0 ? other : withValue(each, rest, other)) : each,
    );
  }
  const copy: Record<string, unknown> = { ...(value as object) };
  copy[key] = rest.length === 0 ? other : withValue(copy[key], rest, other);
  return copy;
}

/** Slack's own links are links here. */
const LED_ASTRAY: Readonly<Record<string, RegExp>> = {
  slack: /user-mention/,
  slack_incoming: /user-mention/,
};

const MARKUP = new Set(['h1', 'h2', 'table', 'img', 'script', 'del']);

function expectHarmless(name: string, { messages, refusal }: Read, label: string): void {
  if (refusal !== undefined) {
    expect(refusal.status, label).toBe(400);
    expect(refusal.message, label).toMatch(/'[^']*'|payload|Malformed|argument/);
  }
  for (const message of messages) {
    const { html, ...facts } = rendered(message);
    expect(html, label).not.toMatch(
      /user-mention|user-group-mention|class="stream|href="(?!https?:)/,
    );
    expect(facts, label).toMatchObject({ is_me_message: false });
    const { tags, faults } = scanHtml(html);
    expect(faults, label).toEqual([]);
    const marked = tags.filter(
      (tag) => MARKUP.has(tag.name) && name !== 'slack_incoming' && name !== 'slack',
    );
    expect(marked, label).toEqual([]);
  }
}

/** Words that say which event it is, or of what kind a part is. */
const kept = (own: Own): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const path of pathsOf(own.payload)) {
    const value = path.reduce<unknown>(
      (each, key) => (each as Record<string, unknown>)[key],
      own.payload,
    );
    if (typeof value === 'string' && /^[\w.:-]{2,60}$/.test(value)) words.add(value);
  }
  return words;
};

const feed = (own: Own, payload: unknown): Read => read(own.name, sentOf({ ...own, payload }));

describe.each([...integrations.keys()])('%s', (name) => {
  const all = allPayloads.filter((own) => own.name === name);

  test('an integration shows mentions, markup and long texts as they are, though cut [hostile.integration-shows-mentions]', () => {
    for (const own of all) {
      for (const text of [...texts, long]) {
        const read = feed(own, withTexts(own.payload, text, kept(own)));
        expectHarmless(name, read, text);
        for (const message of read.messages) {
          expect(rendered(message).html, text).not.toMatch(
            LED_ASTRAY[name] ?? /href="[^"]*evil\.test/,
          );
        }
      }
      // Nothing that names an event or a kind is left, and every address is a bad one.
      const [text = ''] = texts;
      expectHarmless(name, feed(own, withTexts(own.payload, text, new Set())), text);
      const address = `https://evil.test/${texts.join('')}`;
      expectHarmless(name, feed(own, withTexts(own.payload, address, kept(own))), address);
    }
  });

  test('an integration refuses a missing or mistyped key by its path, or does without it', () => {
    for (const own of all) {
      for (const path of pathsOf(own.payload)) {
        for (const other of [
          undefined,
          null,
          7,
          true,
          '',
          'constructor',
          [],
          {},
          ['x'],
          { a: 1 },
        ]) {
          const label = `${path.join('.')} = ${other === undefined ? 'nothing' : JSON.stringify(other)}`;
          const result = feed(own, withValue(own.payload, path, other));
          const { refusal } = result;
          if (refusal?.code === 'BAD_REQUEST') expect(refusal.message, label).toMatch(/'[^']+'/);
          else if (refusal !== undefined) {
            expect(refusal.code, label).toMatch(
              /^(?:UNEXPECTED_WEBHOOK_EVENT_TYPE|MISSING_HTTP_EVENT_HEADER)$/,
            );
          }
          for (const message of result.messages)
            expect(message.topic, label).not.toContain('[object');
          for (const message of result.messages) {
            expect(message.content.source, label).not.toMatch(/\[object|undefined|native code/);
          }
        }
      }
    }
  });

  test('an integration refuses bodies that are empty, break off or are no object', () => {
    for (const own of all.slice(0, 3)) {
      const sent = sentOf(own);
      for (const body of [
        '',
        '{',
        sent.body.slice(0, -1),
        '[]',
        '7',
        '"x"',
        'null',
        '[[]]',
        '{}',
      ]) {
        expectHarmless(name, read(name, { ...sent, body }), body);
      }
    }
  });
});
