/**
 * Tells networks of the offices that are here (RFC 6762 and 6763). What is told says where to look, never whom to trust:
 * anybody may say anything there.
 */
import { createRequire } from 'node:module';
import type { default as CreateMdns, MulticastDNS, ResponsePacket } from 'multicast-dns';
import type { Log } from '../log.ts';
import { isWithin } from '../private-addresses.ts';

export const SERVICE = '_hearth._tcp.local';
const ALL_SERVICES = '_services._dns-sd._udp.local';
/** As much of a pin as is told: nobody guesses it, and who has it has to prove the rest. */
const PIN_CHARACTERS = 20;
const POINTER_TTL_SECONDS = 4500;
const ADDRESS_TTL_SECONDS = 120;
/** A label has at most 63, with what is added to it; a text at most 255. */
const LABEL_BYTES = 48;
export const NAME_BYTES = 200;
/** What is told once may be lost (RFC 6762, section 8.3). */
const REPEAT_MS = 1_000;

/** An office as it is told of in one network. */
export interface Announcement {
  /** This computer's in that network. */
  readonly address: string;
  readonly subnet: string;
  readonly port: number;
  /** The organization's. */
  readonly name: string;
  readonly pin: string;
  /** The computer's, without `.local`. */
  readonly host: string;
}

/** @param names  as others look this computer up, those that end in `.local` among them */
export const hostLabel = (names: readonly string[], pin: string): string =>
  names.find((name) => name.endsWith('.local'))?.replace(/\.local$/, '') ??
  `hearth-${pin.slice(0, 8)}`;

export interface Announcer {
  /** From now on these are told of, and nothing else. */
  readonly announce: (announcements: readonly Announcement[]) => void;
  /** Says that they are gone. */
  readonly stop: () => Promise<void>;
}

export type Records = NonNullable<ResponsePacket['answers']>;
type Answer = Records[number];

/** As much of it as fits, without what no name has. */
export function cut(text: string, maxBytes: number): string {
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
    this.#mdns = openMdns(announcement.address, log);
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

const load = createRequire(import.meta.url);

/** What goes wrong with it concerns finding alone: nothing depends on it. */
export function openMdns(address: string, log: Pick<Log, 'warn'>): MulticastDNS {
  // Loaded on use: most starts of the application neither tell of an office nor look for one.
  const createMdns = load('multicast-dns') as typeof CreateMdns;
  const mdns = createMdns({ interface: address, bind: '0.0.0.0', reuseAddr: true });
  const tell = (error: unknown): void =>
    log.warn('offices cannot be told of or found', { address, error });
  mdns.on('error', tell);
  // A packet that cannot be read may come from anybody.
  mdns.on('warning', () => undefined);
  return mdns;
}

const keyOf = (announcement: Announcement): string => JSON.stringify(announcement);

export function createAnnouncer(log: Pick<Log, 'warn'>): Announcer {
  const responders = new Map<string, Responder>();
  let isStopped = false;
  return {
    announce(announcements) {
      if (isStopped) return;
      const wanted = new Map(announcements.map((each) => [keyOf(each), each]));
      for (const [key, responder] of responders) {
        if (wanted.has(key)) continue;
        responders.delete(key);
        void responder.stop();
      }
      for (const [key, announcement] of wanted) {
        if (!responders.has(key)) responders.set(key, new Responder(announcement, log));
      }
    },
    async stop() {
      isStopped = true;
      const all = [...responders.values()];
      responders.clear();
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}
