/** Whom an address belongs to: what is known of an office comes before what anybody there says. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { ClientPorts, Clock, Http, HttpFetchFile, ServerIdentityPort } from '../ports.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

type Network = Pick<ClientPorts, 'http' | 'fetchFile'>;

/** A network in which an office of this fingerprint answers, or nobody; a request that names another one is for that. */
export const pinnedHttp = (http: Http, fingerprint: string): Http => {
  return (request) => http({ fingerprint, ...request });
};

export const pinnedFetch = (fetchFile: HttpFetchFile, fingerprint: string): HttpFetchFile => {
  return (request) => fetchFile({ ...request, fingerprint });
};

export const pinnedNetwork = ({ http, fetchFile }: Network, pin: string): Network => ({
  http: pinnedHttp(http, pin),
  fetchFile: pinnedFetch(fetchFile, pin),
});

/** What a person has to go on, and what is known of the address. */
export interface TrustContext {
  /** Absent in a browser, which decides for itself. */
  readonly serverIdentity?: ServerIdentityPort;
  readonly clock: Clock;
  /** The fingerprint of the office that an account at this address belongs to. */
  readonly knownFingerprint: string | undefined;
  /** Whether the office of this fingerprint is known to be in other hands. */
  readonly isRevoked?: ((pin: string) => boolean) | undefined;
  /** The safety words that the person chose. */
  readonly words: string | undefined;
}

const ROWS = 3;

/** Somebody waits in front of the form. */
const IDENTIFY_LIMIT_MS = 10_000;

/** The right words among others, in an order that says nothing. */
function rowsWith(
  right: string,
  { serverIdentity, clock }: TrustContext & { readonly serverIdentity: ServerIdentityPort },
) {
  const rows = Array.from({ length: ROWS - 1 }, () => serverIdentity.decoyWords());
  rows.splice(Math.floor(clock.random() * ROWS), 0, right);
  return rows;
}

async function askedByWords(
  trust: TrustContext & { readonly serverIdentity: ServerIdentityPort },
  address: string,
  pin: string,
): Promise<Outcome<string>> {
  const right = await trust.serverIdentity.wordsOf(pin);
  if (trust.words === right) return success(pin);
  if (trust.words === undefined) {
    const told = clientWords('safety_words_needed', { address });
    const words = rowsWith(right, trust);
    return { ok: false, failure: { code: 'WORDS_NEEDED', ...told, words } };
  }
  return failure('WRONG_WORDS', clientWords('safety_words_wrong', { address }), 'address');
}

const inOtherHands = (address: string): Outcome<never> =>
  failure('OTHER_OFFICE', clientWords('server_stolen', { address }), 'address');

/**
 * The fingerprint by which the office at an address is to be reached, in this order: the one that is remembered; the one that is
 * proven under a certificate which the system trusts; the one whose safety words a person chose. Null where nothing but
 * the system's trust is to be had. WORDS_NEEDED carries rows of words, one of them right.
 */
export async function fingerprintFor(
  trust: TrustContext,
  address: string,
): Promise<Outcome<string | null>> {
  const { serverIdentity, knownFingerprint, clock } = trust;
  if (knownFingerprint !== undefined) {
    return trust.isRevoked?.(knownFingerprint) === true
      ? inOtherHands(address)
      : success(knownFingerprint);
  }
  if (serverIdentity === undefined || !address.startsWith('https:')) return success(null);
  const settled = new AbortController();
  const late = new AbortController();
  void clock.wait(IDENTIFY_LIMIT_MS, settled.signal).then(() => late.abort());
  const found = await serverIdentity.identify(address, late.signal);
  settled.abort();
  if (found === null) {
    return failure('UNREACHABLE', clientWords('nothing_answers', { address }), 'address');
  }
  if (found.fingerprint !== null && trust.isRevoked?.(found.fingerprint) === true)
    return inOtherHands(address);
  if (found.isTrusted) return success(found.fingerprint);
  if (found.fingerprint !== null)
    return askedByWords({ ...trust, serverIdentity }, address, found.fingerprint);
  return failure('NOT_TRUSTED', clientWords('certificate_not_trusted', { address }), 'address');
}
