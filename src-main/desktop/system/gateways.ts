/** By which router this computer leaves a network: two networks with the same addresses are told apart by that. */
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { isWithin } from '#node/network/private-addresses.ts';

/** What the system says of its routes and of its neighbours, as text. */
export interface RoutingTables {
  readonly routes: string;
  readonly neighbours: string;
}

type System = 'linux' | 'darwin' | 'win32';

const COMMAND_LIMIT_MS = 5_000;
/** Discard: nobody answers, but the system has to find out who the router is. */
const DISCARD_PORT = 9;

/** Little-endian hexadecimal digits, as Linux writes them. */
const fromHex = (text: string): string =>
  (text.match(/../g) ?? [])
    .reverse()
    .map((each) => String(Number.parseInt(each, 16)))
    .join('.');

const routers: Readonly<Record<System, (routes: string) => readonly string[]>> = {
  linux: (routes) =>
    [...routes.matchAll(/^\S+\s+00000000\s+([0-9A-F]{8})\s/gim)].map(([, hex = '']) =>
      fromHex(hex),
    ),
  darwin: (routes) =>
    [...routes.matchAll(/^default\s+(\d+\.\d+\.\d+\.\d+)\s/gm)].map(([, found = '']) => found),
  win32: (routes) =>
    [...routes.matchAll(/^[ \t]*0\.0\.0\.0[ \t]+0\.0\.0\.0[ \t]+(\d+\.\d+\.\d+\.\d+)\s/gm)].map(
      ([, found = '']) => found,
    ),
};

/** The address of the router in a network; undefined where there is none. */
export const routerIn = (subnet: string, routes: string, system: System): string | undefined =>
  routers[system](routes).find((router) => isWithin(router, subnet));

/** The hardware address of a neighbour, in lower case with colons; undefined where it is not known yet. */
export function hardwareAddressOf(address: string, neighbours: string): string | undefined {
  const isOwn = (line: string): boolean => line.split(/[\s()]/).includes(address);
  const line = neighbours.split('\n').find(isOwn) ?? '';
  const behind = line.slice(line.indexOf(address) + address.length);
  const [found] = /(?:[0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}/i.exec(behind) ?? [];
  const parts = found?.toLowerCase().split(/[:-]/) ?? [];
  const whole = parts.map((part) => part.padStart(2, '0')).join(':');
  return whole === '' || whole === '00:00:00:00:00:00' ? undefined : whole;
}

const output = (command: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: COMMAND_LIMIT_MS, windowsHide: true }, (_error, text) =>
      resolve(text),
    );
  });

const fileText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

async function readTables(system: System): Promise<RoutingTables> {
  const [routes, neighbours] = await Promise.all(
    system === 'linux'
      ? [fileText('/proc/net/route'), fileText('/proc/net/arp')]
      : system === 'darwin'
        ? [output('netstat', '-rn', '-f', 'inet'), output('arp', '-an')]
        : [output('route', 'print', '-4', '0.0.0.0'), output('arp', '-a')],
  );
  return { routes, neighbours };
}

/** Has the system look for a neighbour. */
function poke(address: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (): void => {
      socket.close();
      resolve();
    };
    socket.once('error', end);
    socket.send('', DISCARD_PORT, address, end);
  });
}

const systemOf = (platform: NodeJS.Platform): System =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux';

/**
 * The hardware address of the router in a network; an empty text where the network has none, undefined where it has not
 * answered yet: then it is to be asked again.
 */
export async function gatewayOf(subnet: string): Promise<string | undefined> {
  const system = systemOf(process.platform);
  const { routes, neighbours } = await readTables(system);
  const router = routerIn(subnet, routes, system);
  if (router === undefined) return '';
  const found = hardwareAddressOf(router, neighbours);
  if (found === undefined) await poke(router);
  return found;
}
