/** What the account may do, by its role and the policies of the organization. */
import type { Organization, Person } from '#shared/bridge/models/client-state.ts';
import { type Actor, personActor } from '#shared/policies/actor.ts';
import { canCreateStreams, canSubscribeOthers } from '#shared/policies/streams.ts';
import { findPerson } from './people.ts';
import type { SessionState } from './session-state.ts';

export const ownPerson = ({ people, ownUserId }: SessionState): Person | undefined =>
  findPerson(people, ownUserId);

/** A member until people are known. */
export const ownActor = (state: SessionState): Actor =>
  personActor(ownPerson(state) ?? { isAdmin: false, isGuest: false });

/** After a change of the role or of a policy; the same state where that allows and forbids nothing else. */
export function withPermissions(state: SessionState): SessionState {
  const own = ownPerson(state);
  if (own === undefined) return state;
  const actor = personActor(own);
  const { settings } = state.organization;
  const organization: Organization = {
    ...state.organization,
    canCreateStreams: canCreateStreams(actor, settings),
    canSubscribeOthers: canSubscribeOthers(actor, settings),
  };
  const isSame =
    organization.canCreateStreams === state.organization.canCreateStreams &&
    organization.canSubscribeOthers === state.organization.canSubscribeOthers;
  return isSame ? state : { ...state, organization };
}
