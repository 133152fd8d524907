/**
 * Offices that tell of themselves in the networks of this computer (RFC 6762 and 6763). What is heard says where to look,
 * never whom to trust: anybody may say anything there.
 */
import createMdns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns';
import type { DiscoveryPort, HeardOffice } from '../../client/ports.ts';
import type { Log } from '../../platform/log.ts';
import type { OwnNetwork } from '../../platform/own-addresses.ts';
import { isPrivateAddress, isWithin } from '../../platform/private-addresses.ts';

const SERVICE = '_hearth._tcp.local';
const ALL_SERVICES = '_services._dns-sd._udp.local';
/** As much of a pin as is told: nobody guesses it, and who has it has to prove the rest. */
const PIN_CHARACTERS = 20;
const POINTER_TTL_SECONDS = 4500;
const ADDRESS_TTL_SECONDS = 120;
/** A label has at most 63, with what is added to it; a text at most 255. */
const LABEL_BYTES = 48;
const NAME_BYTES = 200;
/** More than that of one answer is no office of ours. */
const MAX_HEARD_ADDRESSES = 8;
/** What is told once may be lost (RFC 6762, section 8.3). */
const REPEAT_MS = 1_000;

/** An office as it is told of in one network. */
export interface Announcement {
  /** Of this computer in that network. */
  readonly address: string;
  readonly subnet: string;
  readonly port: number;
  /** Of the organization. */
  readonly name: string;
  readonly pin: string;
  /** Of the computer, without `.local`. */
  readonly host: string;
}

export interface Discovery extends DiscoveryPort {
  /** From now on these are told of, and nothing else. */
  readonly announce: (announcements: readonly Announcement[]) => void;
  readonly stop: () => Promise<void>;
}

export interface DiscoveryParts {
  readonly networks: () => readonly OwnNetwork[];
  readonly log: Pick<Log, 'warn'>;
}

type Records = NonNullable<ResponsePacket['answers']>;
type Answer = Records[number];

/** As much of it as fits, without what no name has. */
function cut(text: string, maxBytes: number): string {
  let kept = '';
  for (const character of text.replaceAll(/\p{C}/gu, ' ').trim()) {
    if (Buffer.byteLength(kept + character) > maxBytes) break;
    kept += character;
  }
  return kept;
}

/** One label of a name: dots would make several of it. */
export const labelOf = (name: string): string => cut(name.replaceAll('.', ' '), LABEL_BYTES);

/** What is said of it; once more when it goes, so that others forget it. */
export function recordsOf(
  { address, port, name, pin, host }: Announcement,
  isGone = false,
): Records {
  const pinStart = pin.slice(0, PIN_CHARACTERS);
  const instance = `${labelOf(name)} ${pinStart.slice(0, 6)}.${SERVICE}`;
  const target = `${host}.local`;
  const ttl = isGone ? 0 : ADDRESS_TTL_SECONDS;
  const data = [`v=1`, `name=${cut(name, NAME_BYTES)}`, `pin=${pinStart}`];
  return [
    { name: SERVICE, type: 'PTR', ttl: isGone ? 0 : POINTER_TTL_SECONDS, data: instance },
    { name: instance, type: 'SRV', ttl, data: { port, target, priority: 0, weight: 0 } },
    { name: instance, type: 'TXT', ttl, data },
    { name: target, type: 'A', ttl, data: address },
  ];
}

/** Answers for one office in one network. */
class Responder {
  readonly #mdns: MulticastDNS;
  readonly #announcement: Announcement;
  #repeating: NodeJS.Timeout | undefined;

  constructor(announcement: Announcement, log: Pick<Log, 'warn'>) {
    this.#announcement = announcement;
    this.#mdns = open(announcement.address, log);
    const own = recordsOf(announcement);
    const names = new Set(own.map(({ name }) => name.toLowerCase()));
    this.#mdns.on('query', ({ questions = [] }, from) => {
      if (!isWithin(from.address, announcement.subnet)) return;
      const asked = questions.map(({ name }) => name.toLowerCase());
      if (asked.some((name) => names.has(name))) this.#mdns.respond({ answers: own });
      else if (asked.includes(ALL_SERVICES)) this.#mdns.respond({ answers: [ofService] });
    });
    this.#mdns.on('ready', () => {
      this.#mdns.respond({ answers: own });
      this.#repeating = setTimeout(() => this.#mdns.respond({ answers: own }), REPEAT_MS);
    });
  }

  /** Says that it is gone, as far as that still reaches anybody. */
  stop(): Promise<void> {
    clearTimeout(this.#repeating);
    return new Promise((resolve) => {
      const answers = recordsOf(this.#announcement, true);
      this.#mdns.respond({ answers }, () => this.#mdns.destroy(() => resolve()));
    });
  }
}

const ofService: Answer = {
  ...{ name: ALL_SERVICES, type: 'PTR', ttl: POINTER_TTL_SECONDS },
  data: SERVICE,
};

/** What goes wrong with it concerns finding alone: nothing depends on it. */
function open(address: string, log: Pick<Log, 'warn'>): MulticastDNS {
  const mdns = createMdns({ interface: address, bind: '0.0.0.0', reuseAddr: true });
  const tell = (error: unknown): void =>
    log.warn('offices cannot be told of or found', { address, error });
  mdns.on('error', tell);
  // A packet that cannot be read may come from anybody.
  mdns.on('warning', () => undefined);
  return mdns;
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

const keyOf = (announcement: Announcement): string => JSON.stringify(announcement);

export const createDiscovery = (parts: DiscoveryParts): Discovery => new Networks(parts);

class Networks implements Discovery {
  readonly #parts: DiscoveryParts;
  readonly #responders = new Map<string, Responder>();
  /** By the address of this computer over which they listen. */
  readonly #ears = new Map<string, MulticastDNS>();
  readonly #listeners = new Set<(office: HeardOffice) => void>();
  #isStopped = false;

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
  }

  readonly announce = (announcements: readonly Announcement[]): void => {
    if (this.#isStopped) return;
    const wanted = new Map(announcements.map((each) => [keyOf(each), each]));
    for (const [key, responder] of this.#responders) {
      if (wanted.has(key)) continue;
      this.#responders.delete(key);
      void responder.stop();
    }
    for (const [key, announcement] of wanted) {
      if (this.#responders.has(key)) continue;
      this.#responders.set(key, new Responder(announcement, this.#parts.log));
    }
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
    const responders = [...this.#responders.values()];
    this.#responders.clear();
    await Promise.all([...responders.map((each) => each.stop()), this.#hearNothing()]);
  };

  #open(address: string): void {
    const ear = open(address, this.#parts.log);
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
