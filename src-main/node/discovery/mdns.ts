/**
 * Multicast DNS (RFC 6762) among strangers: anybody in a network may send anything, as often as they like. What concerns
 * nobody here, or is too much, is dropped before it is decoded.
 */
import type { createSocket as CreateSocket, RemoteInfo, Socket } from 'node:dgram';
import { createRequire } from 'node:module';
import type { default as CreateMdns, MulticastDNS } from 'multicast-dns';
import type { Log } from '../log.ts';
import { membersOf } from '../network/private-addresses.ts';

/** Responders keep to one frame (RFC 6762, section 17); a pointer costs two bytes, so that this bounds what a packet costs. */
const MAX_PACKET_BYTES = 1_500;
const PACKETS_A_SECOND = { each: 50, all: 250 };
const HEADER_BYTES = 12;
/** The shortest that there can be: a name of one byte, type and class, and for records TTL and length. */
const QUESTION_BYTES = 5;
const RECORD_BYTES = 11;

/** Counts what senders do within a second: each of them, and all together. */
export class PerSecondLimit {
  readonly #limits: { readonly each: number; readonly all: number };
  readonly #nowMs: () => number;
  readonly #used = new Map<string, number>();
  #all = 0;
  #beganMs = -Infinity;

  constructor(limits: { readonly each: number; readonly all: number }, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Whether the sender has one more in this second. */
  take(sender: string): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#beganMs >= 1_000 || nowMs < this.#beganMs) {
      this.#used.clear();
      this.#all = 0;
      this.#beganMs = nowMs;
    }
    const used = this.#used.get(sender) ?? 0;
    if (used >= this.#limits.each || this.#all >= this.#limits.all) return false;
    this.#used.set(sender, used + 1);
    this.#all += 1;
    return true;
  }
}

/** Whether its header promises no more than its bytes can hold. */
function isPlausible(packet: Buffer): boolean {
  if (packet.length < HEADER_BYTES || packet.length > MAX_PACKET_BYTES) return false;
  const records = [6, 8, 10].reduce((sum, at) => sum + packet.readUInt16BE(at), 0);
  const least = packet.readUInt16BE(4) * QUESTION_BYTES + records * RECORD_BYTES;
  return HEADER_BYTES + least <= packet.length;
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1').toLowerCase();

export interface MdnsNetwork {
  /** This computer's in it. */
  readonly address: string;
  readonly subnet: string;
  /** A packet without one of these labels concerns nobody here. */
  readonly labels: readonly string[];
}

/** Decides of a packet, as it came, whether it is decoded. */
export function createPacketFilter(
  { subnet, labels }: Omit<MdnsNetwork, 'address'>,
  nowMs: () => number,
): (packet: Buffer, sender: string) => boolean {
  const budget = new PerSecondLimit(PACKETS_A_SECOND, nowMs);
  const isNeighbour = membersOf(subnet);
  const wanted = labels.map(bytesOf);
  return (packet, sender) => {
    if (!isPlausible(packet)) return false;
    const text = packet.toString('latin1').toLowerCase();
    return (
      wanted.some((label) => text.includes(label)) && isNeighbour(sender) && budget.take(sender)
    );
  };
}

const load = createRequire(import.meta.url);

function openSocket(admits: ReturnType<typeof createPacketFilter>): Socket {
  const { createSocket } = load('node:dgram') as { readonly createSocket: typeof CreateSocket };
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  const emit = socket.emit.bind(socket) as (name: string, ...args: readonly unknown[]) => boolean;
  const guarded = (name: string, ...args: readonly unknown[]): boolean => {
    if (name !== 'message') return emit(name, ...args);
    const [packet, { address }] = args as readonly [Buffer, RemoteInfo];
    return admits(packet, address) && emit(name, ...args);
  };
  return Object.assign(socket, { emit: guarded });
}

/** What goes wrong with it concerns finding alone: nothing depends on it. */
export function openMdns(network: MdnsNetwork, log: Pick<Log, 'warn'>): MulticastDNS {
  const { address } = network;
  // Loaded on use: most starts of the application neither tell of an office nor look for one.
  const createMdns = load('multicast-dns') as typeof CreateMdns;
  const socket = openSocket(createPacketFilter(network, () => performance.now()));
  const mdns = createMdns({ interface: address, bind: '0.0.0.0', socket });
  mdns.on('error', (error: unknown) =>
    log.warn('offices cannot be told of or found', { address, error }),
  );
  // A packet that cannot be read may come from anybody.
  mdns.on('warning', () => undefined);
  return mdns;
}
