/** The certificate that a service shows now: its own leaf, made anew in time, or one that somebody else made. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { type ServerIdentity, fingerprintOf } from '#node/tls/server-identity.ts';
import type { OwnAddresses } from '#node/network/own-addresses.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { serviceWords } from '#shared/i18n/service-words.ts';
import { type Leaf, makeLeaf, publicKeyOf } from './certificates.ts';

/** PEM files: the certificate with those that lead to its authority, and its private key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The files cannot be used. */
export class CertificateError extends ExplainedError {
  override readonly name = 'CertificateError';
}

interface CurrentCertificate {
  readonly context: SecureContextOptions;
  /** The fingerprint of the key in the certificate, as `fingerprintOf` gives it. */
  readonly leafFingerprint: string;
}

export interface ServerCertificate {
  readonly current: () => SecureContextOptions;
  readonly leafFingerprint: () => string;
  readonly onChange: (listener: (next: SecureContextOptions) => void) => void;
  /** Looks at once at what it otherwise looks at every few seconds. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

interface CertificateParts {
  readonly identity: ServerIdentity;
  readonly addresses: () => OwnAddresses;
  /** Null for the office's own leaf. */
  readonly files: CertificateFiles | null;
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_MS = 10_000;
/** How long before its end a leaf is renewed: nobody waits for the last day. */
const SPARE_MS = 30 * 86_400_000;

/** Asked until it answers another state than before. */
interface CertificateSource {
  /** Changes with what `make` would give. */
  readonly state: () => string;
  readonly make: () => CurrentCertificate;
}

function generatedSource({ identity, addresses, clock }: CertificateParts): CertificateSource {
  let leaf: Leaf | undefined;
  const isEnding = (): boolean => leaf !== undefined && clock.now() > leaf.endsAtMs - SPARE_MS;
  let made = 0;
  return {
    state: () => {
      if (isEnding()) {
        leaf = undefined;
        made += 1;
      }
      return JSON.stringify([made, addresses()]);
    },
    make: () => {
      leaf = makeLeaf(identity, addresses(), clock.now());
      const context = { key: leaf.key, cert: leaf.chain };
      return { context, leafFingerprint: fingerprintOf(publicKeyOf(leaf.chain)) };
    },
  };
}

const stateOf = (file: string): string => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined
    ? ''
    : `${String(found.ino)} ${String(found.mtimeMs)} ${String(found.size)}`;
};

function fileSource({ certFile, keyFile }: CertificateFiles): CertificateSource {
  return {
    state: () => `${stateOf(certFile)} ${stateOf(keyFile)}`,
    make: () => {
      try {
        const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
        if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
          throw new Error('the key belongs to another certificate');
        }
        return { context: { cert, key }, leafFingerprint: fingerprintOf(publicKeyOf(cert)) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CertificateError(
          serviceWords('certificate_unusable', { certificate: certFile, key: keyFile, reason }),
          { cause: error },
        );
      }
    },
  };
}

/** @throws CertificateError where there are files that cannot be used; later the certificate of before stays instead */
export function createServerCertificate(parts: CertificateParts): ServerCertificate {
  const { clock, log, files } = parts;
  const source = files === null ? generatedSource(parts) : fileSource(files);
  const listeners = new Set<(next: SecureContextOptions) => void>();
  let state = source.state();
  let shown = source.make();

  const refresh = (): void => {
    const now = source.state();
    if (now === state) return;
    state = now;
    try {
      shown = source.make();
    } catch (error) {
      // Half of it may be written yet: the next look finds the other half.
      log.warn('the new certificate cannot be used, the old one stays', { error });
      return;
    }
    for (const listener of listeners) listener(shown.context);
  };

  let cancel = (): void => undefined;
  const look = (): void => {
    cancel = clock.setTimer(() => {
      refresh();
      look();
    }, LOOK_MS);
  };
  look();

  return {
    current: () => shown.context,
    leafFingerprint: () => shown.leafFingerprint,
    onChange: (listener) => void listeners.add(listener),
    refresh,
    stop: () => cancel(),
  };
}
