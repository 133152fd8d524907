/** At which addresses of this computer others reach a service. */
import { isIP } from 'node:net';
import { isLoopback } from '#node/network/own-addresses.ts';
import { isPrivateAddress } from '#node/network/private-addresses.ts';
import {
  inLink,
  type OwnAddresses,
  ownAddresses,
  withoutBrackets,
} from '#node/network/own-addresses.ts';

interface ListeningServer<Closed> {
  readonly origin: string;
  /** Listens at these too, and answers those that cannot be had. */
  readonly listenOn: (wanted: readonly string[]) => Promise<readonly Closed[]>;
}

/** Beyond its own address, those of this computer at which it listens now. */
export function trackListeners<Closed extends { readonly address: string }>({
  origin,
  listenOn,
}: ListeningServer<Closed>): Pick<ListeningServer<Closed>, 'listenOn'> & {
  readonly addresses: () => readonly string[];
} {
  const { port } = new URL(origin);
  let open: readonly string[] = [];
  return {
    listenOn: async (wanted) => {
      const closed = await listenOn(wanted);
      open = wanted.filter((address) => closed.every((each) => each.address !== address));
      return closed;
    },
    addresses: () => {
      const names = ownAddresses().names.filter((name) => name.endsWith('.local'));
      const places = open.length === 0 ? [] : [...open, ...names];
      return places.map((each) => `https://${inLink(each)}:${port}`);
    },
  };
}

export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** A certificate is for whatever this computer is called, and for what it was told to listen on. */
export function certificateNamesFor(host: string): OwnAddresses {
  const { names, addresses } = ownAddresses();
  if (isEverywhere(host) || isLoopback(host)) return { names, addresses };
  return isIP(host) === 0
    ? { names: [...names, host.toLowerCase()], addresses }
    : { names, addresses: [...addresses, host] };
}

/** Whether the certificate that a service makes for itself is good for an origin: it says nothing of public addresses. */
export function isInOwnCertificate(origin: string, host: string): boolean {
  const name = withoutBrackets(new URL(origin).hostname);
  return isPrivateAddress(name) || ['localhost', ...certificateNamesFor(host).names].includes(name);
}

/** Origins by which others reach what was told to listen there, those that mean something to everybody first. */
export function reachableOrigins(
  { host, publicUrl = null }: { readonly host: string; readonly publicUrl?: string | null },
  origin: string,
): readonly string[] {
  const given = publicUrl === null ? [] : [publicUrl];
  if (isLoopback(host)) return given;
  if (!isEverywhere(host)) return [...given, origin];
  const { protocol, port } = new URL(origin);
  const { names, addresses } = ownAddresses();
  const found = [...addresses.filter((each) => host === '::' || isIP(each) === 4), ...names];
  return [...given, ...found.map((each) => `${protocol}//${inLink(each)}:${port}`)];
}
