/**
 * Offices that tell of themselves in the networks of this computer (RFC 6762 and 6763). What is heard says where to look,
 * never whom to trust: anybody may say anything there.
 */
import type { MulticastDNS, ResponsePacket } from 'multicast-dns';
import type { DiscoveryPort, HeardOffice } from '../../client/ports.ts';
import type { Log } from '../../platform/log.ts';
import type { OwnNetwork } from '../../platform/own-addresses.ts';
import {
  type Announcer,
  createAnnouncer,
  cut,
  NAME_BYTES,
  openMdns,
  type Records,
  SERVICE,
} from '../../platform/office/announcer.ts';
import { isPrivateAddress } from '../../platform/private-addresses.ts';

/** More than that of one answer is no office of ours. */
const MAX_HEARD_ADDRESSES = 8;
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
function officeOf(records: Records, instance: string): HeardOffice | undefined {
  const server = records.find((each) => each.type === 'SRV' && each.name === instance);
  const text = records.find((each) => each.type === 'TXT' && each.name === instance);
  if (server?.type !== 'SRV' || text?.type !== 'TXT') return undefined;
  const fields = fieldsOf(text.data);
  const pinStart = fields.get('pin') ?? '';
  if (fields.get('v') !== '1' || !/^[a-z2-7]{20}$/.test(pinStart)) return undefined;
  const { port, target } = server.data;
  const addresses = addressesOf(records, target).map((each) => `https://${each}:${String(port)}`);
  if (addresses.length === 0 || addresses.length > MAX_HEARD_ADDRESSES) return undefined;
  return { name: cut(fields.get('name') ?? '', NAME_BYTES), pinStart, addresses };
}

const addressesOf = (records: Records, host: string): readonly string[] =>
  records.flatMap((each) =>
    each.type === 'A' && each.name === host && isPrivateAddress(each.data) ? [each.data] : [],
  );

/** The offices that one answer tells of whole; what is not of ours, or has gone, is left out. */
export function officesIn({ answers = [], additionals = [] }: ResponsePacket): HeardOffice[] {
  const records = [...answers, ...additionals];
  return records.flatMap((pointer) => {
    const isOurs = pointer.type === 'PTR' && pointer.name.toLowerCase() === SERVICE;
    return isOurs && pointer.ttl !== 0 ? (officeOf(records, pointer.data) ?? []) : [];
  });
}

export const createDiscovery = (parts: DiscoveryParts): Discovery => new Networks(parts);

class Networks implements Discovery {
  readonly #parts: DiscoveryParts;
  readonly #announcer: Announcer;
  /** By the address of this computer over which they listen. */
  readonly #ears = new Map<string, MulticastDNS>();
  readonly #listeners = new Set<(office: HeardOffice) => void>();
  #isStopped = false;

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
    this.#announcer = createAnnouncer(parts.log);
  }

  readonly announce: Announcer['announce'] = (announcements) => {
    this.#announcer.announce(announcements);
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
    const present = new Set(
      this.#parts.networks().flatMap(({ addresses }) => addresses.slice(0, 1)),
    );
    for (const [address, ear] of this.#ears) {
      if (present.has(address)) ear.query(SERVICE, 'PTR');
      else {
        this.#ears.delete(address);
        ear.destroy();
      }
    }
    for (const address of present) {
      if (!address.includes(':') && !this.#ears.has(address)) this.#open(address);
    }
  };

  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    await Promise.all([this.#announcer.stop(), this.#hearNothing()]);
  };

  #open(address: string): void {
    const ear = openMdns(address, this.#parts.log);
    this.#ears.set(address, ear);
    ear.on('ready', () => ear.query(SERVICE, 'PTR'));
    ear.on('response', (response) => {
      for (const office of officesIn(response)) {
        for (const heard of [...this.#listeners]) heard(office);
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
