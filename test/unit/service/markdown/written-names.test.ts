import fc from 'fast-check';
import { expect, test } from 'vitest';
import { peopleFor, streamsFor, topicsFor } from '#renderer/lib/writing/completion.ts';
import { targetOfLink } from '#renderer/lib/links/links.ts';
import { fold } from '#shared/text/fold.ts';
import { checkFullName, checkStreamName, checkTopic } from '#service/core/rules/names.ts';
import { plainTextOf } from '#service/core/rules/alert-words.ts';
import { checkGroupName } from '#service/features/people/rules/user-groups.ts';
import { plainMarkup } from '#service/markdown/env.ts';
import {
  enginesFor,
  mentionCandidates,
  type MentionDirectory,
  renderMessage,
} from '#service/markdown/render.ts';
import { person, stream } from '#test/support/window/office.ts';

const isAllowed =
  (check: (name: string) => string) =>
  (name: string): boolean => {
    try {
      return check(name) === name;
    } catch {
      return false;
    }
  };

const unit = fc.constantFrom(
  ...[
    '**',
    '*',
    '>',
    '|',
    '|7',
    '\\',
    '`',
    '```',
    '[',
    ']',
    '](x)',
    '(',
    '<',
    '&',
    '#',
    '@',
    '@**',
    '"',
    "'",
  ],
  ...[
    '$$',
    '~~',
    ':tada:',
    '<time:1>',
    'http://x.com',
    'x.com',
    '.',
    '%',
    '/',
    '_',
    ' ',
    '  ',
    ' > ',
  ],
  ...['a', 'A', 'all', 'é', 'e\u0301', 'ß', '你', '한', 'ك', '🎉', '1', '/me '],
);
const nameBy = (check: (name: string) => string) =>
  fc.string({ unit, minLength: 1, maxLength: 8 }).filter(isAllowed(check));
const uniqueBy = (check: (name: string) => string) =>
  fc.uniqueArray(nameBy(check), { selector: fold, minLength: 1, maxLength: 4 });

/** What the service looks up, where it was told before what rendering may look for. */
function directoryOf(content: string, all: MentionDirectory): MentionDirectory {
  const { names, userIds, streamNames, groupNames } = mentionCandidates(content);
  const has = (list: readonly string[], name: string) => list.map(fold).includes(fold(name));
  return {
    findUsersByName: (name) => (has(names, name) ? all.findUsersByName(name) : []),
    findUser: (id) => (userIds.includes(id) ? all.findUser(id) : undefined),
    findStreamByName: (name) => (has(streamNames, name) ? all.findStreamByName(name) : undefined),
    findGroup: (name) => (has(groupNames, name) ? all.findGroup(name) : undefined),
  };
}

const none: MentionDirectory = {
  findUsersByName: () => [],
  findUser: () => undefined,
  findStreamByName: () => undefined,
  findGroup: () => undefined,
};

const engines = await enginesFor('$$', null);

function rendered(insert: string, all: Partial<MentionDirectory>): string {
  const content = `see ${insert} or **b**`;
  const directory = directoryOf(content, { ...none, ...all });
  return renderMessage(content, { directory, markup: plainMarkup, engines }).html;
}

const trigger = { kind: 'person', from: 0, query: '', stream: '', isSilent: false } as const;
const source = {
  ...{ people: [], lookAlikes: new Set<number>(), groups: [], present: [], familiar: [] },
  ...{ isStream: true, ownUserId: 1 },
};
const isCalled =
  (name: string) =>
  (other: string): boolean =>
    fold(other) === fold(name);

/** The first element behind `see`: its tag, and what stands in it. */
const firstElement = (html: string): readonly [string, string] => {
  const [, tag = '', inner = ''] =
    /^<p>see <([^>]*)>(.*?)<\/[as][a-z]*> or <strong>b<\/strong><\/p>$/.exec(html) ?? [];
  return [tag, inner];
};
/** An emoji shows its name in a link alone. */
const asText = (text: string): string => text.replaceAll('🎉', ':tada:');
const attribute = (tag: string, name: string): string =>
  tag.split(`${name}="`)[1]?.split('"')[0] ?? '';

test('whoever is chosen is who the message mentions, whatever people are called', () => {
  fc.assert(
    fc.property(fc.array(nameBy(checkFullName), { minLength: 1, maxLength: 4 }), (names) => {
      const people = names.map((name, index) => person(index + 1, name));
      for (const isSilent of [false, true]) {
        const offered = peopleFor({ ...trigger, isSilent }, { ...source, people });
        const found = offered.filter((candidate) => candidate.person !== undefined);
        expect(found).toHaveLength(people.length);
        for (const { person: chosen, insert } of found) {
          const html = rendered(insert, {
            findUsersByName: (name) => people.filter(({ fullName }) => isCalled(name)(fullName)),
            findUser: (id) => people.find(({ userId }) => userId === id),
          });
          const [tag] = firstElement(html);
          expect(attribute(tag, 'data-user-id')).toBe(String(chosen?.userId));
        }
      }
    }),
  );
});

test('the group that is chosen is the one that the message mentions, whatever groups are called', () => {
  fc.assert(
    fc.property(uniqueBy(checkGroupName), (names) => {
      const groups = names.map((name, id) => ({ id: id + 1, name, description: '', userIds: [] }));
      const known = groups.map(({ id, name }) => ({ groupId: id, name, memberIds: [] }));
      const offered = peopleFor(trigger, { ...source, groups });
      const found = offered.filter(({ key }) => key.startsWith('group-'));
      expect(found).toHaveLength(groups.length);
      for (const { key, insert } of found) {
        const findGroup = (name: string) => known.find((group) => isCalled(name)(group.name));
        const [tag] = firstElement(rendered(insert, { findGroup }));
        expect(`group-${attribute(tag, 'data-user-group-id')}`).toBe(key);
      }
    }),
  );
});

test('the stream or topic that is chosen is where the message links to, whatever they are called', () => {
  fc.assert(
    fc.property(uniqueBy(checkStreamName), nameBy(checkTopic), (names, topic) => {
      const streams = names.map((name, index) => stream(index + 1, name));
      const findStreamByName = (name: string) => streams.find((each) => isCalled(name)(each.name));
      const offered = streamsFor('', streams, []).flatMap((candidate) => {
        const chosen = candidate.stream;
        if (chosen === undefined) return [];
        const [inStream] = topicsFor('', chosen, [topic]);
        return [
          { insert: candidate.insert, chosen, at: null },
          { insert: inStream?.insert ?? '', chosen, at: topic },
        ];
      });
      expect(offered).toHaveLength(streams.length * 2);
      for (const { insert, chosen, at } of offered) {
        const [tag, inner] = firstElement(rendered(insert, { findStreamByName }));
        const target = targetOfLink(attribute(tag, 'href'), '', 1);
        const { streamId } = chosen;
        expect(target).toEqual({ view: { kind: 'stream', streamId, topic: at }, messageId: null });
        const shown = at === null ? `#${chosen.name}` : `#${chosen.name} > ${at}`;
        expect(asText(plainTextOf(inner).trimEnd())).toBe(asText(shown));
      }
    }),
  );
});
