/** Addresses of services as people type them. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where a service listens unless it is told otherwise. */
const USUAL_PORT = '9981';

const isAddress = /^(?:[\d.]+|\[.*\])$/;

/**
 * The origins that may be meant, most likely first. Without a scheme a service on another machine is asked
 * by https only: a password goes unencrypted over a network only where `http://` was typed. Without a port a computer of
 * the office is looked for at the usual one first, and by the name that it has in its own network, too.
 */
export function originsFor(typed: string): Outcome<readonly string[]> {
  const text = bracketed(typed.trim());
  const isExplicit = hasScheme.test(text);
  const url = parse(isExplicit ? text : `https://${text}`);
  if (url === undefined) {
    return failure('BAD_REQUEST', clientWords('address_missing'), 'address');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return failure('BAD_REQUEST', clientWords('address_of_other_scheme'), 'address');
  }
  if (isExplicit) return success([url.origin]);
  // Parsed again, because a port that is https's own would have been dropped.
  const plain = parse(`http://${text}`)?.origin;
  const isHere = plain !== undefined && loopback.test(url.hostname);
  const hasPort = /:\d+(?:[/?#]|$)/.test(text);
  if (!isHere) return success(hasPort ? [url.origin] : guesses(url.hostname));
  return success([...(hasPort ? [] : [`${plain}:${USUAL_PORT}`]), plain, url.origin]);
}

/** An address of the newer kind, as it is shown by systems. */
const bracketed = (text: string): string =>
  /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f.]*$/i.test(text) ? `[${text}]` : text;

function guesses(host: string): readonly string[] {
  const at = (name: string): readonly string[] => [
    `https://${name}:${USUAL_PORT}`,
    `https://${name}`,
  ];
  if (isAddress.test(host) || host.endsWith('.local')) return at(host);
  if (!host.includes('.')) return [...at(host), ...at(`${host}.local`)];
  return at(host).toReversed();
}

function parse(text: string): URL | undefined {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // A name and a password in an address would be shown wherever the address is.
  return url.hostname === '' || url.username !== '' || url.password !== '' ? undefined : url;
}
