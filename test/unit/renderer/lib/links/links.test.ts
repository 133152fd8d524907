import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  conversationLink,
  fileNameOf,
  filePathOf,
  linkNow,
  linkToPassOn,
  targetOfLink,
} from '#renderer/lib/links/links.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import { isPlace } from '#renderer/state/places/places.ts';
import { inTopic, withPeople } from '#test/support/window/bridge-double.ts';

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

test('a link to another address of the organization leads where it is now', () => {
  const account = { address, addresses: ['https://192.168.1.20:9981'] };
  const link = 'https://192.168.1.20:9981/#narrow/stream/4-x';
  expect(linkNow(link, account)).toBe(`${address}/#narrow/stream/4-x`);
  expect(targetOfLink(linkNow(link, account), address, 8)).not.toBeNull();
  for (const other of ['https://192.168.1.20:99/#narrow/stream/4-x', '/user_uploads/1/a.png', '']) {
    expect(linkNow(other, account)).toBe(other);
    expect(linkNow(link, { address })).toBe(link);
  }
});

test('a link that is passed on names the office, and leads back at any address', () => {
  const pin = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
  const link = `${address}/#narrow/stream/4-x/near/7`;
  const passedOn = `hearth://office/${pin}/#narrow/stream/4-x/near/7`;
  expect(linkToPassOn(link, { address, pin })).toBe(passedOn);
  expect(linkToPassOn(link, { address })).toBe(link);
  expect(linkToPassOn('https://example.com/', { address, pin })).toBe('https://example.com/');
  const elsewhere = 'https://10.0.0.7:9981';
  expect(linkNow(passedOn, { address: elsewhere, pin })).toBe(
    `${elsewhere}/#narrow/stream/4-x/near/7`,
  );
  expect(linkNow(passedOn, { address, pin: `b${pin.slice(1)}` })).toBe(passedOn);
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

const me = 8;
const search = (...terms: readonly NarrowTerm[]) => ({ kind: 'search', terms });

test.each([
  ['stream/4-ops', { kind: 'stream', streamId: 4, topic: null }],
  ['channel/4', { kind: 'stream', streamId: 4, topic: null }],
  ['stream/4-ops/topic/deploy', { kind: 'stream', streamId: 4, topic: 'deploy' }],
  ['stream/4-ops/subject/v1.2E2.20.C3.A9t', { kind: 'stream', streamId: 4, topic: 'v1.2 ét' }],
  ['stream/4-ops/topic/', { kind: 'stream', streamId: 4, topic: null }],
  ['pm-with/8,9-group', { kind: 'private', userIds: [9] }],
  ['dm/8-Ada', { kind: 'private', userIds: [] }],
  ['is/starred', { kind: 'starred' }],
  ['is/mentioned/', { kind: 'mentions' }],
  ['in/all', { kind: 'feed' }],
  ['is/private', search({ operator: 'is', operand: 'private' })],
  ['is/dm', search({ operator: 'is', operand: 'private' })],
  ['is/unread', search({ operator: 'is', operand: 'unread' })],
  ['IS/Alerted', search({ operator: 'is', operand: 'alerted' })],
  ['has/images', search({ operator: 'has', operand: 'image' })],
  ['sender/5-ben', search({ operator: 'sender', operand: 5 })],
  ['from/ben.40example.2Ecom', search({ operator: 'sender', operand: 'ben@example.com' })],
  ['search/two.20words', search({ operator: 'search', operand: 'two words' })],
  ['stream/ops', search({ operator: 'stream', operand: 'ops' })],
  ['pm-with/ben.40example.2Ecom', search({ operator: 'pm-with', operand: ['ben@example.com'] })],
  ['-is/starred', search({ operator: 'is', operand: 'starred', negated: true })],
  [
    'stream/4-ops/sender/5/-topic/lunch',
    search(
      { operator: 'stream', operand: 4 },
      { operator: 'sender', operand: 5 },
      { operator: 'topic', operand: 'lunch', negated: true },
    ),
  ],
])('#narrow/%s leads to a view of the window, or to a search', (narrow, view) => {
  const target = { view, messageId: null };
  expect(targetOfLink(`#narrow/${narrow}`, address, me)).toEqual(target);
  expect(targetOfLink(`/#narrow/${narrow}`, address, me)).toEqual(target);
  expect(targetOfLink(`${address}/#narrow/${narrow}`, address, me)).toEqual(target);
});

test.each([
  ['near/77', { kind: 'feed' }],
  ['is/starred/near/77', { kind: 'starred' }],
  ['stream/4-ops/topic/a/with/77', { kind: 'stream', streamId: 4, topic: 'a' }],
  ['search/a/near/77', search({ operator: 'search', operand: 'a' })],
])('#narrow/%s opens at its message', (narrow, view) => {
  expect(targetOfLink(`#narrow/${narrow}`, address, me)).toEqual({ view, messageId: 77 });
});

test.each([
  ['is/nonsense', /is:nonsense/],
  ['is', /is:/],
  ['near/here', /near:here/],
  ['made/up', /made:up/],
  ['is/starred/made/up', /made:up/],
  ['search/.ZZ', /search:\.ZZ/],
  ['constructor/x', /constructor:x/],
  ['__proto__/x', /:x/],
  ['is/toString', /is:toString/],
])('#narrow/%s says that it cannot be followed', (narrow, problem) => {
  expect(targetOfLink(`#narrow/${narrow}`, address, me)).toEqual({
    problem: expect.stringMatching(problem) as string,
  });
});

test.each(['stream/4-ops/topic/.ZZ', 'stream/4-ops/near/here', 'stream/4-ops/topic'])(
  'a stream is opened even where the rest of its link is broken: %s',
  (narrow) => {
    const view = { kind: 'stream', streamId: 4, topic: null };
    expect(targetOfLink(`#narrow/${narrow}`, address, me)).toEqual({ view, messageId: null });
  },
);

test.each([
  'https://elsewhere.example.com/#narrow/stream/4-ops',
  'https://chat.example.com.evil.example/#narrow/is/starred',
  'https://chat.example.com/user_uploads/1',
  '#narrow/',
  '',
])('%j leads elsewhere', (href) => {
  expect(targetOfLink(href, address, me)).toBeNull();
});

test('no narrow makes the window stumble', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60, unit: 'binary' }), (narrow) => {
      const target = targetOfLink(`#narrow/${narrow}`, address, me);
      if (target !== null && 'view' in target) expect(isPlace(target.view)).toBe(true);
    }),
  );
});
