/**
 * Offices that tell of themselves in the networks of this computer (RFC 6762 and 6763). What is heard says where to look,
 * never whom to trust: anybody may say anything there.
 */
import type { MulticastDNS, ResponsePacket } from 'multicast-dns';
import type { DiscoveryPort, DiscoveredService } from '#client/ports.ts';
import type { Log } from '#node/log.ts';
import type { OwnNetwork } from '#node/network/own-addresses.ts';
import {
  type Announcer,
  createAnnouncer,
  cut,
  NAME_BYTES,
  type Records,
  SERVICE,
  SERVICE_LABEL,
} from '#node/discovery/announcer.ts';
import { openMdns, PerSecondLimit } from '#node/discovery/mdns.ts';
import { isPrivateAddress } from '#node/network/private-addresses.ts';

/** More than that of one answer is no office of ours. */
const MAX_HEARD_ADDRESSES = 8;
/** Of one packet; a responder that speaks for others has a few. */
const MAX_OFFICES = 8;
/** By each sender, and by all of them in one network. */
const OFFICES_A_SECOND = { each: 16, all: 100 };
export interface Discovery extends DiscoveryPort, Announcer {}

export interface DiscoveryParts {
  readonly networks: () => readonly OwnNetwork[];
  readonly log: Pick<Log, 'warn'>;
}

const textOf = (data: unknown): string =>
  typeof data === 'string' ? data : Buffer.isBuffer(data) ? data.toString('utf8') : '';

function fieldsOf(data: unknown): ReadonlyMap<string, string> {
  const parts = Array.isArray(data) ? data.map(textOf) : [textOf(data)];
  return new Map(
    parts.flatMap((part) => {
      const [, key, value = ''] = /^([a-z]+)=(.*)$/s.exec(part) ?? [];
      return key === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** What the records say of one; undefined where that is not all of it, or no office of ours. */
function officeOf(records: Records, instance: string): DiscoveredService | undefined {
  const server = records.find((each) => each.type === 'SRV' && each.name === instance);
  const text = records.find((each) => each.type === 'TXT' && each.name === instance);
  if (server?.type !== 'SRV' || text?.type !== 'TXT') return undefined;
  const fields = fieldsOf(text.data);
  const fingerprintStart = fields.get('pin') ?? '';
  if (fields.get('v') !== '1' || !/^[a-z2-7]{20}$/.test(fingerprintStart)) return undefined;
  const { port, target } = server.data;
  const addresses = addressesOf(records, target).map((each) => `https://${each}:${String(port)}`);
  if (addresses.length === 0 || addresses.length > MAX_HEARD_ADDRESSES) return undefined;
  return { name: cut(fields.get('name') ?? '', NAME_BYTES), fingerprintStart, addresses };
}

const addressesOf = (records: Records, host: string): readonly string[] =>
  records.flatMap((each) =>
    each.type === 'A' && each.name === host && isPrivateAddress(each.data) ? [each.data] : [],
  );

/** The offices that one answer tells of whole, up to eight; what is not of ours, or has gone, is left out. */
export function servicesIn({
  answers = [],
  additionals = [],
}: ResponsePacket): DiscoveredService[] {
  const records = [...answers, ...additionals];
  const instances = records.flatMap((each) => {
    const isOurs = each.type === 'PTR' && each.name.toLowerCase() === SERVICE;
    return isOurs && each.ttl !== 0 ? [each.data] : [];
  });
  return [...new Set(instances)]
    .slice(0, MAX_OFFICES)
    .flatMap((instance) => officeOf(records, instance) ?? []);
}

export const createDiscovery = (parts: DiscoveryParts): Discovery => new Networks(parts);

class Networks implements Discovery {
  readonly #parts: DiscoveryParts;
  readonly #announcer: Announcer;
  /** By the address of this computer over which they listen. */
  readonly #ears = new Map<string, MulticastDNS>();
  readonly #listeners = new Set<Parameters<DiscoveryPort['listen']>[0]>();
  #isStopped = false;

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
    this.#announcer = createAnnouncer(parts.log);
  }

  readonly announce: Announcer['announce'] = (announcements) => {
    this.#announcer.announce(announcements);
  };

  readonly repeat = (): void => {
    this.#announcer.repeat();
  };

  readonly listen: DiscoveryPort['listen'] = (heard) => {
    this.#listeners.add(heard);
    this.ask();
    return () => {
      this.#listeners.delete(heard);
      if (this.#listeners.size === 0) void this.#hearNothing();
    };
  };

  readonly ask = (): void => {
    if (this.#isStopped || this.#listeners.size === 0) return;
    const present = new Map(
      this.#parts
        .networks()
        .flatMap(({ addresses: [address], subnet }) =>
          address === undefined || address.includes(':') ? [] : [[address, subnet] as const],
        ),
    );
    for (const [address, ear] of this.#ears) {
      if (present.has(address)) ear.query(SERVICE, 'PTR');
      else {
        this.#ears.delete(address);
        ear.destroy();
      }
    }
    for (const [address, subnet] of present) {
      if (!this.#ears.has(address)) this.#open(address, subnet);
    }
  };

  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    await Promise.all([this.#announcer.stop(), this.#hearNothing()]);
  };

  #open(address: string, subnet: string): void {
    const labels = [SERVICE_LABEL];
    const budget = new PerSecondLimit(OFFICES_A_SECOND, () => performance.now());
    const ear = openMdns({ address, subnet, labels }, this.#parts.log);
    this.#ears.set(address, ear);
    ear.on('ready', () => ear.query(SERVICE, 'PTR'));
    ear.on('response', (response, { address: sender }) => {
      for (const service of servicesIn(response)) {
        if (!budget.take(sender)) return;
        for (const heard of [...this.#listeners]) heard(service, sender);
      }
    });
  }

  async #hearNothing(): Promise<void> {
    const ears = [...this.#ears.values()];
    this.#ears.clear();
    await Promise.all(
      ears.map((ear) => new Promise<void>((resolve) => ear.destroy(() => resolve()))),
    );
  }
}
