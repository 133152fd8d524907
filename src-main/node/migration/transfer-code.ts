/** What the computer that an organization leaves shows, and the one that it comes to is given: once, for ten minutes. */
import { isFingerprint } from '../tls/server-identity.ts';

export interface TransferCode {
  /** 128 random bits, as 32 hexadecimal digits. */
  readonly token: string;
  /** The office's: to whoever has another one nothing is said. */
  readonly fingerprint: string;
  /** Origins at which it is reached, the best first. */
  readonly addresses: readonly string[];
}

const MAX_LENGTH = 2_000;
const MAX_ADDRESSES = 12;
const LINK = /hearth:\/\/move\/([0-9a-f]{32})\?([^\s<>"'#]+)/i;
const isHost = (text: string): boolean =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text) && URL.canParse(`https://${text}`);

/** `hearth://move/TOKEN?pin=…&at=HOST:PORT&…` */
export function transferCodeText({ token, fingerprint, addresses }: TransferCode): string {
  const parameters = new URLSearchParams({ pin: fingerprint });
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const { protocol, host, port } = new URL(address);
    // Over TLS, whatever the scheme: on the port of the service it is to be had.
    parameters.append('at', protocol === 'http:' && port === '' ? `${host}:80` : host);
  }
  return `hearth://move/${token}?${parameters.toString()}`;
}

/** The first code in a text that somebody pasted; undefined where there is none. */
export function findTransferCode(text: string): TransferCode | undefined {
  const [, token, query] = LINK.exec(text) ?? [];
  if (token === undefined || query === undefined || query.length > MAX_LENGTH) return undefined;
  const parameters = new URLSearchParams(query);
  const fingerprint = parameters.get('pin') ?? '';
  const hosts = parameters.getAll('at').map((host) => host.toLowerCase());
  if (!isFingerprint(fingerprint) || hosts.length === 0 || hosts.length > MAX_ADDRESSES)
    return undefined;
  if (!hosts.every(isHost)) return undefined;
  const addresses = hosts.map((host) => new URL(`https://${host}`).origin);
  return { token: token.toLowerCase(), fingerprint, addresses };
}
