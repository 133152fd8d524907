/** Addresses of services as people type them. */
import type { Outcome } from '../contract/outcome.ts';
import { failure, success } from '../contract/outcome.ts';

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origins that may be meant, most likely first. Without a scheme a service on another machine is asked
 * by https only: a password goes unencrypted over a network only where `http://` was typed.
 */
export function originsFor(typed: string): Outcome<readonly string[]> {
  const text = typed.trim();
  const isExplicit = hasScheme.test(text);
  const url = parse(isExplicit ? text : `https://${text}`);
  if (url === undefined) {
    return failure('BAD_REQUEST', 'Enter an address, such as chat.example.com.', 'address');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const sentence = 'Enter an address that starts with https:// or http://, or with neither.';
    return failure('BAD_REQUEST', sentence, 'address');
  }
  if (isExplicit) return success([url.origin]);
  // Parsed again, because a port that is https's own would have been dropped.
  const plain = parse(`http://${text}`)?.origin;
  const isHere = plain !== undefined && loopback.test(url.hostname);
  return success(isHere ? [plain, url.origin] : [url.origin]);
}

function parse(text: string): URL | undefined {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // A name and a password in an address would be shown wherever the address is.
  return url.hostname === '' || url.username !== '' || url.password !== '' ? undefined : url;
}
