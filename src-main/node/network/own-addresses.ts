/** Under which names and addresses others find this computer. */
import { isIP } from 'node:net';
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isPrivateAddress } from './private-addresses.ts';

export interface OwnAddresses {
  /** In lower case, those that others can look up first: `maras-laptop.local`, `maras-laptop`. */
  readonly names: readonly string[];
  /** In its networks, IPv4 first. */
  readonly addresses: readonly string[];
}

/** Made by containers and virtual machines: nobody in the office can reach what stands behind them. */
const VIRTUAL =
  /^(?:docker|veth|br-[0-9a-f]{12}|virbr|vmnet|vboxnet|cni|podman|lxc|lxd|flannel|cali|vEthernet \((?:WSL|Default Switch))/i;

const LINK_LOCAL = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/i;

type Info = NetworkInterfaceInfo;
export type Interfaces = Readonly<Partial<Record<string, readonly NetworkInterfaceInfo[]>>>;

/** Interfaces by which others come, with their addresses that mean something to others. */
function reachable(interfaces: Interfaces): readonly (readonly [string, readonly Info[]])[] {
  return Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .map(([name, infos = []]) => {
      const told = infos.filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address));
      return [name, told] as const;
    });
}

export function ownAddresses(
  name: string = hostname(),
  interfaces: Interfaces = networkInterfaces(),
): OwnAddresses {
  const found = reachable(interfaces).flatMap(([, infos]) => infos);
  const of = (family: string): readonly string[] =>
    found.filter((info) => info.family === family).map(({ address }) => address.toLowerCase());
  return { names: namesOf(name.toLowerCase()), addresses: [...of('IPv4'), ...of('IPv6')] };
}

/** A network that this computer is in by one of its interfaces. */
export interface OwnNetwork {
  readonly interfaceName: string;
  /** Such as 192.168.1.0/24. */
  readonly subnet: string;
  /** This computer's in it, IPv4 first; those that the internet reaches are left out. */
  readonly addresses: readonly string[];
}

/** The networks of somebody's own that this computer is in; one of an interface, whatever that has of addresses. */
export const ownNetworks = (interfaces: Interfaces = networkInterfaces()): readonly OwnNetwork[] =>
  reachable(interfaces).flatMap(([interfaceName, infos]) => {
    const own = infos
      .filter(({ address }) => isPrivateAddress(address))
      .toSorted((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'));
    const [first] = own;
    if (typeof first?.cidr !== 'string') return [];
    const addresses = own.map(({ address }) => address.toLowerCase());
    return [{ interfaceName, subnet: subnetOf(first.cidr), addresses }];
  });

/** An address with its bits, as the network that it is in: 192.168.1.20/24 in 192.168.1.0/24. */
function subnetOf(cidr: string): string {
  const [address = '', bits = '0'] = cidr.split('/');
  if (isIP(address) === 6) return `${address.split(':').slice(0, 4).join(':')}::/64`;
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  const base = Math.floor(number / size) * size;
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256);
  return `${parts.join('.')}/${bits}`;
}

const isName = (text: string): boolean =>
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text);

function namesOf(own: string): readonly string[] {
  const [short = ''] = own.split('.', 1);
  return [...new Set([`${short}.local`, short, own])].filter(
    (name) => isName(name) && name !== 'localhost' && name !== 'localhost.local',
  );
}

/** An address as it stands in a link. */
export const inLink = (address: string): string =>
  address.includes(':') ? `[${address}]` : address;

/** The name of a host as `URL` has it, without what stands around an IPv6 address there. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Origins at which programs on this computer reach a service, whichever of them somebody has typed. */
export function localOrigins(origin: string): readonly string[] {
  const { port } = new URL(origin);
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return [
    origin,
    ...names.flatMap((name) => [`http://${name}:${port}`, `https://${name}:${port}`]),
  ];
}

/** Whether nobody but this computer can connect there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
