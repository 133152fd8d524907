/** Whom an address belongs to: what is known of an office comes before what anybody there says. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { ClientPorts, Clock, Http, HttpFetchFile, OfficesPort } from '../ports.ts';

type Network = Pick<ClientPorts, 'http' | 'fetchFile'>;

/** A network in which an office of this pin answers, or nobody; a request that names another one is for that. */
export const pinnedHttp = (http: Http, pin: string): Http => {
  return (request) => http({ pin, ...request });
};

export const pinnedFetch = (fetchFile: HttpFetchFile, pin: string): HttpFetchFile => {
  return (request) => fetchFile({ ...request, pin });
};

export const pinnedNetwork = ({ http, fetchFile }: Network, pin: string): Network => ({
  http: pinnedHttp(http, pin),
  fetchFile: pinnedFetch(fetchFile, pin),
});

/** What a person has to go on, and what is known of the address. */
export interface Trust {
  /** Absent in a browser, which decides for itself. */
  readonly offices?: OfficesPort;
  readonly clock: Clock;
  /** The pin of the office that an account at this address belongs to. */
  readonly knownPin: string | undefined;
  /** Whether the office of this pin is known to be in other hands. */
  readonly isRevoked?: ((pin: string) => boolean) | undefined;
  /** The safety words that the person chose. */
  readonly words: string | undefined;
}

const ROWS = 3;

/** Somebody waits in front of the form. */
const IDENTIFY_LIMIT_MS = 10_000;

/** The right words among others, in an order that says nothing. */
function rowsWith(right: string, { offices, clock }: Trust & { readonly offices: OfficesPort }) {
  const rows = Array.from({ length: ROWS - 1 }, () => offices.otherWords());
  rows.splice(Math.floor(clock.random() * ROWS), 0, right);
  return rows;
}

async function askedByWords(
  trust: Trust & { readonly offices: OfficesPort },
  address: string,
  pin: string,
): Promise<Outcome<string>> {
  const right = await trust.offices.wordsOf(pin);
  if (trust.words === right) return success(pin);
  if (trust.words === undefined) {
    const sentence = `Compare the safety words of ${address} with those of whoever invited you.`;
    const rows = rowsWith(right, trust);
    return { ok: false, failure: { code: 'WORDS_NEEDED', message: sentence, words: rows } };
  }
  const sentence = `These are not the safety words of the computer that answers at ${address}: it may not be your organization's. Nothing was sent to it. Ask whoever invited you for the address and the words.`;
  return failure('WRONG_WORDS', sentence, 'address');
}

const inOtherHands = (address: string): Outcome<never> =>
  failure(
    'OTHER_OFFICE',
    `The computer at ${address} has the key that your organization had before its computer was stolen. Nothing was sent to it. Ask an administrator for the address of today.`,
    'address',
  );

/**
 * The pin by which the office at an address is to be reached, in this order: the one that is remembered; the one that is
 * proven under a certificate which the system trusts; the one whose safety words a person chose. Null where nothing but
 * the system's trust is to be had. WORDS_NEEDED carries rows of words, one of them right.
 */
export async function pinFor(trust: Trust, address: string): Promise<Outcome<string | null>> {
  const { offices, knownPin, clock } = trust;
  if (knownPin !== undefined) {
    return trust.isRevoked?.(knownPin) === true ? inOtherHands(address) : success(knownPin);
  }
  if (offices === undefined || !address.startsWith('https:')) return success(null);
  const settled = new AbortController();
  const late = new AbortController();
  void clock.wait(IDENTIFY_LIMIT_MS, settled.signal).then(() => late.abort());
  const found = await offices.identify(address, late.signal);
  settled.abort();
  if (found === null) {
    const sentence = `Nothing answers at ${address}. Check the address, and that the service runs.`;
    return failure('UNREACHABLE', sentence, 'address');
  }
  if (found.pin !== null && trust.isRevoked?.(found.pin) === true) return inOtherHands(address);
  if (found.isTrusted) return success(found.pin);
  if (found.pin !== null) return askedByWords({ ...trust, offices }, address, found.pin);
  const sentence = `What answers at ${address} has a certificate that nobody vouches for, and is no Hearth service. Nothing was sent to it. Check the address.`;
  return failure('NOT_TRUSTED', sentence, 'address');
}
