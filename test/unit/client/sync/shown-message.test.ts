import { describe, expect, test } from 'vitest';
import { narrowOf, recipientOf, shownMessage } from '#client/sync/shown-message.ts';
import type { View } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import {
  ada,
  ben,
  cleo,
  privateMessage,
  streamMessage,
} from '#test/support/service/wire-builders.ts';
import { person } from '#test/support/window/office.ts';

const place = { streamId: 4, topic: 'deploy' };
const reader = { ownUserId: ada.id, state: null };

const reaction = (name: string, code: string, userId: number): Message['reactions'][number] => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: 'unicode_emoji',
  user_id: userId,
  user: { id: userId, user_id: userId, email: '', full_name: '' },
});

describe('a message as a window shows it', () => {
  test('a shown message is in the conversation with the others', () => {
    const conversationOf = (message: Message) => shownMessage(message, [], reader).conversation;
    const inStream: Message = { ...streamMessage(1, ben, place), flags: [] };
    expect(conversationOf(inStream)).toEqual({ kind: 'stream', ...place });
    const among: Message = { ...privateMessage(2, ben, [cleo, ada, ben]), flags: [] };
    expect(conversationOf(among)).toEqual({ kind: 'private', userIds: [2, 3] });
    const toSelf: Message = { ...privateMessage(3, ada, [ada]), flags: [] };
    expect(conversationOf(toSelf)).toEqual({ kind: 'private', userIds: [] });
  });

  test('a shown message has what its flags say', () => {
    const marks = (...flags: string[]) => {
      const shown = shownMessage(streamMessage(1, ben, place), flags, reader);
      return [shown.isRead, shown.isStarred, shown.isMentioned, shown.hasAlertWord];
    };
    expect(marks()).toEqual([false, false, false, false]);
    expect(marks('read', 'starred')).toEqual([true, true, false, false]);
    expect(marks('mentioned')).toEqual([false, false, true, false]);
    expect(marks('wildcard_mentioned', 'has_alert_word')).toEqual([false, false, true, true]);
  });

  test('a shown message tells what of it was changed, where the service does', () => {
    const message: Message = { ...streamMessage(1, ben, place), flags: [], last_edit_timestamp: 5 };
    const partsOf = (edited_parts?: Message['edited_parts']) =>
      shownMessage({ ...message, ...(edited_parts && { edited_parts }) }, [], reader).editedParts;
    expect(partsOf()).toBeUndefined();
    expect(partsOf(['place'])).toEqual(['place']);
  });

  test('a shown message has reactions of one emoji together, in the order in which they were given', () => {
    const reactions = [
      reaction('tada', '1f389', 2),
      reaction('+1', '1f44d', 3),
      reaction('party', '1f389', 1),
    ];
    const shown = shownMessage({ ...streamMessage(1, ben, place), reactions }, [], reader);
    expect(shown.reactions).toEqual([
      { name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [2, 1] },
      { name: '+1', code: '1f44d', type: 'unicode_emoji', userIds: [3] },
    ]);
  });

  test('a shown message has the name and the picture that its sender has now', () => {
    const message = { ...streamMessage(1, ben, place), avatar_url: '/old.png' };
    const known = { people: [person(ben.id, 'Ben New', { avatarUrl: '/new.png' })] };
    const now = shownMessage(message, [], { ...reader, state: known });
    expect([now.senderName, now.avatarUrl]).toEqual(['Ben New', '/new.png']);
    const unknown = shownMessage(message, [], { ...reader, state: { people: [] } });
    expect([unknown.senderName, unknown.avatarUrl]).toEqual([ben.name, '/old.png']);
  });

  test('a shown message says when it was edited and what a search has found', () => {
    const message: Message = {
      ...streamMessage(1, ben, place),
      flags: [],
      last_edit_timestamp: 1_700_000_500,
      match_content: '<p><span class="highlight">text</span></p>',
      match_subject: 'deploy',
    };
    const shown = shownMessage(message, [], reader);
    expect(shown.editedAtSeconds).toBe(1_700_000_500);
    expect(shown.match).toEqual({ rendered: message.match_content, topic: 'deploy' });
    const plain = shownMessage(streamMessage(1, ben, place), [], reader);
    expect([plain.editedAtSeconds, plain.match, plain.localId]).toEqual([null, null, null]);
  });
});

test.each<[View, object[]]>([
  [{ kind: 'feed' }, []],
  [{ kind: 'mentions' }, [{ operator: 'is', operand: 'mentioned' }]],
  [{ kind: 'starred' }, [{ operator: 'is', operand: 'starred' }]],
  [{ kind: 'stream', streamId: 4, topic: null }, [{ operator: 'stream', operand: 4 }]],
  [
    { kind: 'stream', streamId: 4, topic: 'x' },
    [
      { operator: 'stream', operand: 4 },
      { operator: 'topic', operand: 'x' },
    ],
  ],
  [{ kind: 'private', userIds: [2, 3] }, [{ operator: 'pm-with', operand: [2, 3] }]],
  [{ kind: 'private', userIds: [] }, [{ operator: 'pm-with', operand: [1] }]],
  [
    { kind: 'search', terms: [{ operator: 'has', operand: 'link', negated: true }] },
    [{ operator: 'has', operand: 'link', negated: true }],
  ],
])('the view %j is asked of the service by its terms', (view, terms) => {
  expect(narrowOf(view, ada.id)).toEqual(terms);
});

test('what is written goes to the topic, to the others, or to oneself', () => {
  const topic = { kind: 'stream' as const, streamId: 4, topic: 'x' };
  expect(recipientOf(topic, ada.id)).toEqual({ type: 'stream', to: 4, topic: 'x' });
  const others = { kind: 'private' as const, userIds: [2, 3] };
  expect(recipientOf(others, ada.id)).toEqual({ type: 'private', to: [2, 3] });
  expect(recipientOf({ ...others, userIds: [] }, ada.id)).toEqual({ type: 'private', to: [1] });
});
