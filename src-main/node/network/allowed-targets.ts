/** What outgoing bots may reach inside the office's network: single names, addresses or networks, each with one port. */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ownAddresses } from './own-addresses.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';

export interface AllowedTarget {
  /** As it is shown, kept and taken away: `jenkins.lan:8080`, `10.1.0.0/24:443`, `[fd00::1]:80`. */
  readonly text: string;
  /** The name or the address, without brackets; null for a network. */
  readonly host: string | null;
  readonly port: number;
  /** Whether it means a host of that name, and the address that is connected to. */
  readonly covers: (host: string, address: string) => boolean;
}

/** What somebody at the computer of the service allows beside public addresses. */
export interface InternalAccess {
  readonly targets: () => readonly AllowedTarget[];
  /** Ports at which the service itself answers. */
  readonly servicePorts: () => readonly number[];
}

type Network = readonly [address: string, prefix: number];

function blockListOf(networks4: readonly Network[], networks6: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks4) list.addSubnet(address, prefix, 'ipv4');
  for (const [address, prefix] of networks6) list.addSubnet(address, prefix, 'ipv6');
  return list;
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

type Family = 'ipv4' | 'ipv6';
const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Nobody may allow these: this computer itself, whoever is on the cable, the keys of a computer in a cloud, everybody at once. */
const never4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
];
/** Those with another protocol's address inside are not taken apart. */
const never6: readonly Network[] = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const never = blockListOf(never4, never6);

/** What Node takes for the same as an IPv4 address is nobody's way to write one here. */
const isMapped = (address: string): boolean =>
  isIP(address) === 6 && ipaddr.IPv6.parse(address).isIPv4MappedAddress();

const isAlwaysBlocked = (address: string): boolean =>
  isMapped(address) || never.check(address, familyOf(address));

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

function isOwn(address: string, interfaces: Interfaces): boolean {
  const own = new BlockList();
  for (const each of Object.values(interfaces).flatMap((some) => some ?? [])) {
    own.addAddress(each.address.split('%')[0] ?? '', familyOf(each.address));
  }
  return own.check(address, familyOf(address));
}

/**
 * Whether an address may be allowed at all: the service itself is reached at every address of this computer.
 * @param servicePorts  at which it answers
 */
export function isAllowable(
  { address, port }: { readonly address: string; readonly port: number },
  servicePorts: readonly number[],
  interfaces: Interfaces = networkInterfaces(),
): boolean {
  if (isIP(address) === 0 || isAlwaysBlocked(address)) return false;
  return !(servicePorts.includes(port) && isOwn(address, interfaces));
}

/** Whether nothing but the service itself would be reached by it. */
export function isService(
  { host, port }: Pick<AllowedTarget, 'host' | 'port'>,
  servicePorts: readonly number[],
): boolean {
  if (host === null || !servicePorts.includes(port)) return false;
  if (isIP(host) !== 0) return !isAllowable({ address: host, port }, servicePorts);
  return ownAddresses().names.includes(host);
}

const NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
/** Wider ones are not an office's network but everything. */
const WIDEST = { ipv4: 8, ipv6: 32 } as const;

const notUnderstood = (target: string): ExplainedError =>
  new ExplainedError(hostingWords('target_not_understood', { target }));

interface WrittenTarget {
  readonly host: string;
  readonly prefix: number | null;
  readonly port: number;
}

function split(text: string): WrittenTarget | undefined {
  const found = /^(?:\[([^\]/]+)(?:\/(\d{1,3}))?\]|([^[\]:/\s]+)(?:\/(\d{1,3}))?):(\d{1,5})$/.exec(
    text,
  );
  if (found === null) return undefined;
  const [, host6, prefix6, host4, prefix4, port = ''] = found;
  const prefix = prefix6 ?? prefix4;
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  if (!isPort || (host6 !== undefined && isIP(host6) !== 6)) return undefined;
  return {
    host: (host6 ?? host4 ?? '').toLowerCase(),
    prefix: prefix === undefined ? null : Number(prefix),
    port: Number(port),
  };
}

function networkOf(text: string, { host, prefix, port }: WrittenTarget): AllowedTarget {
  const family = familyOf(host);
  const most = family === 'ipv4' ? 32 : 128;
  const bits = prefix ?? most;
  if (bits > most || bits < WIDEST[family]) {
    const bounds = { target: text, widest: WIDEST[family], narrowest: most };
    throw new ExplainedError(hostingWords('target_network_size', bounds));
  }
  const network = new BlockList();
  network.addSubnet(host, bits, family);
  if (isAlwaysBlocked(host)) {
    throw new ExplainedError(hostingWords('target_never_reached', { target: text }));
  }
  const shown = prefix === null ? host : `${host}/${String(bits)}`;
  return {
    text: `${family === 'ipv6' ? `[${shown}]` : shown}:${String(port)}`,
    host: prefix === null ? host : null,
    port,
    covers: (_, address) => network.check(address, familyOf(address)),
  };
}

/** @throws an Error of one sentence that names the text and says what was expected */
export function parseTarget(given: string): AllowedTarget {
  const text = given.trim();
  const written = split(text);
  if (written === undefined) throw notUnderstood(text);
  const { host, prefix, port } = written;
  if (isIP(host) !== 0) return networkOf(text, written);
  // A last part of digits is another way to write an address.
  if (prefix !== null || !NAME.test(host) || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host)) {
    throw notUnderstood(text);
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    throw new ExplainedError(hostingWords('target_is_this_computer', { target: text }));
  }
  return { text: `${host}:${String(port)}`, host, port, covers: (asked) => asked === host };
}
