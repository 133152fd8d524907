/** Who answers at an address, before anything is said to them. */
import { randomBytes } from 'node:crypto';
import { connect as tlsConnect } from 'node:tls';
import type { IdentifiedServer, ServerIdentityPort } from '#client/ports.ts';
import {
  HANDSHAKE_LIMIT_MS,
  peerOf,
  provenPeerAt,
  type Target,
  targetOf,
} from '#node/tls/pinned-tls.ts';
import { isValidNextKeyNotice } from '#node/tls/server-identity.ts';
import { safetyWords, WORD_BYTES, decoyWords } from '#node/tls/fingerprint-words.ts';

/** Addresses are not sent as names (RFC 6066, section 3). */
const nameOf = ({ host }: Target): string => (/^[\d.]+$|:/.test(host) ? '' : host);

/** Looks who is at an address, and says nothing to them but hello. Null where nobody answers with TLS. */
function identifyOffice(origin: string, signal: AbortSignal): Promise<IdentifiedServer | null> {
  const target = targetOf(origin);
  return new Promise((resolve) => {
    const socket = tlsConnect({ ...target, rejectUnauthorized: false, servername: nameOf(target) });
    const end = (found: IdentifiedServer | null): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(found);
    };
    const giveUp = (): void => end(null);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    socket.setTimeout(HANDSHAKE_LIMIT_MS, giveUp);
    socket.once('error', giveUp);
    socket.once('secureConnect', () => {
      const peer = peerOf(socket);
      if (peer === undefined) giveUp();
      else if (!peer.isTrusted) end({ isTrusted: false, fingerprint: peer.authorityFingerprint });
      else
        void provenPeerAt(target).then((proven) =>
          end({ isTrusted: true, fingerprint: proven?.pin ?? null }),
        );
    });
  });
}

export const desktopServerIdentity: ServerIdentityPort = {
  isValidNextKeyNotice,
  identify: identifyOffice,
  wordsOf: safetyWords,
  decoyWords: () => decoyWords(randomBytes(WORD_BYTES)),
};
