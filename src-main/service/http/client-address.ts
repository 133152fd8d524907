/** Who asks, and under which address: what a request says of that counts only where it may (docs/security.md). */
import { BlockList, isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { isPrivateAddress } from '#node/network/private-addresses.ts';
import type { Distance } from '../core/ports/handlers.ts';
import { addressKey } from './limits/rate-limit.ts';

export interface ClientAddressOptions {
  /** Addresses, or networks such as 10.0.0.0/8, from which X-Forwarded-For, -Proto and -Host count. */
  readonly trustedProxies?: readonly string[];
  /** The origin under which everybody reaches the service; null where there is none but its own addresses. */
  readonly publicUrl?: string | null;
  /** As it was asked to listen: an address or a name. */
  readonly host?: string;
}

export interface ClientAddresses {
  /** The address of whoever asks, as `addressKey` gives it. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** Scheme, host and port under which the service is reached, no trailing slash. */
  readonly originOf: (request: FastifyRequest) => string;
  /** As `originOf`, for somebody else: a request of this computer may name the service as nobody else can. */
  readonly sharedOriginOf: (request: FastifyRequest) => string;
  /**
   * Whether it names the service by a loopback name, by an address of this computer, or as it was configured. A page
   * from elsewhere that has its own name point here does not. True without a Host header, which browsers always send.
   */
  readonly isNamed: (request: FastifyRequest) => boolean;
  /** True only for a request from this machine that names it by a loopback host, and that no proxy passed on. */
  readonly isLocal: (request: FastifyRequest) => boolean;
  readonly distanceOf: (request: FastifyRequest) => Distance;
  /** Whether nobody on the way can read it: it is encrypted, or does not leave this computer. */
  readonly isPrivate: (request: FastifyRequest) => boolean;
  /**
   * How the service is reached over TLS: by a connection of its own, or under the public address by a trusted proxy.
   * Undefined where it is not.
   */
  readonly placeOf: (request: FastifyRequest) => TlsTarget | undefined;
  /** Whether any address is a proxy's. */
  readonly hasProxies: boolean;
  readonly isProxy: (address: string | undefined) => boolean;
}

export interface TlsTarget {
  /** Name or address, in lower case, without a port. */
  readonly host: string;
  readonly isDirect: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly clientAddresses: ClientAddresses;
  }
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A host and port in lower case; undefined when it is absent or something else. */
const readHost = (host: string | undefined): string | undefined =>
  host !== undefined && HOST.test(host) ? host.toLowerCase() : undefined;

const hostName = (host: string): string => host.replace(/:\d+$/, '');
const hostPort = (host: string, scheme: string): number =>
  Number(/:(\d+)$/.exec(host)?.[1] ?? (scheme === 'https' ? 443 : 80));

const isEncrypted = ({ raw }: FastifyRequest): boolean => raw.socket instanceof TLSSocket;

const schemeOf = (request: FastifyRequest): 'http' | 'https' =>
  isEncrypted(request) ? 'https' : 'http';

const isLoopbackV4 = (text: string): boolean => /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text);

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || isLoopbackV4(name);

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

const isLoopbackAddress = (address: string | undefined): boolean =>
  address === '127.0.0.1' ||
  address === '::1' ||
  (address !== undefined && isLoopbackV4(withoutMapping(address)));

/** What proxies add to a request, and nobody else. */
const FORWARDING =
  /^(?:forwarded|via|true-client-ip|(?:cf|fly|fastly|tailscale|x-(?:forwarded|original|real|client|cluster|envoy|proxy))-.*)$/;

/** Proxies on this machine connect from it too: they speak an old HTTP, or say for whom they ask. */
const isForwarded = ({ headers, raw }: FastifyRequest): boolean =>
  raw.httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDING.test(name));

/** The parts of a header that each proxy on the way adds to, the nearest one first. */
const added = (header: string | readonly string[] | undefined): readonly string[] =>
  [header ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((part) => part.trim())
    .reverse();

/** Without the port that some proxies add. */
const bareAddress = (text: string): string =>
  withoutMapping(
    text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1'),
  );

/** @throws RangeError for what is no address and no network */
export function readNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const [, address = '', prefix] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) throw new RangeError(`${text} is no address`);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const isOwnAddress = (name: string): boolean =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .some(({ address }) => address.toLowerCase() === name);

const bareName = (written: string): string => written.replace(/^\[|\]$|\.$/g, '');

/** A name of this computer in its network is left out: others there can claim it. */
function isConfigured(host: string, { host: listening, publicUrl }: ClientAddressOptions): boolean {
  const written = hostName(host);
  const name = bareName(written);
  if (isLoopbackName(written) || name === listening?.toLowerCase() || isOwnAddress(name))
    return true;
  return publicUrl !== null && publicUrl !== undefined && host === new URL(publicUrl).host;
}

/** Names of this computer, and its addresses in its networks. */
function isOwnName(name: string): boolean {
  const own = hostname().toLowerCase();
  const [short = ''] = own.split('.', 1);
  return [own, short, `${short}.local`].includes(name) || isOwnAddress(name);
}

function localOrigin(request: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = request.raw.socket;
  const address = withoutMapping(localAddress);
  const host = address.includes(':') ? `[${address}]` : address;
  return `${schemeOf(request)}://${host}:${String(localPort)}`;
}

/**
 * Coming from this machine is not enough: a page from anywhere can make a browser on this machine send requests,
 * and give its own name our address. Such a request carries that name as its host, or that page's origin. One that was
 * sent to a proxy carries the port of that.
 */
function isLocal(request: FastifyRequest): boolean {
  const host = readHost(request.headers.host);
  if (host === undefined || !isLoopbackName(hostName(host))) return false;
  const { remoteAddress, localPort } = request.raw.socket;
  if (!isLoopbackAddress(remoteAddress) || hostPort(host, schemeOf(request)) !== localPort)
    return false;
  if (isForwarded(request)) return false;
  const origin = request.headers.origin;
  return origin === undefined || origin.toLowerCase() === `${schemeOf(request)}://${host}`;
}

function isOurs(written: string, listening: string | undefined): boolean {
  const name = bareName(written);
  return isLoopbackName(written) || name === listening?.toLowerCase() || isOwnName(name);
}

/**
 * It names this computer as nobody else can: a page from elsewhere that has its own name point here does not, and neither
 * does who comes by a tunnel or a router that has an address in the internet and passes on without a word.
 */
function isNear(request: FastifyRequest, listening: string | undefined): boolean {
  const host = readHost(request.headers.host);
  const { remoteAddress = '' } = request.raw.socket;
  if (host === undefined || !isPrivateAddress(withoutMapping(remoteAddress))) return false;
  const name = hostName(host);
  const bare = bareName(name);
  const isNamed = isIP(bare) === 0 ? isOurs(name, listening) : isPrivateAddress(bare);
  return isNamed && !isForwarded(request);
}

function distanceOf(
  request: FastifyRequest,
  origin: string,
  options: ClientAddressOptions,
): Distance {
  const { trustedProxies = [], publicUrl = null, host } = options;
  const { origin: page } = request.headers;
  if (page !== undefined && page.toLowerCase() !== origin) return 'foreign';
  // Whoever comes by a public address may come from anywhere, and a proxy hides from where.
  const isOpen = publicUrl !== null || trustedProxies.length > 0;
  return !isOpen && isNear(request, host) ? 'near' : 'far';
}

function proxyAmong(trusted: readonly string[]): ClientAddresses['isProxy'] {
  const proxies = readNetworks(trusted);
  return (address) => {
    if (trusted.length === 0 || address === undefined) return false;
    const bare = withoutMapping(address);
    return proxies.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
}

export function createClientAddresses(options: ClientAddressOptions): ClientAddresses {
  const { trustedProxies = [], publicUrl = null, host: listening } = options;
  const isProxy = proxyAmong(trustedProxies);

  /** The last one that no trusted proxy has; what stands before it, anybody may have written. */
  function forwardedAddress({ headers, raw }: FastifyRequest): string | undefined {
    let address = raw.socket.remoteAddress;
    if (!isProxy(address)) return address;
    for (const part of added(headers['x-forwarded-for'])) {
      if (!isProxy(address)) break;
      const before = bareAddress(part);
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  }

  function originOf(request: FastifyRequest): string {
    const { headers, raw } = request;
    const host = readHost(headers.host);
    if (!isProxy(raw.socket.remoteAddress)) {
      const isNamed = host !== undefined && isOurs(hostName(host), listening);
      return isNamed ? `${schemeOf(request)}://${host}` : (publicUrl ?? localOrigin(request));
    }
    if (publicUrl !== null) return publicUrl;
    const asked = readHost(added(headers['x-forwarded-host'])[0]);
    const scheme = added(headers['x-forwarded-proto'])[0] === 'https' ? 'https' : 'http';
    return asked === undefined ? localOrigin(request) : `${scheme}://${asked}`;
  }

  return {
    hasProxies: trustedProxies.length > 0,
    isProxy,
    addressOf: (request) => addressKey(forwardedAddress(request)),
    isNamed({ headers, raw }) {
      if (headers.host === undefined) return true;
      const forwarded = isProxy(raw.socket.remoteAddress) ? headers['x-forwarded-host'] : undefined;
      const host = readHost(added(forwarded)[0] ?? headers.host);
      return host !== undefined && isConfigured(host, options);
    },
    originOf,
    sharedOriginOf(request) {
      const origin = originOf(request);
      return publicUrl !== null && isLoopbackName(new URL(origin).hostname) ? publicUrl : origin;
    },
    distanceOf: (request) => distanceOf(request, originOf(request), options),
    isPrivate: (request) =>
      isEncrypted(request) || isLoopbackAddress(request.raw.socket.remoteAddress),
    placeOf(request) {
      if (isProxy(request.raw.socket.remoteAddress)) {
        if (publicUrl?.startsWith('https://') !== true) return undefined;
        return { host: new URL(publicUrl).hostname, isDirect: false };
      }
      const host = readHost(request.headers.host);
      if (host === undefined || !isEncrypted(request)) return undefined;
      return { host: hostName(host), isDirect: true };
    },
    // Where there is a proxy it may stand on this computer, and hide that it passes something on.
    isLocal: (request) => publicUrl === null && trustedProxies.length === 0 && isLocal(request),
  };
}
