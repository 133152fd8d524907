import { expect, test } from 'vitest';
import { messageRights } from '#renderer/lib/message-rights.ts';
import { inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { officeState } from '#test/support/window/office.ts';

const rules = officeState.organization.settings;
const message = {
  isOwn: false,
  sentAtSeconds: 1000,
  conversation: inTopic(1, 'lunch'),
  editedAtSeconds: null,
};
const member = { role: 'member', botType: null } as const;
const admin = { role: 'admin', botType: null } as const;
const guest = { role: 'guest', botType: null } as const;

test.each([
  ['the author edits in time', { isOwn: true }, {}, 1600, true],
  ['the author does not edit later', { isOwn: true }, {}, 1601, false],
  [
    'the author edits for ever where there is no limit',
    { isOwn: true },
    { message_content_edit_limit_seconds: 0 },
    99_999,
    true,
  ],
  ['nobody edits what others wrote', {}, {}, 1000, false],
  [
    'nobody edits where it is switched off',
    { isOwn: true },
    { allow_message_editing: false },
    1000,
    false,
  ],
])('%s', (...[, facts, more, now, may]) => {
  const rights = messageRights({ ...message, ...facts }, admin, { ...rules, ...more }, now);
  expect(rights.canEditContent).toBe(may);
});

test.each([
  ['a member for a day', {}, member, {}, 87_400, true],
  ['no member after a day', {}, member, {}, 87_401, false],
  ['no guest', {}, guest, {}, 1000, false],
  ['a guest their own', { isOwn: true }, guest, {}, 99_999, true],
  ['an administrator always', {}, admin, { allow_community_topic_editing: false }, 999_999, true],
  [
    'whoever gives one to what has none',
    { conversation: inTopic(1, '(no topic)') },
    guest,
    { allow_community_topic_editing: false },
    999_999,
    true,
  ],
  ['nobody that of a private message', { conversation: withPeople(9) }, admin, {}, 1000, false],
  [
    'nobody where editing is switched off',
    {},
    admin,
    { allow_message_editing: false },
    1000,
    false,
  ],
])('the topic is changed by: %s', (...[, facts, actor, more, now, may]) => {
  const rights = messageRights({ ...message, ...facts }, actor, { ...rules, ...more }, now);
  expect(rights.canEditTopic).toBe(may);
  expect(rights.canChangeStream).toBe(may && actor === admin);
});

test.each([
  ['an administrator anything', {}, admin, {}, 999_999, true],
  ['the author in time', { isOwn: true }, member, {}, 1600, true],
  ['the author not later', { isOwn: true }, member, {}, 1601, false],
  [
    'the author not where it is switched off',
    { isOwn: true },
    member,
    { allow_message_deleting: false },
    1000,
    false,
  ],
  ['nobody else', {}, member, {}, 1000, false],
])('deleted by: %s', (...[, facts, actor, more, now, may]) => {
  const rights = messageRights({ ...message, ...facts }, actor, { ...rules, ...more }, now);
  expect(rights.canDelete).toBe(may);
});

test('the history is there for what was edited, where the organization shows it', () => {
  const edited = { ...message, editedAtSeconds: 1200 };
  expect(messageRights(edited, member, rules, 1300).canSeeHistory).toBe(true);
  expect(messageRights(message, member, rules, 1300).canSeeHistory).toBe(false);
  const hidden = { ...rules, allow_edit_history: false };
  expect(messageRights(edited, member, hidden, 1300).canSeeHistory).toBe(false);
});
