/** What the account may do, by its role and the policies of the organization. */
import type { Organization, Person } from '#shared/bridge/models/client-state.ts';
import { findPerson } from './people.ts';
import type { SessionState } from './session-state.ts';

const ADMINISTRATORS_ONLY = 2;

export const ownPerson = ({ people, ownUserId }: SessionState): Person | undefined =>
  findPerson(people, ownUserId);

/** After a change of the role or of a policy; the same state where that allows and forbids nothing else. */
export function withPermissions(state: SessionState): SessionState {
  const own = ownPerson(state);
  if (own === undefined) return state;
  const isAllowed = (policy: number): boolean =>
    own.isAdmin || (!own.isGuest && policy !== ADMINISTRATORS_ONLY);
  const { create, subscribeOthers } = state.policies;
  const organization: Organization = {
    ...state.organization,
    canCreateStreams: isAllowed(create),
    canSubscribeOthers: isAllowed(subscribeOthers),
  };
  const isSame =
    organization.canCreateStreams === state.organization.canCreateStreams &&
    organization.canSubscribeOthers === state.organization.canSubscribeOthers;
  return isSame ? state : { ...state, organization };
}
