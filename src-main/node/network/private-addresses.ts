/** Addresses that belong to a network of somebody's own, not to the internet. */
import { BlockList, isIP } from 'node:net';

/** Networks with the number of bits that they have in common. */
export const privateRanges = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;

/** Of what is an address. */
const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

const privateAddresses = new BlockList();
for (const [address, bits] of privateRanges) {
  privateAddresses.addSubnet(address, bits, familyOf(address));
}

export const isPrivateAddress = (address: string): boolean =>
  isIP(address) !== 0 && privateAddresses.check(address, familyOf(address));

/** Whether an address lies in a network such as 10.0.0.0/8. */
export const isWithin = (address: string, network: string): boolean => membersOf(network)(address);

/** The same for many addresses: a network costs more to read than an address. */
export function membersOf(network: string): (address: string) => boolean {
  const [base = '', bits = ''] = network.split('/');
  if (isIP(base) === 0) return () => false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), familyOf(base));
  return (address) => isIP(address) === isIP(base) && list.check(address, familyOf(address));
}
