import { expect, test } from 'vitest';
import { hardwareAddressOf, routerIn } from '#desktop/system/gateways.ts';

/** As the systems write them, with a second network beside the one that is asked for. */
const tables = {
  linux: {
    routes: `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\tFE01A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
wlan0\t0001A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0`,
    neighbours: `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.25     0x1         0x2         00:11:22:33:44:55     *        wlan0
192.168.1.254    0x1         0x2         8C:6A:8D:01:0E:F0     *        wlan0
10.0.0.1         0x1         0x0         00:00:00:00:00:00     *        eth0`,
  },
  darwin: {
    routes: `Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
default            192.168.1.254      UGScg                 en0
default            10.0.0.1           UGScIg                en7
127                127.0.0.1          UCS                   lo0`,
    neighbours: `? (192.168.1.25) at 0:11:22:33:44:55 on en0 ifscope [ethernet]
? (192.168.1.254) at 8c:6a:8d:1:e:f0 on en0 ifscope [ethernet]
? (10.0.0.1) at (incomplete) on en7 ifscope [ethernet]`,
  },
  win32: {
    routes: `IPv4-Routentabelle
===========================================================================
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0    192.168.1.254     192.168.1.20     35
          0.0.0.0          0.0.0.0         10.0.0.1         10.0.0.5     25`,
    neighbours: `Schnittstelle: 192.168.1.20 --- 0x7
  Internetadresse       Physische Adresse     Typ
  192.168.1.25          00-11-22-33-44-55     dynamisch
  192.168.1.254         8c-6a-8d-01-0e-f0     dynamisch`,
  },
} as const;

test.each(['linux', 'darwin', 'win32'] as const)(
  'the router of a network is found on %s',
  (system) => {
    const { routes, neighbours } = tables[system];
    expect(routerIn('192.168.1.0/24', routes, system)).toBe('192.168.1.254');
    expect(routerIn('10.0.0.0/24', routes, system)).toBe('10.0.0.1');
    expect(routerIn('172.16.0.0/24', routes, system)).toBeUndefined();
    expect(routerIn('fd00:1:2:3::/64', routes, system)).toBeUndefined();
    expect(hardwareAddressOf('192.168.1.254', neighbours)).toBe('8c:6a:8d:01:0e:f0');
    // Neither one that has not answered, nor one that only begins alike, has one.
    expect(hardwareAddressOf('10.0.0.1', neighbours)).toBeUndefined();
    expect(hardwareAddressOf('192.168.1.2', neighbours)).toBeUndefined();
  },
);
