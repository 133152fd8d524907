/**
 * Tells networks of the offices that are here (RFC 6762 and 6763). What is told says where to look, never whom to trust:
 * anybody may say anything there.
 */
import type { MulticastDNS, ResponsePacket } from 'multicast-dns';
import type { Log } from '../log.ts';
import { openMdns } from './mdns.ts';

export const SERVICE_LABEL = '_hearth';
export const SERVICE = `${SERVICE_LABEL}._tcp.local`;
const ALL_SERVICES_LABEL = '_dns-sd';
const ALL_SERVICES = `_services.${ALL_SERVICES_LABEL}._udp.local`;
/** As much of a fingerprint as is told: nobody guesses it, and who has it has to prove the rest. */
const FINGERPRINT_CHARACTERS = 20;
const POINTER_TTL_SECONDS = 4500;
const ADDRESS_TTL_SECONDS = 120;
/** A label has at most 63, with what is added to it; a text at most 255. */
const LABEL_BYTES = 48;
export const NAME_BYTES = 200;
/** What is told once may be lost (RFC 6762, section 8.3), and nothing is multicast more often than that (RFC 6762, section 6). */
const REPEAT_MS = 1_000;
/** A prober takes a name that nobody defends for so long (RFC 6762, section 8.1). */
const PROBE_MS = 250;

/** An office as it is told of in one network. */
export interface Announcement {
  /** This computer's in that network. */
  readonly address: string;
  readonly subnet: string;
  readonly port: number;
  /** The organization's. */
  readonly name: string;
  readonly fingerprint: string;
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
  /** The computer has slept: tells of them anew, in networks that may have forgotten it. */
  readonly repeat: () => void;
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
  { address, port, name, fingerprint, host }: Announcement,
  isGone = false,
): Records {
  const pinStart = fingerprint.slice(0, FINGERPRINT_CHARACTERS);
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

/** Sends the same at most once a second, to those who probe four times: what is asked for in between is answered at its end. */
export class ThrottledSender {
  readonly #send: () => void;
  #sentMs = -Infinity;
  #dueMs = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: () => void) {
    this.#send = send;
  }

  tell(isProbe = false): void {
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs, this.#sentMs + (isProbe ? PROBE_MS : REPEAT_MS));
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    if (dueMs === nowMs) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), dueMs - nowMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tellNow(): void {
    this.#dueMs = Infinity;
    this.#sentMs = performance.now();
    this.#send();
  }
}

/** Answers for one office in one network. */
class Responder {
  readonly announcement: Announcement;
  readonly #mdns: MulticastDNS;
  readonly #own: ThrottledSender;
  readonly #service: ThrottledSender;

  constructor(announcement: Announcement, log: Pick<Log, 'warn'>) {
    this.announcement = announcement;
    const { address, subnet, host } = announcement;
    const labels = [SERVICE_LABEL, ALL_SERVICES_LABEL, host];
    this.#mdns = openMdns({ address, subnet, labels }, log);
    const answers = recordsOf(announcement);
    this.#own = new ThrottledSender(() => this.#mdns.respond({ answers }));
    this.#service = new ThrottledSender(() => this.#mdns.respond({ answers: [ofService] }));
    const names = new Set(answers.map(({ name }) => name.toLowerCase()));
    this.#mdns.on('query', ({ questions = [], authorities = [] }) => {
      const asked = questions.map(({ name }) => name.toLowerCase());
      if (asked.some((name) => names.has(name))) this.#own.tell(authorities.length > 0);
      else if (asked.includes(ALL_SERVICES)) this.#service.tell();
    });
    this.#mdns.on('ready', () => {
      this.#own.tell();
      this.#own.tell();
    });
  }

  /** Says that it is gone, as far as that still reaches anybody. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      const answers = recordsOf(this.announcement, true);
      this.#mdns.removeAllListeners('query');
      this.#own.stop();
      this.#service.stop();
      this.#mdns.respond({ answers }, () => this.#mdns.destroy(() => resolve()));
    });
  }
}

const ofService: Answer = {
  name: ALL_SERVICES,
  type: 'PTR',
  ttl: POINTER_TTL_SECONDS,
  data: SERVICE,
};

const keyOf = (announcement: Announcement): string => JSON.stringify(announcement);

export function createAnnouncer(log: Pick<Log, 'warn'>): Announcer {
  const responders = new Map<string, Responder>();
  let isStopped = false;
  function announce(announcements: readonly Announcement[]): void {
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
  }
  return {
    announce,
    repeat() {
      const announcements = Array.from(responders.values(), ({ announcement }) => announcement);
      announce([]);
      announce(announcements);
    },
    async stop() {
      isStopped = true;
      const all = [...responders.values()];
      responders.clear();
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}
