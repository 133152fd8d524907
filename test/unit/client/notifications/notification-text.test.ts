import { describe, expect, test } from 'vitest';
import { noticeOf, type NoticeFacts } from '#client/notifications/notification-text.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import { ben, cleo, shown } from '#test/support/service/wire-builders.ts';
import { notificationDefaults } from '#shared/api/models/settings.ts';

const stream = { kind: 'stream', streamId: 4, topic: 'deploy' } as const;
const group = { kind: 'private', userIds: [2, 3] } as const;
const fromCleo = { senderId: cleo.id, senderName: cleo.name };

function notice(messages: readonly ShownMessage[], more: Partial<NoticeFacts> = {}) {
  const [first, ...others] = messages;
  return noticeOf({
    accountId: '1@http://a',
    messages: [first!, ...others],
    settings: notificationDefaults,
    organizationName: 'Office',
    streamName: 'ops',
    nameOf: (id) => [ben, cleo].find((person) => person.id === id)?.name,
    ...more,
  });
}

test('a notice says who wrote what, and where a click leads', () => {
  const message = shown(9, { rendered: '<p>See <b>you</b> at 5</p>' });
  expect(notice([message])).toEqual({
    accountId: '1@http://a',
    tag: 'private:2',
    title: 'Ben Member',
    body: 'See you at 5',
    conversation: message.conversation,
    messageId: 9,
  });
});

describe('the title', () => {
  const renamed = { settings: { ...notificationDefaults, realm_name_in_notifications: true } };
  const dora = { senderId: 4, senderName: 'Dora' };
  test.each([
    [
      'names stream and topic',
      [shown(1, { conversation: stream })],
      {},
      'Ben Member (#ops › deploy)',
    ],
    [
      'names the topic of an unknown stream',
      [shown(1, { conversation: stream })],
      { streamName: null },
      'Ben Member (deploy)',
    ],
    [
      'names a stream without a topic',
      [shown(1, { conversation: { ...stream, topic: '' } })],
      {},
      'Ben Member (#ops)',
    ],
    [
      'names the others of a group',
      [shown(1, { conversation: group })],
      {},
      'Ben Member (with you, Cleo Member)',
    ],
    [
      'counts those who are not known',
      [shown(1, { conversation: { kind: 'private', userIds: [2, 3, 70, 71] } })],
      {},
      'Ben Member (with you, Cleo Member, 2 more)',
    ],
    [
      'names two senders',
      [shown(1, { conversation: group }), shown(2, { conversation: group, ...fromCleo })],
      {},
      'Ben Member and Cleo Member',
    ],
    [
      'counts more senders',
      [shown(1), shown(2, fromCleo), shown(3, dora)].map((m) => ({ ...m, conversation: stream })),
      {},
      'Ben Member, Cleo Member and 1 other (#ops › deploy)',
    ],
    [
      'names the organization where the setting asks for it',
      [shown(1)],
      renamed,
      'Ben Member – Office',
    ],
  ] as const)('%s', (_, messages, more, title) => {
    expect(notice(messages, more).title).toBe(title);
  });
});

describe('the body', () => {
  const hidden = {
    settings: { ...notificationDefaults, pm_content_in_desktop_notifications: false },
  };
  const text = (id: number, rendered: string, more: Partial<ShownMessage> = {}) =>
    shown(id, { rendered: `<p>${rendered}</p>`, ...more });
  test.each([
    ['keeps private text to itself', [text(1, 'secret')], hidden, 'New private message'],
    ['and that of several', [text(1, 'secret'), text(2, 'also')], hidden, '2 new private messages'],
    [
      'shows text of streams all the same',
      [text(1, 'open', { conversation: stream })],
      hidden,
      'open',
    ],
    [
      'counts several and shows the last',
      [text(1, 'a'), text(2, 'b'), text(3, 'c')],
      {},
      '3 new messages\nc',
    ],
    [
      'says who of several wrote the last',
      [text(1, 'a', { conversation: group }), text(2, 'b', { conversation: group, ...fromCleo })],
      {},
      '2 new messages\nCleo Member: b',
    ],
    [
      'says of whom something is said',
      [text(1, 'waves', { is_me_message: true })],
      {},
      'Ben Member waves',
    ],
    ['has no markup', [text(1, '<b>x</b> &lt;i&gt;')], {}, 'x <i>'],
    ['is cut', [text(1, 'y'.repeat(300))], {}, `${'y'.repeat(199)}…`],
  ] as const)('%s', (_, messages, more, body) => {
    expect(notice(messages, more).body).toBe(body);
  });

  test('a click on several messages leads to the first of them', () => {
    expect(notice([shown(7), shown(8)]).messageId).toBe(7);
  });
});
