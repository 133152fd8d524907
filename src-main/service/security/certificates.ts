/**
 * The certificates of an office: one authority, made by its key, and leaves that the authority signs for a while. Written by
 * hand, because Node reads certificates and makes none (RFC 5280).
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import type { ServerIdentity } from '#node/tls/server-identity.ts';
import { isPrivateAddress, privateRanges } from '#node/network/private-addresses.ts';
import { der } from './der.ts';

/** What a leaf is for, beside its own computer. */
export interface LeafNames {
  /** This computer's, in lower case. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

export interface Leaf {
  /** PEM. */
  readonly key: string;
  /** PEM: the leaf, then its authority. */
  readonly chain: string;
  readonly endsAtMs: number;
}

const DAY_MS = 86_400_000;
/** Clocks are wrong: a computer whose battery died lives in the past. */
const DATED_BACK_MS = 365 * DAY_MS;
const LEAF_MS = 60 * DAY_MS;
const AUTHORITY_BEGINS_MS = Date.UTC(2020, 0, 1);
/** "No well-defined expiration date" (RFC 5280, 4.1.2.5). */
const AUTHORITY_ENDS_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split('.'), Number);
  const [bare = ''] = address.split('%', 1);
  const [head = '', tail] = bare.split('::');
  const groups = (part = ''): readonly number[] =>
    part === '' ? [] : part.split(':').flatMap(groupOf);
  const [before, after] = [groups(head), groups(tail)];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Uint8Array.from(
    [...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 255]),
  );
}

/** The last part of an address may be written as one of the other kind: `::ffff:10.0.0.1`. */
function groupOf(part: string): readonly number[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

const maskBytes = (length: number, bits: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => {
    const set = Math.min(8, Math.max(0, bits - 8 * index));
    return (0xff << (8 - set)) & 0xff;
  });

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

const nameOf = (commonName: string): Uint8Array =>
  der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8(commonName))));

const extension = (id: string, isCritical: boolean, content: Uint8Array): Uint8Array =>
  der.sequence(
    der.objectIdentifier(`2.5.29.${id}`),
    ...(isCritical ? [der.yes()] : []),
    der.octets(content),
  );

const keyIdOf = (publicKey: Uint8Array): Uint8Array =>
  createHash('sha256').update(publicKey).digest().subarray(0, 20);

interface UnsignedCertificate {
  readonly serial: Uint8Array;
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  readonly fromMs: number;
  readonly toMs: number;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

function certificate(unsigned: UnsignedCertificate, by: KeyObject): string {
  const { serial, subject, issuer, fromMs, toMs, publicKey, extensions } = unsigned;
  const content = der.sequence(
    der.tagged(0, der.integer(2)),
    der.integer(...serial),
    ECDSA_WITH_SHA256,
    issuer,
    der.sequence(der.time(fromMs), der.time(toMs)),
    subject,
    publicKey,
    der.tagged(3, der.sequence(...extensions)),
  );
  const whole = der.sequence(content, ECDSA_WITH_SHA256, der.bits(sign('sha256', content, by)));
  const lines =
    Buffer.from(whole)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Positive, and not zero. */
function serialFrom(bytes: Uint8Array): Uint8Array {
  const serial = Uint8Array.from(bytes.subarray(0, 16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const authorityName = ({ fingerprint }: ServerIdentity): Uint8Array =>
  nameOf(`Hearth office ${fingerprint.slice(0, 20)}`);

/**
 * The certificate of the office's authority, PEM: of the same name and key whenever it is made, so that whoever has an older
 * copy goes on. It may speak for private networks, `.local` and this computer's names, and has nothing to say outside of them.
 */
export function makeAuthority(office: ServerIdentity, names: readonly string[]): string {
  const name = authorityName(office);
  const subtree = (n: number, content: Uint8Array): Uint8Array =>
    der.sequence(der.implicit(n, content));
  const permitted = [...new Set(['local', 'localhost', ...names])].map((dnsName) =>
    subtree(2, der.text(dnsName)),
  );
  const ranges = privateRanges.map(([address, bits]) => {
    const bytes = addressBytes(address);
    return subtree(7, Buffer.concat([bytes, maskBytes(bytes.length, bits)]));
  });
  return certificate(
    {
      serial: serialFrom(keyIdOf(office.publicKey)),
      subject: name,
      issuer: name,
      fromMs: AUTHORITY_BEGINS_MS,
      toMs: AUTHORITY_ENDS_MS,
      publicKey: office.publicKey,
      extensions: [
        extension('19', true, der.sequence(der.yes(), der.integer(0))),
        // keyCertSign and cRLSign.
        extension('15', true, der.bits(Uint8Array.of(0x06), 1)),
        extension('14', false, der.octets(keyIdOf(office.publicKey))),
        extension('30', true, der.sequence(der.tagged(0, ...permitted, ...ranges))),
      ],
    },
    office.privateKey,
  );
}

/** A certificate with a new key of its own; names and addresses beyond what the authority may speak for are left out. */
export function makeLeaf(
  office: ServerIdentity,
  { names, addresses }: LeafNames,
  nowMs: number,
): Leaf {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const endsAtMs = nowMs + LEAF_MS;
  const alternatives = [...new Set(['localhost', ...names])].map((name) =>
    der.implicit(2, der.text(name)),
  );
  const reachable = [...new Set(['127.0.0.1', '::1', ...addresses.filter(isPrivateAddress)])].map(
    (address) => der.implicit(7, addressBytes(address)),
  );
  const leaf = certificate(
    {
      serial: serialFrom(randomBytes(16)),
      subject: nameOf('Hearth'),
      issuer: authorityName(office),
      fromMs: nowMs - DATED_BACK_MS,
      toMs: endsAtMs,
      publicKey: spki,
      extensions: [
        extension('19', true, der.sequence()),
        // digitalSignature.
        extension('15', true, der.bits(Uint8Array.of(0x80), 7)),
        extension('37', false, der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
        extension('17', false, der.sequence(...alternatives, ...reachable)),
        extension('14', false, der.octets(keyIdOf(spki))),
        extension('35', false, der.sequence(der.implicit(0, keyIdOf(office.publicKey)))),
      ],
    },
    office.privateKey,
  );
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, chain: leaf + makeAuthority(office, names), endsAtMs };
}

/** The public key in a certificate, PEM or DER. @throws where it is none */
export const publicKeyOf = (pem: string): Uint8Array =>
  createPublicKey(pem).export({ type: 'spki', format: 'der' });
