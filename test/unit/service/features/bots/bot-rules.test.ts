import { describe, expect, test } from 'vitest';
import {
  botDomain,
  checkBotType,
  checkPayloadUrl,
  streamNames,
} from '#service/features/bots/rules/bots.ts';
import { canCreateBot, canManageBot } from '#shared/policies/bots.ts';
import type { StreamRow } from '#service/db/port.ts';

const refused = expect.objectContaining({ code: 'BAD_REQUEST' });

test.each([
  ['http://127.0.0.1:9981', '127.0.0.1'],
  ['https://chat.example.com', 'chat.example.com'],
  ['http://chat.example.com:80', 'chat.example.com'],
  ['http://[::1]:9981', 'localhost'],
  ['http://[::1]', 'localhost'],
])('the bots of %s have addresses at %s', (origin, domain) => {
  expect(botDomain(origin)).toBe(domain);
});

describe('a type of bot', () => {
  test.each([1, 2, 3])('%d is possible', (type) => {
    expect(checkBotType(type)).toBe(type);
  });
  test.each([-1, 0, 4, 5])('%d is not', (type) => {
    expect(() => checkBotType(type)).toThrow(refused);
  });
});

describe('an address to deliver to', () => {
  test.each(['http://example.com', 'https://user:pass@example.com:8443/a?b=c#d'])(
    'an address for deliveries may be %s',
    (url) => {
      expect(checkPayloadUrl(url)).toBe(url);
    },
  );
  test.each([
    '',
    'example.com',
    '/hook',
    'ftp://example.com',
    'http://',
    `http://e.com/${'x'.repeat(2048)}`,
  ])('an address for deliveries may not be %s', (url) => {
    expect(() => checkPayloadUrl(url)).toThrow(refused);
  });
});

test('streams are named unless they are archived', () => {
  const nameOf = streamNames([{ id: 4, name: 'ops' } as StreamRow]);
  expect([nameOf(4), nameOf(5), nameOf(null)]).toEqual(['ops', null, null]);
});

describe('who may create a bot', () => {
  const people = { admin: 'admin', member: 'member', guest: 'guest' } as const;
  test.each<[policy: number, botType: number, allowed: readonly string[]]>([
    [1, 1, ['admin', 'member']],
    [1, 2, ['admin', 'member']],
    [1, 3, ['admin', 'member']],
    [2, 1, ['admin']],
    [2, 2, ['admin', 'member']],
    [2, 3, ['admin', 'member']],
    [3, 1, ['admin']],
    [3, 2, ['admin']],
    [3, 3, ['admin']],
  ])('policy %d, type %d: %j', (policy, botType, allowed) => {
    for (const role of Object.values(people)) {
      const person = { role, botType: null };
      expect(canCreateBot(person, botType, policy)).toBe(allowed.includes(role));
      expect(canCreateBot({ role, botType: 1 }, botType, policy)).toBe(false);
    }
  });
});

test.each([
  ['its owner', { userId: 2, role: 'member', botType: null }, true],
  ['its owner, by now a guest', { userId: 2, role: 'guest', botType: null }, true],
  ['an administrator', { userId: 1, role: 'admin', botType: null }, true],
  ['another member', { userId: 3, role: 'member', botType: null }, false],
  ['the bot itself', { userId: 9, role: 'member', botType: 1 }, false],
  ['a bot with the id of its owner', { userId: 2, role: 'admin', botType: 1 }, false],
] as const)('whether %s may manage a bot', (_, actor, expected) => {
  expect(canManageBot(actor, 2)).toBe(expected);
  expect(canManageBot(actor, null)).toBe(expected && actor.role === 'admin');
});
