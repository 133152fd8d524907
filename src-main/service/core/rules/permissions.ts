/** Which endpoints an account may call (API decisions 10.4), and what policies ask of a stream of the store. */
import type { Access } from '#shared/api/endpoint.ts';
import type { CauseName } from '#shared/api/causes.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Actor } from '#shared/policies/actor.ts';
import type { StreamFacts } from '#shared/policies/streams.ts';
import type { StreamRow } from '#service/db/port.ts';

export const factsOf = (
  stream: Pick<StreamRow, 'is_private' | 'is_announcement_only' | 'is_history_public'>,
): StreamFacts => ({
  isPrivate: stream.is_private === 1,
  isAnnouncementOnly: stream.is_announcement_only === 1,
  hasSharedHistory: stream.is_history_public === 1,
});

/**
 * Whether an account of this kind may call an endpoint at all; null stands for nobody having signed in. That an
 * incoming-webhook bot may only send is decided when it authenticates.
 */
export function mayCall(access: Access, actor: Actor | null): boolean {
  if (access === 'anyone') return true;
  if (actor === null) return false;
  const isPerson = actor.botType === null;
  const isMember = actor.role !== 'guest';
  switch (access) {
    case 'account':
      return true;
    case 'person':
      return isPerson;
    case 'member':
      return isMember;
    case 'member-person':
      return isPerson && isMember;
    case 'admin':
      return isPerson && actor.role === 'admin';
  }
}

const refusals = {
  anyone: 'account_required',
  account: 'account_required',
  person: 'person_required',
  member: 'member_required',
  'member-person': 'member_person_required',
  admin: 'administrator_required',
} as const satisfies Record<Access, CauseName>;

/** @throws BAD_REQUEST for an account that may not call an endpoint of this access */
export function checkAccess(access: Access, actor: Actor | null): void {
  if (!mayCall(access, actor)) throw refusal(refusals[access]);
}
