/** TLS to an office that is known by its key: what the system trusts comes second. */
import { randomBytes, type X509Certificate } from 'node:crypto';
import { Agent, type AgentOptions, request } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect, TLSSocket } from 'node:tls';
import { z } from 'zod';
import { isSignedBy, fingerprintOf, proofBytes } from './server-identity.ts';

/** Whoever answers there is not the office that is known: nothing was said to them. */
export class WrongServerError extends Error {
  override readonly name = 'OtherOfficeError';
  readonly code = 'OTHER_OFFICE';

  constructor() {
    super('somebody else answers there');
  }
}

export const HANDSHAKE_LIMIT_MS = 10_000;
const MAX_PROOF_BYTES = 4096;
/** After so long without a word the other side is asked whether it is there: a computer whose address has gone says no goodbye. */
const QUIET_MS = 5_000;

const fingerprintOfCertificate = (certificate: X509Certificate): string =>
  fingerprintOf(certificate.publicKey.export({ type: 'spki', format: 'der' }));

interface Peer {
  readonly leaf: X509Certificate;
  readonly leafFingerprint: string;
  /** The authority's that signed the leaf, where it was sent along; nobody has to trust it. */
  readonly authorityFingerprint: string | null;
  /** Its certificate, PEM. */
  readonly authority: string;
  /** Whether this system trusts the certificate for this name. */
  readonly isTrusted: boolean;
}

/** To be asked once, when the connection is secure: Node gives the certificate out once. */
export function peerOf(socket: TLSSocket): Peer | undefined {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return undefined;
  const authority = leaf.issuerCertificate;
  const isSigned = authority !== undefined && leaf.verify(authority.publicKey);
  return {
    leaf,
    leafFingerprint: fingerprintOfCertificate(leaf),
    authorityFingerprint: isSigned ? fingerprintOfCertificate(authority) : null,
    authority: isSigned ? authority.toString() : '',
    isTrusted: socket.authorized,
  };
}

const Answer = z.object({
  nonce: z.string(),
  host: z.string(),
  epoch: z.int().min(0),
  leaf: z.string(),
  office_key: z.base64url(),
  signature: z.base64url(),
});

export interface Target {
  readonly host: string;
  readonly port: number;
}

export const targetOf = (origin: string): Target => {
  const { protocol, hostname, port } = new URL(origin);
  const usual = protocol === 'http:' ? 80 : 443;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) };
};

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The certificate of a connection that the system trusts, and what was answered over that connection. */
function askForProof(
  { host, port }: Target,
  nonce: string,
): Promise<{ readonly leafPin: string; readonly text: string }> {
  return new Promise((resolve, reject) => {
    let leafPin = '';
    const asking = request(
      `https://${inUrl(host)}:${String(port)}/api/v1/office?nonce=${nonce}`,
      // An agent of its own: nothing is resumed, and the certificate is seen.
      { agent: new Agent({ maxCachedSessions: 0 }), timeout: HANDSHAKE_LIMIT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > MAX_PROOF_BYTES) response.destroy(new Error('too long'));
        });
        response.on('end', () => resolve({ leafPin, text }));
        response.on('error', reject);
      },
    );
    asking.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        if (socket instanceof TLSSocket) leafPin = peerOf(socket)?.leafFingerprint ?? '';
      });
    });
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', reject);
    asking.end();
  });
}

/** Who proves to be at an address under a certificate that the system trusts, and the leaf for which that is so. */
export async function provenPeerAt(
  target: Target,
): Promise<{ readonly pin: string; readonly leafPin: string } | undefined> {
  const nonce = randomBytes(32).toString('base64url');
  try {
    const { leafPin, text } = await askForProof(target, nonce);
    const proof = Answer.parse(JSON.parse(text));
    const publicKey = Buffer.from(proof.office_key, 'base64url');
    const signature = Buffer.from(proof.signature, 'base64url');
    const isOurs =
      proof.nonce === nonce &&
      proof.host === inUrl(target.host) &&
      (proof.leaf === leafPin || proof.leaf === '');
    return isOurs && isSignedBy(publicKey, 'proof', proofBytes(proof), signature)
      ? { pin: fingerprintOf(publicKey), leafPin }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Connections to one office alone: each is checked before a byte of a request goes over it. */
class PinnedAgent extends Agent {
  readonly #pin: string;
  /** Certificates that systems trust and for which the office has proven that they are its own. */
  readonly #proven = new Set<string>();

  constructor(pin: string) {
    super({ keepAlive: true, maxCachedSessions: 0 });
    this.#pin = pin;
  }

  override createConnection(
    options: AgentOptions & { readonly host?: string; readonly port?: number },
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = tlsConnect({ ...options, rejectUnauthorized: false });
    let isHanded = false;
    const hand = (error: Error | null): void => {
      if (isHanded) return;
      isHanded = true;
      socket.setTimeout(0);
      if (error !== null) socket.destroy();
      callback?.(error, socket);
    };
    socket.once('error', hand);
    socket.once('close', () => hand(new Error('the connection ended')));
    socket.setTimeout(HANDSHAKE_LIMIT_MS, () => hand(new Error('no answer in time')));
    socket.setKeepAlive(true, QUIET_MS);
    socket.once('secureConnect', () => {
      const { host = '', port = 443 } = options;
      void this.#isOffice(peerOf(socket), { host, port }).then((isOffice) =>
        hand(isOffice ? null : new WrongServerError()),
      );
    });
    return undefined;
  }

  async #isOffice(peer: Peer | undefined, target: Target): Promise<boolean> {
    if (peer?.authorityFingerprint === this.#pin) return true;
    if (peer?.isTrusted !== true) return false;
    if (this.#proven.has(peer.leafFingerprint)) return true;
    const proven = await provenPeerAt(target);
    if (proven?.pin !== this.#pin || proven.leafPin !== peer.leafFingerprint) return false;
    this.#proven.add(peer.leafFingerprint);
    return true;
  }
}

/**
 * The certificate of the authority that has this fingerprint, PEM, from whoever answers there. Undefined where nobody does, and where
 * the certificate is of another authority: then systems trust it, or it is somebody else.
 */
export function authorityAt(origin: string, pin: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const { host, port } = targetOf(origin);
  // Addresses are not sent as names (RFC 6066, section 3).
  const servername = isIP(host) === 0 ? host : '';
  const socket = tlsConnect({ host, port, rejectUnauthorized: false, servername });
  const end = (found?: string): void => {
    socket.destroy();
    resolve(found);
  };
  socket.setTimeout(HANDSHAKE_LIMIT_MS, () => end());
  socket.once('error', () => end());
  socket.once('secureConnect', () => {
    const peer = peerOf(socket);
    end(peer?.authorityFingerprint === pin ? peer.authority : undefined);
  });
  return promise;
}

/** An agent whose connections end at the office of this fingerprint, or nowhere. A request over another one fails with WrongServerError. */
export const createPinnedAgent = (pin: string): Agent => new PinnedAgent(pin);
