/**
 * What integrations say of payloads that services really sent. The payloads are not part of the project: where they are
 * not there, `npm test` says so, and the project's own (`payloads.test.ts`) cover every event.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { payloadsDir, payloadsReason } from '#test/support/machine.ts';
import { read, type Read, visibleTextOf } from '#test/support/webhooks/read.ts';
import { alarmFacts } from './facts/alarms.ts';
import { anythingFacts } from './facts/anything.ts';
import { buildFacts } from './facts/builds.ts';
import { businessFacts } from './facts/business.ts';
import { codeFacts } from './facts/code.ts';
import type { Facts, FactTable } from './facts/facts.ts';
import { ticketFacts } from './facts/tickets.ts';

const facts: FactTable = {
  ...codeFacts,
  ...alarmFacts,
  ...businessFacts,
  ...buildFacts,
  ...anythingFacts,
  ...ticketFacts,
};

interface Entry {
  readonly name: string;
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly query: Readonly<Record<string, string>>;
  readonly formField?: string;
}

function entries(): readonly Entry[] {
  if (payloadsReason !== undefined) return [];
  return JSON.parse(readFileSync(join(payloadsDir, 'index.json'), 'utf8')) as Entry[];
}

const firstLine = (value: unknown): string => String(value).trim().split('\n', 1)[0]?.trim() ?? '';

const valueAt = (payload: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], payload);

function compare(facts: Facts, payload: unknown, { messages }: Read): void {
  if (typeof facts.topic === 'string')
    expect(messages.map(({ topic }) => topic)[0]?.startsWith(facts.topic)).toBe(true);
  else if (facts.topic !== undefined)
    expect(messages.map(({ topic }) => topic)).toEqual(facts.topic);
  const { text, links } = visibleTextOf(messages);
  for (const words of facts.says ?? []) expect(text).toContain(words);
  for (const path of facts.of ?? []) {
    const value = firstLine(valueAt(payload, path));
    expect(value).not.toBe('');
    expect(text).toContain(value.replace(/\s+/g, ' ').slice(0, 100));
  }
  for (const link of facts.links ?? []) {
    expect(links).toContain(/^https?:/.test(link) ? link : firstLine(valueAt(payload, link)));
  }
}

const all = entries();

describe('payloads of real services', () => {
  test('the payloads of real services are of integrations that exist', () => {
    const names = Object.keys(facts).map((name) => name.split('/', 1)[0] ?? '');
    for (const name of names) expect(integrations.has(name), name).toBe(true);
  });

  test.each(all.map((entry) => [`${entry.name}/${entry.file}`, entry] as const))(
    '%s',
    (name, entry) => {
      const fact = facts[name];
      if (fact === undefined) throw new Error('nothing is written down of it');
      const body = readFileSync(join(payloadsDir, name), 'utf8');
      const result = read(entry.name, { ...entry, body });
      const payload: unknown = entry.file.endsWith('.json')
        ? JSON.parse(body)
        : Object.fromEntries(new URLSearchParams(body));
      if (fact.refused !== undefined) {
        expect(result.refusal).toMatchObject({ code: fact.refused });
        if (fact.names !== undefined) expect(result.refusal?.message).toContain(fact.names);
        return;
      }
      expect(result.refusal).toBeUndefined();
      const isFiltered =
        fact.branch !== undefined &&
        entry.query['branches']?.split(',').includes(fact.branch) === false;
      if (fact.isSilent === true || isFiltered) expect(result.messages).toEqual([]);
      else {
        expect(result.messages).not.toEqual([]);
        compare(fact, payload, result);
      }
    },
  );
});
