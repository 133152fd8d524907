/** Small payloads of the project's own, one of every event: what each integration says of them. */
import { describe, expect, test } from 'vitest';
import { type Declaration, matches, type Message } from '#service/webhooks/common/integration.ts';
import { Payload } from '#service/webhooks/common/payload.ts';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { redact } from '#service/webhooks/redaction/redact.ts';
import { read, sentOf, visibleTextOf } from '#test/support/webhooks/read.ts';
import { allPayloads } from '#test/support/service/webhooks/payloads/index.ts';
import type { Own } from '#test/support/service/webhooks/payloads/own.ts';

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
        const { text, links } = visibleTextOf(messages);
        for (const words of each.says ?? []) {
          if (words.startsWith('https:')) expect(links, label).toContain(words);
          else expect(text, label).toContain(words);
        }
      }
    });

    test('an integration tells every value of its payloads, but for what other words tell', () => {
      for (const each of own) {
        const { messages } = read(name, sentOf(each));
        if (messages.length === 0 || ofTexts.has(name) || each.event === 'ping') continue;
        expect(untoldOf(each.payload, messages), each.event).toEqual([]);
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

/**
 * Keys whose values a message does not repeat: the words of a verb tell them, a short form or a link does, or they belong to
 * what an event is about and are no news with it.
 */
const toldOtherwise = [
  // Kinds of events, and what they do: in verbs.
  /^(?:action|topic|hook|event|event_?[nN]ame|event_?[tT]ype|object_kind|webhookEvent|type|state)$/,
  /^(?:action\.type|event\.event_type|messages\.\*\.(?:event|type)|build\.(?:phase|buildResult))$/,
  /(?:^|\.)(?:action|alert_type_friendly_name|triggered_event|noteable_type|changes\.\*\.type)$/,
  // Names of branches without what stands before them; the first digits of commits.
  /(?:^|\.)(?:ref|(?:source|target)RefName|refUpdates\.\*\.name|scm\.branch)$/,
  /(?:^|\.)(?:before|after|sha|id|hash|to[hH]ash|revision|commit|commit_ref|commitId|commit_id)$/,
  /(?:^|\.)full_name$/,
  // Names of before, parents by their number, frames that are not the last, parts of documents.
  /^(?:repository\.name|message\.text|description|text|action\.member\.fullName)$/,
  /(?:^|\.)(?:parentId|admin_assignee_id|check_run\.status|frames\.\*\.filename|body\.(?:content\.\*\.)*type)$/,
  // Times are moments, amounts have a currency, texts no markup.
  /(?:^|\.)(?:timestamp|last_occurrence_timestamp|ts|due|start_time|startsAt|snoozed_until)$/,
  /(?:^|\.)amount(?:_due)?$/,
  /(?:^|\.)(?:html|raw|ticket_description|reviewed|build_id|total_commits_count)$/,
  // What it is about: its text, people and state are told when they change.
  /(?:^|\.)(?:issue|pull_?[rR]equest|pullrequest|merge_request|fields|data|resource|object_attributes)\.(?:body|description|content\.raw)$/,
  /^(?:pull_?[rR]equest|merge_request|issue)\..*(?:branch\.name|branch|displayId|ref|state|priority|kind|displayName|action)$/,
  /^commits?\.(?:\*\.)?message$/,
  /(?:^|\.)review\.state$/,
];

/** The texts of Slack have marks of their own. */
const ofTexts = new Set(['slack', 'slack_incoming']);

const plain = (text: string): string => text.toLowerCase().replace(/[_\s-]+/g, ' ');

/** Strings and numbers that no message has, each with the path to it. */
function untoldOf(payload: unknown, messages: readonly Message[]): readonly string[] {
  const { text, links } = visibleTextOf(messages);
  const said = plain([text, ...messages.map(({ topic }) => topic), ...links].join(' '));
  const visit = (value: unknown, path: string): readonly string[] => {
    const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
    if (Array.isArray(value)) return value.flatMap((each) => visit(each, below('*')));
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, each]) => visit(each, below(key)));
    }
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const [line = ''] = plain(String(value).trim().split('\n', 1)[0] ?? '').split('<', 1);
    const isTold = said.includes(line) || toldOtherwise.some((pattern) => pattern.test(path));
    return isTold || /^https?:/.test(line) ? [] : [`${path} = ${line}`];
  };
  return visit(payload, '');
}

function eventOf({ event }: Declaration, own: Own): string {
  if (event === undefined) return 'message';
  return 'read' in event ? event.read(new Payload(own.payload)) : (own.event ?? 'legacy');
}
