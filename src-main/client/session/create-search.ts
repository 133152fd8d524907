import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import { pinnedHttp } from '../accounts/server-identity.ts';
import { createApi } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import { RestoreDetector } from './restore-watch.ts';
import { AddressSearch } from './service-rediscovery.ts';
import type { SessionParts } from './session-engines.ts';
import type { SessionListener } from './session-listener.ts';

/** More than an office has. */
const MAX_FORWARDED = 12;

interface SearchHandlers {
  readonly moved: (address: string) => void;
  /** Whether messages of before a restore are missing there. */
  readonly compare: (
    generation: RestoreGeneration | undefined,
    signal: AbortSignal,
  ) => Promise<ApiOutcome<null>>;
}

/** Looks for the service. Only an office that is known by its key can be told from a computer that it has left. */
export function createSearch(
  { account, http, clock, serverAddress, serverIdentity }: SessionParts,
  listener: SessionListener,
  { moved, compare }: SearchHandlers,
): ((signal: AbortSignal) => Promise<ApiOutcome<null>>) | undefined {
  if (account.pin === undefined) return undefined;
  const { pin } = account;
  let forwarded: readonly string[] = [];
  const watch = new RestoreDetector({
    apiAt: (address) => createApi({ http, clock, address }),
    known: account.epoch,
    save: (epoch) => listener.renewed(epoch),
    nextKeys: {
      known: () => serverAddress.nextKeys?.() ?? [],
      apiAt: (address, successor) =>
        createApi({ http: pinnedHttp(http, successor), clock, address }),
      receive: (notice) => {
        if (serverIdentity?.isValidNextKeyNotice(pin, notice) === true)
          listener.nextKeyAnnounced(notice.pin);
      },
      moveTo: (successor, at) => listener.nextKeyInUse(successor, at),
    },
    sent: (addresses) => {
      forwarded = addresses.slice(0, MAX_FORWARDED);
      if (addresses.length > 0) listener.reachable(addresses);
    },
  });
  const search = new AddressSearch({
    serverAddress,
    clock,
    meetAt: (address, signal) =>
      watch.meet(address, { signal, isProbe: address === serverAddress.address }),
    forwarded: () => forwarded,
    moved,
  });
  return async (signal) => {
    await watch.seek(serverAddress.nextKeyAddresses?.() ?? [], signal);
    const met = await search.meet(signal);
    return met.ok ? compare(watch.known, signal) : met;
  };
}
