/** Tells of a service without a window in the networks in which it listens. */
import { isIP } from 'node:net';
import type { Clock } from '#node/clock.ts';
import type { OwnNetwork } from '#node/network/own-addresses.ts';
import { type Announcement, type Announcer, hostLabel } from '#node/discovery/announcer.ts';
import { isEverywhere } from './reachable-addresses.ts';

/** Networks come and go, and an organization gets another name. */
const LOOK_MS = 5_000;

export interface AnnouncedService {
  /** Where it was told to listen, and under what it says that it does. */
  readonly host: string;
  readonly origin: string;
  readonly fingerprint: string;
  /** What its organization is called; null where there is none, or none any more. */
  readonly organizationName: () => Promise<string | null>;
}

export interface AnnouncementParts {
  readonly announcer: Pick<Announcer, 'announce' | 'stop'>;
  readonly clock: Clock;
  readonly networks: () => readonly OwnNetwork[];
  readonly names: () => readonly string[];
}

/** Until what it answers is called. */
export function announceService(
  service: AnnouncedService,
  parts: AnnouncementParts,
): () => Promise<void> {
  const { announcer, clock, networks, names } = parts;
  const port = Number(new URL(service.origin).port);
  let isStopped = false;
  let cancel = (): void => undefined;

  async function look(): Promise<void> {
    // Where it cannot be asked it is ending: what is told stays as it is.
    const name = await service.organizationName().catch(() => undefined);
    if (isStopped) return;
    if (name !== undefined) {
      const { fingerprint } = service;
      const host = hostLabel(names(), fingerprint);
      const places = name === null ? [] : announcementsOf(service.host, networks());
      announcer.announce(
        places.map((place) => ({ ...place, port, name: name ?? '', fingerprint, host })),
      );
    }
    cancel = clock.setTimer(() => void look(), LOOK_MS);
  }

  void look();
  return async () => {
    isStopped = true;
    cancel();
    await announcer.stop();
  };
}

/** One responder speaks for one IPv4 address. */
const announcementsOf = (
  host: string,
  networks: readonly OwnNetwork[],
): readonly Pick<Announcement, 'address' | 'subnet'>[] =>
  networks.flatMap(({ addresses, subnet }) =>
    addresses
      .filter((address) => isIP(address) === 4 && (isEverywhere(host) || address === host))
      .map((address) => ({ address, subnet })),
  );
