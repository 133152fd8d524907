import { describe, expect, test } from 'vitest';
import type { Role } from '#shared/policies/actor.ts';
import { roleAfter, type RoleRequest } from '#service/core/rules/roles.ts';

const roles = ['admin', 'member', 'guest'] as const;

describe('the role after a change', () => {
  test.each<[RoleRequest, Record<Role, Role>]>([
    [{}, { admin: 'admin', member: 'member', guest: 'guest' }],
    [{ isAdmin: true }, { admin: 'admin', member: 'admin', guest: 'admin' }],
    [{ isAdmin: false }, { admin: 'member', member: 'member', guest: 'guest' }],
    [{ isGuest: true }, { admin: 'guest', member: 'guest', guest: 'guest' }],
    [{ isGuest: false }, { admin: 'admin', member: 'member', guest: 'member' }],
    [
      { isAdmin: true, isGuest: false },
      { admin: 'admin', member: 'admin', guest: 'admin' },
    ],
    [
      { isAdmin: false, isGuest: true },
      { admin: 'guest', member: 'guest', guest: 'guest' },
    ],
    [
      { isAdmin: false, isGuest: false },
      { admin: 'member', member: 'member', guest: 'member' },
    ],
    [{ role: 'admin' }, { admin: 'admin', member: 'admin', guest: 'admin' }],
    [{ role: 'member' }, { admin: 'member', member: 'member', guest: 'member' }],
    [{ role: 'guest' }, { admin: 'guest', member: 'guest', guest: 'guest' }],
    [
      { role: 'guest', isAdmin: false },
      { admin: 'guest', member: 'guest', guest: 'guest' },
    ],
  ])('%j', (request, expected) => {
    for (const role of roles) expect(roleAfter(role, request)).toBe(expected[role]);
  });

  test.each<RoleRequest>([
    { isAdmin: true, isGuest: true },
    { role: 'admin', isAdmin: false },
    { role: 'admin', isGuest: true },
    { role: 'member', isAdmin: true },
    { role: 'member', isGuest: true },
    { role: 'guest', isGuest: false },
    { role: 'guest', isAdmin: true },
  ])('%j contradicts itself', (request) => {
    for (const role of roles) {
      expect(() => roleAfter(role, request)).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST' }),
      );
    }
  });
});
