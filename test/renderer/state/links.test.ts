import { expect, test } from 'vitest';
import {
  conversationLink,
  fileNameOf,
  filePathOf,
  targetOfLink,
} from '../../../src-renderer/state/links.ts';
import { inTopic, withPeople } from '../../support/bridge-double.ts';

const address = 'https://chat.example.com';
const names = { ownUserId: 8, streamNameOf: () => 'dev ops' };

test.each([
  [
    inTopic(4, 'v1.2: 50% off?'),
    `${address}/#narrow/stream/4-dev.20ops/topic/v1.2E2.3A.2050.25.20off.3F`,
  ],
  [withPeople(12, 9), `${address}/#narrow/pm-with/8,9,12-pm`],
  [withPeople(), `${address}/#narrow/pm-with/8-pm`],
])('the link of a conversation is what other clients write', (conversation, link) => {
  expect(conversationLink(address, conversation, names)).toBe(link);
});

test.each([
  inTopic(4, 'v1.2: 50% off?'),
  inTopic(4, 'Überschrift / «x»'),
  withPeople(9, 12),
  withPeople(),
])('a link leads back to the conversation and the message', (conversation) => {
  const link = conversationLink(address, conversation, names, 77);
  const target = { view: conversation, messageId: 77 };
  expect(targetOfLink(link, address, 8)).toEqual(target);
  expect(targetOfLink(link.slice(address.length), address, 8)).toEqual(target);
});

test('a link elsewhere leads nowhere in the window', () => {
  expect(targetOfLink('https://example.com/#narrow/stream/4-x', address, 8)).toBeNull();
  expect(targetOfLink('#settings', address, 8)).toBeNull();
});

test('files of the service are told from other links', () => {
  expect(filePathOf('/user_uploads/1/ab/x.pdf', address)).toBe('/user_uploads/1/ab/x.pdf');
  expect(filePathOf(`${address}/user_uploads/1/ab/x.pdf`, address)).toBe(
    '/user_uploads/1/ab/x.pdf',
  );
  expect(filePathOf('https://example.com/user_uploads/1/ab/x.pdf', address)).toBeNull();
  expect(fileNameOf('/user_uploads/1/ab/my%20plan.pdf')).toBe('my plan.pdf');
  expect(fileNameOf('/user_uploads/1/ab/50%.pdf')).toBe('50%.pdf');
});
