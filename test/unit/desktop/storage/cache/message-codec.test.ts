import { expect, test } from 'vitest';
import { Message } from '#shared/api/models/message.ts';
import { messageOf, restOf, type WholeRow } from '#desktop/storage/cache/message-codec.ts';

const ben = { id: 2, email: 'ben@x', full_name: 'Ben', short_name: 'ben', avatar_url: null };

const plain: Message = Message.parse({
  ...{ id: 9, type: 'stream', stream_id: 3, display_recipient: 'ops', recipient_id: 4 },
  ...{ subject: 'deploy', subject_links: [], content: '<p>done</p>', content_type: 'text/html' },
  ...{ timestamp: 1_700_000_000, client: 'website', is_me_message: false, sender_id: ben.id },
  ...{ sender_email: ben.email, sender_full_name: ben.full_name, sender_short_name: 'ben' },
  ...{ sender_realm_str: '', avatar_url: null, submessages: [], reactions: [], flags: ['read'] },
  ...{ has_link: false, has_image: false, has_attachment: false },
});

const unusual: Message = {
  ...plain,
  subject_links: ['https://x/1'],
  content_type: 'text/x-markdown',
  is_me_message: true,
  sender_realm_str: 'elsewhere',
  submessages: [{ id: 1, message_id: 9, sender_id: 2, msg_type: 'widget', content: '{}' }],
  reactions: [
    {
      ...{ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: 2 },
      user: { id: 2, user_id: 2, email: ben.email, full_name: ben.full_name },
    },
  ],
  flags: ['starred', 'of_another_service'],
  proof: '0.mac',
  recovered_at: 1_700_000_500,
  last_edit_timestamp: 1_700_000_100,
  edited_parts: ['content'],
};

const rowOf = (message: Message, flags: number): WholeRow => ({
  ...{ id: 9, stream_id: 3, conversation_id: null, sender_id: 2, flags, has: 0 },
  ...{ sent_at: message.timestamp, subject: message.subject, content: message.content },
  ...{ source: null, rest: restOf(message), stream_name: 'ops', recipient_id: 4, user_key: null },
});

test.each([
  ['a plain message', plain, 1],
  ['one with everything', unusual, 2],
])('%s is read as it was written', (_name, message, flags) => {
  expect(messageOf(rowOf(message, flags), () => ben)).toEqual(message);
});

test('what is written has the names that profiles have, and nothing usual', () => {
  expect(JSON.parse(restOf(plain))).toEqual({ client: 'website' });
  expect(JSON.parse(restOf(unusual))).toEqual({
    client: 'website',
    isMe: 1,
    links: ['https://x/1'],
    reactions: [['tada', '1f389', 'unicode_emoji', 2]],
    submessages: unusual.submessages,
    editedAt: 1_700_000_100,
    editedParts: ['content'],
    flags: ['of_another_service'],
    isMarkdown: 1,
    realm: 'elsewhere',
    proof: '0.mac',
    recoveredAt: 1_700_000_500,
  });
});

test('what belongs to one answer is not written', () => {
  const found = {
    ...plain,
    match_content: 'x',
    match_subject: 'y',
    is_held: true,
    edit_history: [],
  };
  expect(restOf(found)).toBe(restOf(plain));
});
