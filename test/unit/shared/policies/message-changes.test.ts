import { describe, expect, test } from 'vitest';
import { messageRights, type MessageRights } from '#renderer/lib/message-rights.ts';
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
import type { Actor } from '#shared/policies/actor.ts';
import { inTopic, organization } from '#test/support/window/office.ts';
import {
  canMoveBetweenStreams,
  EDIT_GRACE_SECONDS,
  mayDeleteMessage,
  mayEditContent,
  mayEditTopic,
  type MayChange,
  type MessageFacts,
} from '#shared/policies/messages.ts';

const DAY = 86_400;
const admin = { role: 'admin', botType: null } as const;
const member = { role: 'member', botType: null } as const;
const guest = { role: 'guest', botType: null } as const;

const facts = (more: Partial<MessageFacts> = {}): MessageFacts => ({
  isOwn: false,
  ageSeconds: 0,
  hasNoTopic: false,
  ...more,
});

/** What the window offers of a message that was sent so long ago. */
const offered = (
  { isOwn = false, ageSeconds = 0, hasNoTopic = false }: Partial<MessageFacts>,
  actor: Actor,
  rules: Partial<OrganizationSettings>,
): MessageRights =>
  messageRights(
    {
      isOwn,
      sentAtSeconds: 1000,
      conversation: inTopic(1, hasNoTopic ? '(no topic)' : 'lunch'),
      editedAtSeconds: null,
    },
    actor,
    { ...organization.settings, ...rules },
    1000 + ageSeconds,
  );

describe('the content of a message', () => {
  test.each<[string, Partial<MessageFacts>, number, MayChange]>([
    ['nobody but the author', { isOwn: false }, 600, 'not-allowed'],
    ['nobody but the author, without a limit too', { isOwn: false }, 0, 'not-allowed'],
    ['the author at once', { isOwn: true }, 600, 'yes'],
    ['the author at the limit', { isOwn: true, ageSeconds: 600 }, 600, 'yes'],
    ['the author who was still typing', { isOwn: true, ageSeconds: 620 }, 600, 'yes'],
    ['the author no later', { isOwn: true, ageSeconds: 621 }, 600, 'too-late'],
    ['the author at any time without a limit', { isOwn: true, ageSeconds: 9 * DAY }, 0, 'yes'],
  ])('the content may be edited by %s', (_, more, limit, expected) => {
    const settings = { message_content_edit_limit_seconds: limit };
    expect(mayEditContent(facts(more), settings, EDIT_GRACE_SECONDS)).toBe(expected);
    const isOffered = expected === 'yes' && !(more.ageSeconds === limit + EDIT_GRACE_SECONDS);
    expect(offered(more, admin, settings).canEditContent).toBe(isOffered);
  });
});

describe('the topic of a message', () => {
  const old = { ageSeconds: 30 * DAY };

  test.each<
    [string, Parameters<typeof mayEditTopic>[0], Partial<MessageFacts>, boolean, MayChange]
  >([
    ['its author at any time', guest, { ...old, isOwn: true }, false, 'yes'],
    ['an administrator at any time', admin, old, false, 'yes'],
    ['anybody when there is none', guest, { ...old, hasNoTopic: true }, false, 'yes'],
    ['a member within a day', member, { ageSeconds: DAY }, true, 'yes'],
    ['a member no later', member, { ageSeconds: DAY + 1 }, true, 'too-late'],
    ['no member where only authors may', member, {}, false, 'not-allowed'],
    ['no guest', guest, {}, true, 'not-allowed'],
    ['a bot as a member', { role: 'member', botType: 1 }, {}, true, 'yes'],
  ])('the topic may be edited by %s', (...[, actor, more, isCommunity, expected]) => {
    const settings = { allow_community_topic_editing: isCommunity };
    expect(mayEditTopic(actor, facts(more), settings)).toBe(expected);
    const rights = offered(more, actor, settings);
    expect(rights.canEditTopic).toBe(expected === 'yes');
  });
});

describe('a message', () => {
  test.each<
    [
      string,
      Parameters<typeof mayDeleteMessage>[0],
      Partial<MessageFacts>,
      boolean,
      number,
      MayChange,
    ]
  >([
    ['an administrator at any time', admin, { ageSeconds: 99 * DAY }, false, 600, 'yes'],
    ['no author where they may not', member, { isOwn: true }, false, 600, 'not-allowed'],
    ['its author within the limit', member, { isOwn: true, ageSeconds: 600 }, true, 600, 'yes'],
    ['its author no later', member, { isOwn: true, ageSeconds: 601 }, true, 600, 'too-late'],
    [
      'its author at any time without a limit',
      guest,
      { isOwn: true, ageSeconds: DAY },
      true,
      0,
      'yes',
    ],
    ['nobody else', member, {}, true, 0, 'not-allowed'],
  ])('a message may be deleted by %s', (...[, actor, more, isAllowed, limit, expected]) => {
    const settings = {
      allow_message_deleting: isAllowed,
      message_content_delete_limit_seconds: limit,
    };
    expect(mayDeleteMessage(actor, facts(more), settings)).toBe(expected);
    expect(offered(more, actor, settings).canDelete).toBe(expected === 'yes');
  });

  test('a message may be moved between streams by administrators alone', () => {
    expect([admin, member, guest].map(canMoveBetweenStreams)).toEqual([true, false, false]);
  });
});
