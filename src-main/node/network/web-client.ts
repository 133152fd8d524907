/** Requests to addresses that people enter: only to public ones, unless the operator allows others. */
import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type * as http from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import type * as https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import ipaddr from 'ipaddr.js';
import { commandName, shellWord } from '../own-command.ts';
import { inLink, withoutBrackets } from './own-addresses.ts';
import { type InternalAccess, isAllowable, portOf } from './allowed-targets.ts';

interface WebRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Limits the answer's body. */
  readonly maxBytes: number;
  /** Aborts when nobody wants the answer any more. */
  readonly signal: AbortSignal;
}

type WebAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** Asking again would change nothing. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface WebClient {
  /** Redirects are answered, not followed. Never rejects. */
  readonly post: (url: string, request: WebRequest) => Promise<WebAnswer>;
}

/** The one block of IPv6 from which addresses of the internet are given away. */
const global6 = ipaddr.parseCIDR('2000::/3');

/** @param address  an IPv4 or IPv6 address without brackets */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const read = ipaddr.parse(address);
  return read.range() === 'unicast' && (read.kind() === 'ipv4' || read.match(global6));
}

/** A network with addresses of the public internet: with IPv6 every host of an office has one. */
const LAN_BITS = 64;

/**
 * Whether an address is one of this computer's own, or of a host beside it.
 * @param interfaces  of this computer, as they are now
 */
export function isOnLocalNetwork(
  address: string,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): boolean {
  const near = new BlockList();
  for (const own of Object.values(interfaces).flatMap((each) => each ?? [])) {
    if (own.family === 'IPv4') near.addAddress(own.address, 'ipv4');
    else near.addSubnet(own.address, ownBits(own), 'ipv6');
  }
  return near.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const ownBits = ({ cidr }: NetworkInterfaceInfo): number =>
  Math.min(Number(cidr?.split('/')[1] ?? LAN_BITS), LAN_BITS);

const isAllowedByDefault = (address: string): boolean =>
  isPublicAddress(address) && !isOnLocalNetwork(address, networkInterfaces());

class NotPublicError extends Error {}

interface TargetCheck {
  readonly isAllowed: (address: string) => boolean;
  /** Of these, none of which is allowed: says by what they are, where that may be. */
  readonly refusal: (addresses: readonly string[]) => NotPublicError;
}

/** By the address that is connected to, whatever name led there. */
function checkOf(
  { targets, servicePorts }: InternalAccess,
  host: string,
  port: number,
): TargetCheck {
  const mayBe = (address: string): boolean => isAllowable({ address, port }, servicePorts());
  return {
    isAllowed: (address) =>
      isAllowedByDefault(address) ||
      (mayBe(address) &&
        targets().some((each) => each.port === port && each.covers(host, address))),
    refusal(addresses) {
      const why = `${host} is not an address on the public internet`;
      if (!addresses.some(mayBe)) return new NotPublicError(why);
      const command = `${commandName} webhook-targets ${shellWord(`${inLink(host)}:${String(port)}`)}`;
      return new NotPublicError(
        `${why}. An administrator can allow it on the computer of the service, with the command ${command} or under Settings, Office`,
      );
    },
  };
}

/** Resolves and checks in one step, so that what is connected to is what was checked. */
const checkedLookup =
  ({ isAllowed, refusal }: TargetCheck): LookupFunction =>
  (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const first = allowed[0];
      if (first === undefined) callback(refusal(addresses.map((each) => each.address)), '', 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

class AnswerTooLongError extends Error {}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maxBytes)
      throw new AnswerTooLongError(`answered with more than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Loaded when somebody is asked: a module that imports `node:http` gets all of `fetch` with it, which takes a start 30 ms. */
const protocolOf = (url: URL): Promise<typeof http | typeof https> =>
  url.protocol === 'https:' ? import('node:https') : import('node:http');

async function send(url: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const { request } = await protocolOf(url);
  return new Promise((resolve, reject) => {
    const sending = request(url, options, resolve);
    sending.on('error', reject);
    sending.end(body);
  });
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message;

function failureOf(error: unknown, timeout: AbortSignal, timeoutMs: number): WebAnswer {
  if (error instanceof NotPublicError || error instanceof AnswerTooLongError) {
    return { kind: 'refused', reason: error.message };
  }
  if (timeout.aborted) return { kind: 'failed', reason: `no answer within ${timeoutMs / 1000} s` };
  return { kind: 'failed', reason: error instanceof Error ? codeOf(error) : String(error) };
}

const nothingInside: InternalAccess = { targets: () => [], servicePorts: () => [] };

export function createWebClient({
  allowPrivateAddresses,
  inside = nothingInside,
}: {
  readonly allowPrivateAddresses: boolean;
  readonly inside?: InternalAccess;
}): WebClient {
  function lookupFor(url: URL): Pick<RequestOptions, 'lookup'> {
    if (allowPrivateAddresses) return {};
    const host = withoutBrackets(url.hostname);
    const check = checkOf(inside, host, portOf(url));
    // A host that is an address is never looked up.
    if (isIP(host) !== 0 && !check.isAllowed(host)) throw check.refusal([host]);
    return { lookup: checkedLookup(check) };
  }

  return {
    async post(address, { headers, body, timeoutMs, maxBytes, signal }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(address);
        const lookup = lookupFor(url);
        const options: RequestOptions = {
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.any([signal, timeout]),
          // A connection of its own each time: a kept one would not be checked again.
          agent: false,
          ...lookup,
        };
        const answer = await send(url, options, body);
        return {
          kind: 'answered',
          status: answer.statusCode ?? 0,
          body: await readBody(answer, maxBytes),
        };
      } catch (error) {
        return failureOf(error, timeout, timeoutMs);
      }
    },
  };
}
