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
export const LINK_ADDRESSES = 12;
export const LINK_NAME_CHARACTERS = 100;
const TOKEN = String.raw`\d{1,15}-[A-Za-z0-9]{32}`;
const own = new RegExp(String.raw`hearth://join/(${TOKEN})\?([^\s<>"'#]+)`, 'i');
const ofBrowsers = new RegExp(
  String.raw`(https?://(?:(?!https?://)[^\s<>"'#])+)#join/(${TOKEN})(?![A-Za-z0-9])`,
);
const ofPage = new RegExp(String.raw`#join/(${TOKEN})$`);
const isPin = (text: string): boolean => /^[a-z2-7]{52}$/.test(text);
const isHost = (text: string): boolean =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text) && URL.canParse(`https://${text}`);

/** `hearth://join/TOKEN?pin=…&at=HOST:PORT&…&name=…`: no page is named, and nothing is sent before the fingerprint is checked. */
export function joinLinkText({ token, addresses, pin, realmName }: JoinLink): string {
  const parameters = new URLSearchParams();
  if (pin !== null) parameters.set('pin', pin);
  for (const address of addresses.slice(0, LINK_ADDRESSES)) {
    parameters.append('at', address.replace(/^https:\/\//, ''));
  }
  if (realmName !== '') parameters.set('name', realmName.slice(0, LINK_NAME_CHARACTERS));
  return `hearth://join/${token}?${parameters.toString()}`;
}

/** By which somebody comes in: with the application, with a browser, or with either. */
export interface InvitationLinks {
  /** As `joinLinkText` makes it; null where only browsers can come. */
  readonly app: string | null;
  /** The page of the invitation; null where there is none. */
  readonly web: string | null;
  /** Whether a browser warns of the certificate before it shows the page. */
  readonly needsCertificateWarning: boolean;
}

/** What only computers in the same network can look up or reach. */
const isNear = (address: string): boolean => {
  const { hostname } = new URL(address);
  const isName = !/^(?:[\d.]+|\[.*\])$/.test(hostname);
  if (isName)
    return !hostname.includes('.') || /\.(?:local|localhost|lan|internal)$/.test(hostname);
  return /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[(?:f[cde]|::1\]))/.test(
    hostname,
  );
};

/** `https://HOST/#join/TOKEN`, as a browser opens it. */
export const webLinkText = (origin: string, token: string): string => `${origin}/#join/${token}`;

/** What is sent to whoever is invited. */
export function invitationText(
  realmName: string,
  { app, web, needsCertificateWarning }: InvitationLinks,
): string {
  const invited = `You are invited to ${realmName} on Hearth.`;
  if (app === null) {
    return `${invited} Open this link in a browser, or paste it in Hearth under “Connect to an existing one”:\n\n${web ?? ''}`;
  }
  if (web !== null && !isNear(web)) {
    const inApp =
      'If you have the Hearth application, choose “Connect to an existing one” there and paste this whole text:';
    return `${invited} Open this link in a browser:\n\n${web}\n\n${inApp}\n\n${app}`;
  }
  const steps = [
    invited,
    '1. Open Hearth on a computer in the network of the organization, not in its network for guests.',
    '2. Choose “Connect to an existing one” and paste this whole text:',
  ].join('\n');
  const warning = needsCertificateWarning
    ? ' The browser warns you once, because it does not know the certificate of the organization.'
    : '';
  const inBrowser = `Without Hearth, open this link in a browser in the same network.${warning}`;
  return `${steps}\n\n${app}${web === null ? '' : `\n\n${inBrowser}\n\n${web}`}`;
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

/** One that names no fingerprint is refused: it could lead anywhere, and nothing would tell. */
function fromQuery(token: string, query: string): JoinLink | null {
  if (query.length > MAX_LENGTH) return null;
  const parameters = new URLSearchParams(query);
  const pin = parameters.get('pin') ?? '';
  const hosts = parameters.getAll('at').map((host) => host.toLowerCase());
  if (!isPin(pin) || hosts.length === 0 || hosts.length > LINK_ADDRESSES) return null;
  if (!hosts.every(isHost)) return null;
  const addresses = hosts.map((host) => new URL(`https://${host}`).origin);
  const realmName = (parameters.get('name') ?? '').slice(0, LINK_NAME_CHARACTERS);
  return { token, addresses, pin, realmName };
}
