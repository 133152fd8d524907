/** Links by which an invitation is passed on, as the applications make and read them. */

/** What a link knows: where the organization may be found, who it is, and what lets somebody in. */
export interface JoinLink {
  readonly token: string;
  /** Origins, the best first. */
  readonly addresses: readonly string[];
  /** The office's; null where only the system's trust, or its safety words, can tell. */
  readonly pin: string | null;
  /** What the organization is called; empty where the link does not say. */
  readonly realmName: string;
}

const MAX_LENGTH = 2_000;
const MAX_ADDRESSES = 12;
const TOKEN = String.raw`\d{1,15}-[A-Za-z0-9]{32}`;
const own = new RegExp(String.raw`hearth://join/(${TOKEN})\?([^\s<>"'#]+)`, 'i');
const ofBrowsers = new RegExp(
  String.raw`(https?://(?:(?!https?://)[^\s<>"'#])+)#join/(${TOKEN})(?![A-Za-z0-9])`,
);
const ofPage = new RegExp(String.raw`#join/(${TOKEN})$`);
const isPin = (text: string): boolean => /^[a-z2-7]{52}$/.test(text);
const isHost = (text: string): boolean =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text) && URL.canParse(`https://${text}`);

/** `hearth://join/TOKEN?pin=…&at=HOST:PORT&…&name=…`: no page is named, and nothing is sent before the pin is checked. */
export function joinLinkText({ token, addresses, pin, realmName }: JoinLink): string {
  const parameters = new URLSearchParams();
  if (pin !== null) parameters.set('pin', pin);
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    parameters.append('at', address.replace(/^https:\/\//, ''));
  }
  if (realmName !== '') parameters.set('name', realmName.slice(0, 100));
  return `hearth://join/${token}?${parameters.toString()}`;
}

/** The first invitation in a text that somebody was sent; null where there is none. */
export function joinLinkIn(text: string): JoinLink | null {
  const [, token, query] = own.exec(text) ?? [];
  if (token !== undefined && query !== undefined) return fromQuery(token, query);
  const [, address, browserToken] = ofBrowsers.exec(text) ?? [];
  if (address === undefined || browserToken === undefined || !URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return { token: browserToken, addresses: [origin], pin: null, realmName: '' };
}

/** The token of an invitation that the address of a page ends with. */
export const joinTokenOf = (href: string): string | null => ofPage.exec(href)?.[1] ?? null;

/** One that names no pin is refused: it could lead anywhere, and nothing would tell. */
function fromQuery(token: string, query: string): JoinLink | null {
  if (query.length > MAX_LENGTH) return null;
  const parameters = new URLSearchParams(query);
  const pin = parameters.get('pin') ?? '';
  const hosts = parameters.getAll('at').map((host) => host.toLowerCase());
  if (!isPin(pin) || hosts.length === 0 || hosts.length > MAX_ADDRESSES) return null;
  if (!hosts.every(isHost)) return null;
  const addresses = hosts.map((host) => new URL(`https://${host}`).origin);
  return { token, addresses, pin, realmName: (parameters.get('name') ?? '').slice(0, 100) };
}
