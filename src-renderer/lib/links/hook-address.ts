/** Where other services deliver, as an address and as a command. */
import type { WholeDelivery } from '#shared/api/models/delivery.ts';
import type { HookSetup } from '#shared/api/models/integration.ts';

/** @param server  the organization's address */
export function hookAddress(server: string, setup: HookSetup, apiKey: string): string {
  const url = new URL(`/api/v1/external/${encodeURIComponent(setup.integration)}`, server);
  url.searchParams.set('api_key', apiKey);
  if (setup.stream !== '') url.searchParams.set('stream', setup.stream);
  if (setup.topic !== '') url.searchParams.set('topic', setup.topic);
  if (setup.only_events.length > 0) {
    url.searchParams.set('only_events', JSON.stringify(setup.only_events));
  }
  return url.href;
}

/** Whether nobody but this computer can reach an address. */
export function isThisComputer(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The delivery as a command that makes it once more, with the key of now. */
export function curlOf(
  server: string,
  { integration, query, headers, body }: WholeDelivery,
  apiKey: string,
): string {
  const url = new URL(`/api/v1/external/${encodeURIComponent(integration)}`, server);
  url.search = query;
  url.searchParams.set('api_key', apiKey);
  const options = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl', ...options, `--data-binary ${quoted(body)}`, quoted(url.href)].join(' \\\n  ');
}
