/** Small payloads of the project's own, one of every event: what each integration says of them. */
import { describe, expect, test } from 'vitest';
import { type Declaration, matches } from '../../../src-main/service/webhooks/frame/integration.ts';
import { Payload } from '../../../src-main/service/webhooks/frame/payload.ts';
import { integrations } from '../../../src-main/service/webhooks/integrations/index.ts';
import { redact } from '../../../src-main/service/webhooks/redaction/redact.ts';
import { read, sentOf, told } from '../../support/webhooks/read.ts';
import { allPayloads } from './payloads/index.ts';
import type { Own } from './payloads/own.ts';

describe.each([...integrations.values()].map((each) => [each.name, each] as const))(
  '%s',
  (name, declaration) => {
    const own = allPayloads.filter((each) => each.name === name);

    test('an integration says what its payloads tell', () => {
      for (const each of own) {
        const { messages, refusal } = read(name, sentOf(each));
        const label = `${each.event ?? ''} ${JSON.stringify(each.payload)}`;
        expect(refusal, label).toBeUndefined();
        expect(messages[0]?.topic, label).toBe(each.topic);
        const { text } = told(messages);
        for (const words of each.says ?? []) expect(text, label).toContain(words);
      }
    });

    test('an integration says the same of its payloads once secrets are taken out', () => {
      for (const each of own) {
        const sent = sentOf(each);
        const [body = ''] = redact([sent.body], ['a key that nobody sent']) ?? [];
        expect(read(name, { ...sent, body }), sent.body).toEqual(read(name, sent));
      }
    });

    test('an integration has a payload of every event', () => {
      const events = own.map((each) => eventOf(declaration, each));
      const left = Object.keys(declaration.events).filter(
        (pattern) => !events.some((event) => matches(pattern, event)),
      );
      expect(left).toEqual([]);
    });

    test('an integration can be described in one line', () => {
      expect(declaration.about).toMatch(/^[A-Z].{10,150}\.$/);
    });
  },
);

function eventOf({ event }: Declaration, own: Own): string {
  if (event === undefined) return 'message';
  return 'read' in event ? event.read(new Payload(own.payload)) : (own.event ?? 'legacy');
}
