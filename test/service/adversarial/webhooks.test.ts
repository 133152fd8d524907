/** Adversarial text in every text of what other services deliver, and in forms of which payloads come. */
import { describe, expect, test } from 'vitest';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { attacksIn, shareOf } from '#test/support/adversarial/attacks.ts';
import { expectNoFaults, type Place } from '#test/support/adversarial/screen.ts';
import { isLong } from '#test/support/long.ts';
import { read, rendered, sentOf } from '#test/support/webhooks/read.ts';
import { allPayloads } from '#test/support/service/webhooks/payloads/index.ts';
import type { Own } from '#test/support/service/webhooks/payloads/own.ts';

const attacks = attacksIn('src-main');

const LENGTH = 8192;

type Path = readonly string[];

function textsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key]));
}

function withText(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value)) {
    return value.with(Number(key), withText(value[Number(key)], rest, text));
  }
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [key]: withText(object[key], rest, text) };
}

/** Reads the delivery and renders its messages, as it is posted. */
function post(own: Own, payload: unknown): void {
  const { messages } = read(own.name, sentOf({ ...own, payload }));
  for (const message of messages) rendered(message);
}

/** Every text of the payloads of an integration; in the short form one that several of them have is looked at once. */
function placesOf(name: string): readonly Place[] {
  const known = new Set<string>();
  return allPayloads
    .filter((own) => own.name === name)
    .flatMap((own) =>
      textsIn(own.payload).flatMap((path): Place[] => {
        const shown = path.map((key) => (/^\d+$/.test(key) ? '0' : key)).join('.');
        if (!isLong && known.has(shown)) return [];
        known.add(shown);
        return [
          {
            name: `${own.event ?? name} ${shown}`,
            length: LENGTH,
            send: (text) => post(own, withText(own.payload, path, text)),
          },
        ];
      }),
    );
}

describe('adversarial text', () => {
  test.for([...integrations.keys()])(
    'an integration takes time in proportion to each text of a payload: %s [webhooks.integration-time-proportion]',
    async (name) => {
      const places = placesOf(name);
      expect(places.length).toBeGreaterThan(0);
      await expectNoFaults(places, (index) => shareOf(attacks, index, { general: 6, others: 24 }));
    },
  );

  test.for([...integrations.keys()])(
    'an integration takes time in proportion to a body that is a form or no JSON: %s',
    async (name) => {
      const at = (contentType: string, write: (text: string) => string): Place => ({
        name: contentType,
        length: 8 * LENGTH,
        send: (text) => read(name, { body: write(text), contentType }),
      });
      const form = 'application/x-www-form-urlencoded';
      const places = [
        at('application/json', (text) => text),
        at(form, (text) => text),
        at(form, (text) => `payload=${encodeURIComponent(text)}`),
        at(form, (text) => `text=${encodeURIComponent(text)}`),
      ];
      await expectNoFaults(places, (index) => shareOf(attacks, index, { general: 8, others: 192 }));
    },
  );
});
