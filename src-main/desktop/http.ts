import type { Http } from '../client/ports.ts';

/**
 * HTTP for the sessions. Node's fetch gives a server 300 s to begin and 300 s between two parts of a body, which is
 * more than the longest poll takes.
 */
export const desktopHttp: Http = async ({ method, url, headers, body, signal }) => {
  // A redirect is answered as it came: following one would turn a POST into a GET and carry the key elsewhere.
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  return { status: response.status, text: await response.text() };
};
