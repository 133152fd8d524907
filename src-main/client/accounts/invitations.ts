/** The way from the link of an invitation to an account. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { JoinLink } from '#shared/join-link.ts';
import type { InvitationRequest, InvitationView } from '#shared/bridge/models/client.ts';
import type { Failure, Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { fieldRefusal } from './fields.ts';
import { fetchIcon } from './organization-picture.ts';
import { createApi, type Api } from '../transport/api.ts';
import { type ApiFailure, refusal } from '../transport/answers.ts';
import { checkPassword } from '../session/form-checks.ts';
import {
  exchangePassword,
  type FoundService,
  identifyServer,
  isAboutWords,
  type JoinedAccount,
  type Network,
  networkOf,
  placesOf,
  openProfile,
} from './sign-in.ts';
import { withCause } from '#shared/i18n/explained-error.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

interface OpenedInvitation {
  readonly found: FoundService;
  readonly there: Network;
  readonly api: Api;
}

/** Whoever answers at one of the addresses with the fingerprint of the link; where it has none, whoever is trusted otherwise. */
export async function findServiceOfLink(
  network: Network,
  { addresses, pin }: JoinLink,
  words: string | undefined,
): Promise<Outcome<OpenedInvitation>> {
  const known = pin === null ? network : { ...network, knownFingerprint: () => pin };
  const tried = addresses.map((address) => identifyServer(known, address, words));
  let worst: Failure | undefined;
  // All at once: those of other networks take long to fail.
  for (const outcome of await firstOf(tried)) {
    if (outcome.ok) {
      const found = { ...outcome.value, addresses };
      const there = networkOf(network, found);
      const api = createApi({ ...there, address: found.address });
      return success({ found, there, api });
    }
    if (isAboutWords(outcome.failure)) return outcome;
    // Somebody else at an address says more than nobody.
    if (outcome.failure.code !== 'UNREACHABLE') worst = outcome.failure;
  }
  return worst === undefined
    ? failure(
        'UNREACHABLE',
        clientWords('invitation_not_reached', { address: placesOf(addresses) }),
      )
    : failure(worst.code, withCause(worst.message, worst.cause));
}

/** The first that succeeds, alone; where none does, all. */
async function firstOf<T>(tried: readonly Promise<Outcome<T>>[]): Promise<readonly Outcome<T>[]> {
  const succeeding = tried.map(async (each) => {
    const outcome = await each;
    if (!outcome.ok) throw new Error(outcome.failure.code);
    return outcome;
  });
  return Promise.any(succeeding).then(
    (outcome) => [outcome],
    () => Promise.all(tried),
  );
}

const invitationRefusal = (refused: ApiFailure): Outcome<never> =>
  refused.code === 'BAD_REQUEST'
    ? failure('LINK_NOT_VALID', clientWords('invitation_ended'))
    : refusal(refused);

/** What whoever was invited sees before they type anything. */
export async function fetchInvitation(
  network: Network,
  link: JoinLink,
  words?: string,
): Promise<Outcome<InvitationView>> {
  const opened = await findServiceOfLink(network, link, words);
  if (!opened.ok) return opened;
  const { api, found, there } = opened.value;
  const seen = await api.call(endpoints.invitations.look, { token: link.token });
  if (!seen.ok) return invitationRefusal(seen.failure);
  const { realm_name: realmName, inviter_full_name: inviterName, email } = seen.value;
  const icon = await fetchIcon(there, found);
  return success({ address: found.address, realmName, inviterName, email, icon });
}

/** Makes the account, and signs in as a device of its own. */
export async function joinByInvitation(
  network: Network,
  { fullName, password, words, email: given, ...link }: InvitationRequest,
): Promise<Outcome<JoinedAccount>> {
  const checked = checkPassword(password);
  if (!checked.ok) return checked;
  const opened = await findServiceOfLink(network, link, words);
  if (!opened.ok) return opened;
  const { api, found, there } = opened.value;
  const { token } = link;
  const person = { fullName, password, ...(given === undefined ? {} : { email: given }) };
  const accepted = await api.call(endpoints.invitations.accept, { token, ...person });
  if (!accepted.ok) return fieldRefusal(accepted.failure);
  const { email } = accepted.value;
  const signedIn = await exchangePassword(there, found, {
    address: found.address,
    email,
    password,
  });
  return signedIn.ok ? openProfile(there, found, signedIn.value, false) : signedIn;
}
