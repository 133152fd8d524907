/** Tells the networks that are let in of the organization that is hosted here. */
import { isIP } from 'node:net';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { isWithin } from '#node/network/private-addresses.ts';
import { type Announcement, type Announcer, hostLabel } from '#node/discovery/announcer.ts';
import type { NetworkAccessControl } from './network-access.ts';

export interface AnnouncementParts {
  readonly networkAccess: Pick<NetworkAccessControl, 'onChange'>;
  readonly discovery: Pick<Announcer, 'announce'>;
  /** What the organization is called; empty where that cannot be known now, null where it has left for another computer. */
  readonly nameOf: () => Promise<string | null>;
  /** As others look this computer up, ending in `.local`. */
  readonly names: () => readonly string[];
}

/** From now on, until the office is closed. */
export function announceOrganization({
  networkAccess,
  discovery,
  nameOf,
  names,
}: AnnouncementParts): void {
  let work: Promise<void> = Promise.resolve();
  networkAccess.onChange((reach) => {
    work = work.then(async () => {
      const places = placesOf(reach, names());
      const name = places.length === 0 ? '' : await nameOf();
      discovery.announce(name === null ? [] : places.map((place) => ({ ...place, name })));
    });
  });
}

function placesOf(
  { addresses, networks, identity }: NetworkAccess,
  names: readonly string[],
): readonly Omit<Announcement, 'name'>[] {
  if (identity === null) return [];
  const { fingerprint } = identity;
  const host = hostLabel(names, fingerprint);
  return addresses.flatMap((origin) => {
    const { hostname: address, port } = new URL(origin);
    // The name stands among them, too, and is told of with each address.
    if (isIP(address) !== 4) return [];
    const network = networks.find(
      ({ subnet, isAllowed }) => isAllowed === true && isWithin(address, subnet),
    );
    return network === undefined
      ? []
      : [{ address, fingerprint, host, subnet: network.subnet, port: Number(port) }];
  });
}
