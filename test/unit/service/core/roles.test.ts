import { describe, expect, test } from 'vitest';
import type { Role } from '#shared/policies/actor.ts';
import { roleAfter, type RoleRequest } from '#service/core/rules/roles.ts';

const asked = (request: Partial<RoleRequest>): RoleRequest => ({
  isAdmin: undefined,
  isGuest: undefined,
  role: undefined,
  ...request,
});

const roles = ['admin', 'member', 'guest'] as const;

describe('the role after a change', () => {
  test.each<[Partial<RoleRequest>, Record<Role, Role>]>([
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
    [{ role: 200 }, { admin: 'admin', member: 'admin', guest: 'admin' }],
    [{ role: 400 }, { admin: 'member', member: 'member', guest: 'member' }],
    [{ role: 600 }, { admin: 'guest', member: 'guest', guest: 'guest' }],
    [
      { role: 600, isAdmin: false },
      { admin: 'guest', member: 'guest', guest: 'guest' },
    ],
  ])('%j', (request, expected) => {
    for (const role of roles) expect(roleAfter(role, asked(request))).toBe(expected[role]);
  });

  test.each<Partial<RoleRequest>>([
    { isAdmin: true, isGuest: true },
    { role: 200, isAdmin: false },
    { role: 200, isGuest: true },
    { role: 400, isAdmin: true },
    { role: 400, isGuest: true },
    { role: 600, isGuest: false },
    { role: 600, isAdmin: true },
  ])('%j contradicts itself', (request) => {
    for (const role of roles) {
      expect(() => roleAfter(role, asked(request))).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST' }),
      );
    }
  });
});
