import { expect, test } from 'vitest';
import { inLink, ownAddresses, ownNetworks } from '#node/network/own-addresses.ts';

const at = (address: string, isInternal = false) => ({
  address,
  internal: isInternal,
  family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
});

test('a computer is found under its name and the addresses of its networks', () => {
  const found = ownAddresses('Maras-Laptop', {
    lo: [at('127.0.0.1', true), at('::1', true)],
    wlan0: [at('fd12::ABCD'), at('192.168.1.20'), at('fe80::1')],
    tailscale0: [at('100.101.1.2')],
  });
  expect(found).toEqual({
    names: ['maras-laptop.local', 'maras-laptop'],
    addresses: ['192.168.1.20', '100.101.1.2', 'fd12::abcd'],
  });
});

test('nobody is sent to containers, virtual machines and addresses that a computer gave itself', () => {
  const found = ownAddresses('x.office.example', {
    docker0: [at('172.17.0.1')],
    'br-0123456789ab': [at('172.18.0.1')],
    veth12ab: [at('10.9.9.9')],
    'vEthernet (WSL)': [at('172.30.0.1')],
    eth0: [at('169.254.3.4'), at('10.0.0.7')],
    br0: [at('10.0.0.8')],
  });
  expect(found).toEqual({
    names: ['x.local', 'x', 'x.office.example'],
    addresses: ['10.0.0.7', '10.0.0.8'],
  });
});

test('a network is one of somebody’s own, with all addresses of its interface', () => {
  const within = (address: string, cidr: string) => ({ ...at(address), cidr });
  expect(
    ownNetworks({
      lo: [{ ...at('127.0.0.1', true), cidr: '127.0.0.1/8' }],
      docker0: [within('172.17.0.1', '172.17.0.1/16')],
      wlan0: [
        within('fd12::ABCD', 'fd12::abcd/64'),
        within('192.168.17.20', '192.168.17.20/20'),
        within('2001:db8::1', '2001:db8::1/64'),
      ],
      wg0: [within('fd00:1:2:3:4:5:6:7', 'fd00:1:2:3:4:5:6:7/64')],
      ppp0: [within('203.0.113.7', '203.0.113.7/24')],
    }),
  ).toEqual([
    {
      interfaceName: 'wlan0',
      subnet: '192.168.16.0/20',
      addresses: ['192.168.17.20', 'fd12::abcd'],
    },
    { interfaceName: 'wg0', subnet: 'fd00:1:2:3::/64', addresses: ['fd00:1:2:3:4:5:6:7'] },
  ]);
});

test('what is no name on a network is not taken for one', () => {
  expect(ownAddresses('Mara’s Laptop', {}).names).toEqual([]);
  expect(ownAddresses('localhost', {}).names).toEqual([]);
});

test('an address of the newer kind stands in brackets in a link', () => {
  expect([inLink('fd12::1'), inLink('10.0.0.1')]).toEqual(['[fd12::1]', '10.0.0.1']);
});
