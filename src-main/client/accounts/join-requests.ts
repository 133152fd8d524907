/** Asking to join an organization, and what became of it. One request at a time is kept on this computer. */
import { z } from 'zod';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { PendingJoinRequest, JoinRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { KeyStore } from '../ports.ts';
import { checkEmail } from '../session/form-checks.ts';
import { type Api, createApi } from '../transport/api.ts';
import { fieldRefusal } from './fields.ts';
import { findServiceOfLink } from './invitations.ts';
import { withKeychain } from './keychain.ts';
import { findService, type Network, networkOf } from './sign-in.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Where keys are, because of its secret. No account is called like this. */
const NAME = 'join-request';

/** Short enough for every keychain. */
const StoredJoinRequest = z.object({
  address: z.url(),
  pin: z.string().nullable(),
  realmName: z.string(),
  fullName: z.string(),
  email: z.string(),
  number: z.string(),
  /** UNIX seconds. */
  expires: z.int(),
  secret: z.string(),
});
type StoredJoinRequest = z.output<typeof StoredJoinRequest>;

interface JoinRequestParts {
  readonly network: Network;
  readonly keys: KeyStore;
  /** Where an office was heard of. */
  readonly addressesOf: (pin: string) => readonly string[];
}

async function findKept(keys: KeyStore): Promise<Outcome<StoredJoinRequest | null>> {
  const found = await withKeychain(() => keys.find(NAME));
  if (!found.ok) return found;
  try {
    return success(StoredJoinRequest.parse(JSON.parse(found.value ?? '')));
  } catch {
    // Nothing was kept, or by another version.
    return success(null);
  }
}

const shown = (
  { secret: _secret, address, pin, ...rest }: StoredJoinRequest,
  told: Pick<PendingJoinRequest, 'state' | 'link'>,
): PendingJoinRequest => ({ ...rest, pin, addresses: [address], ...told });

export async function requestToJoin(
  { network, keys }: JoinRequestParts,
  { address, fullName, email, about, words }: JoinRequest,
): Promise<Outcome<PendingJoinRequest>> {
  const checked = checkEmail(email);
  if (!checked.ok) return checked;
  // Without its secret nobody would ever hear what became of it.
  const before = await findKept(keys);
  if (!before.ok) return before;
  const found = await findService(network, address, words);
  if (!found.ok) return found;
  const { pin, settings, address: origin } = found.value;
  const realmName = settings.realm_name ?? '';
  if (settings.join_requests !== true) {
    const told =
      realmName === ''
        ? clientWords('requests_to_join_refused_there')
        : clientWords('requests_to_join_refused', { organization: realmName });
    return failure('NO_REQUESTS', told, 'address');
  }
  const api = createApi({ ...networkOf(network, found.value), address: origin });
  const person = { fullName: fullName.trim(), email: email.trim() };
  const asked = await api.call(endpoints.joinRequests.ask, { ...person, about: about.trim() });
  if (!asked.ok) return fieldRefusal(asked.failure);
  const kept = { address: origin, pin, realmName, ...person, ...asked.value };
  const saved = await withKeychain(() => keys.save(NAME, JSON.stringify(kept)));
  return saved.ok ? success(shown(kept, { state: 'waiting', link: null })) : saved;
}

/** The service that was asked, wherever it is now. */
async function apiOf(
  { network, addressesOf }: JoinRequestParts,
  kept: StoredJoinRequest,
): Promise<Outcome<OpenedJoinRequest>> {
  const { address, pin, realmName } = kept;
  const heard = pin === null ? [] : addressesOf(pin);
  const addresses = [...new Set([address, ...heard])].slice(0, 12);
  const office = await findServiceOfLink(
    network,
    { addresses, pin, realmName, token: '' },
    undefined,
  );
  if (!office.ok) return office;
  const { api, found } = office.value;
  return success({ api, address: found.address });
}

interface OpenedJoinRequest {
  readonly api: Api;
  readonly address: string;
}

/** Null where nobody has asked here. */
export async function pendingJoinRequests(
  asking: JoinRequestParts,
): Promise<Outcome<PendingJoinRequest | null>> {
  const found = await findKept(asking.keys);
  if (!found.ok) return found;
  if (found.value === null) return success(null);
  const { value: kept } = found;
  const unknown = success(shown(kept, { state: 'unreached', link: null }));
  const opened = await apiOf(asking, kept);
  if (!opened.ok) return unknown;
  const { api, address } = opened.value;
  const answer = await api.call(endpoints.joinRequests.state, { secret: kept.secret });
  if (!answer.ok) return unknown;
  const { state, token } = answer.value;
  const { pin, realmName } = kept;
  const link = token === undefined ? null : { token, addresses: [address], pin, realmName };
  return success({ ...shown(kept, { state, link }), addresses: [address] });
}

/** Takes it back where nobody has decided on it; in any case nothing of it is kept here. */
export async function dropJoinRequest(asking: JoinRequestParts): Promise<Outcome<null>> {
  const found = await findKept(asking.keys);
  if (!found.ok) return found;
  if (found.value !== null) {
    const opened = await apiOf(asking, found.value);
    const { secret } = found.value;
    // Where nobody answers it ends by itself.
    if (opened.ok) await opened.value.api.call(endpoints.joinRequests.withdraw, { secret });
  }
  const removed = await withKeychain(() => asking.keys.remove(NAME));
  return removed.ok ? success(null) : removed;
}

/** Somebody has joined: what they asked for with that address has come of it. */
export async function removeFulfilledRequest(keys: KeyStore, email: string): Promise<void> {
  const found = await findKept(keys);
  if (found.ok && found.value?.email.toLowerCase() === email.toLowerCase())
    await withKeychain(() => keys.remove(NAME));
}
