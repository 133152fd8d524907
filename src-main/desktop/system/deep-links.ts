import { joinLinkIn, type JoinLink } from '#shared/join-link.ts';
import type { Account } from '#shared/bridge/models/client.ts';

export const LINK_SCHEME = 'hearth';

/** What a `hearth://` link asks for. Whoever wrote it is a stranger: a page, a mail, another program. */
export type DeepLink =
  /** `hearth://open`: bring the window to the front. */
  | { readonly kind: 'open' }
  /** `hearth://join/…`: an invitation. */
  | { readonly kind: 'join'; readonly link: JoinLink }
  | {
      /** `hearth://office/PIN/#narrow/…`: wherever that office is now. */
      readonly kind: 'office';
      readonly pin: string;
      readonly fragment: string;
    }
  | {
      readonly kind: 'organization';
      /** Host and port as a form takes them: `chat.example.com`, `10.0.0.5:9981`. */
      readonly address: string;
      /** `#narrow/…`, or empty for the organization as it is. */
      readonly fragment: string;
    };

const MAX_LENGTH = 2_000;
const prefix = `${LINK_SCHEME}://`;
/** A parser would drop or turn these, and what was checked would not be what is opened. */
// eslint-disable-next-line no-control-regex
const unclean = /[\u0000-\u0020\u007f-\u009f\\]/;
const fragmentForm = /^#narrow\/[A-Za-z0-9/.,_~%+\-!*'():@&=$;]+$/;

const officeForm = /^office\/([a-z2-7]{52})\/?(#.*)?$/i;

/** The first argument of a command line that is such a link; undefined where there is none. */
export const linkAmong = (args: readonly string[]): string | undefined =>
  args.find((arg) => arg.toLowerCase().startsWith(`${LINK_SCHEME}:`));

/** Undefined for a link that is refused: it is not one of the forms above, to the letter. */
export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > MAX_LENGTH || unclean.test(text)) return undefined;
  if (text.slice(0, prefix.length).toLowerCase() !== prefix) return undefined;
  const rest = text.slice(prefix.length);
  if (/^join\//i.test(rest)) {
    const link = joinLinkIn(text);
    return link === null ? undefined : { kind: 'join', link };
  }
  return officeForm.test(rest) ? officeLink(rest) : organizationLink(rest);
}

function officeLink(rest: string): DeepLink | undefined {
  const [, pin = '', fragment = ''] = officeForm.exec(rest) ?? [];
  if (fragment !== '' && !fragmentForm.test(fragment)) return undefined;
  return { kind: 'office', pin: pin.toLowerCase(), fragment };
}

function organizationLink(rest: string): DeepLink | undefined {
  // As a web address: hosts of schemes that URL does not know are not checked at all.
  if (rest.startsWith('/') || !URL.canParse(`http://${rest}`)) return undefined;
  const url = new URL(`http://${rest}`);
  if (`${url.username}${url.password}${url.search}` !== '' || url.pathname !== '/')
    return undefined;
  return linkOf(rest, url);
}

function linkOf(rest: string, url: URL): DeepLink | undefined {
  const { hash, hostname, port } = url;
  if (hostname === 'open') return port === '' && hash === '' ? { kind: 'open' } : undefined;
  // As it was written: the parser would have escaped what does not belong there.
  const written = rest.includes('#') ? rest.slice(rest.indexOf('#')) : '';
  if (written !== '' && !fragmentForm.test(written)) return undefined;
  return { kind: 'organization', address: writtenHost(rest, url), fragment: hash };
}

/** `URL` leaves out port 80, which is not the port that a bare host means here. */
const writtenHost = (rest: string, { hostname, host }: URL): string =>
  /^[^/#]*:0*80(?:[/#]|$)/.test(rest) ? `${hostname}:80` : host;

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether a link that names this host and port means that origin; links do not say whether it speaks TLS. */
function isAt(origin: string, named: string): boolean {
  const { protocol, hostname, host, port } = new URL(origin);
  if (host === named) return true;
  return port === '' && `${hostname}:${defaultPorts[protocol] ?? ''}` === named;
}

/** The account of the office with this fingerprint. @param hostedPin  of the one that this computer runs, whose account knows none */
export const accountOf = (
  accounts: readonly Account[],
  pin: string,
  hostedPin: string | undefined,
): Account | undefined =>
  accounts.find((account) => account.pin === pin) ??
  accounts.find(({ isHosted }) => isHosted && hostedPin === pin);

/** The account of the organization that is at that address, else of one that was there or may be. */
export const accountAt = (accounts: readonly Account[], named: string): Account | undefined =>
  accounts.find(({ address }) => isAt(address, named)) ??
  accounts.find(({ addresses = [] }) => addresses.some((each) => isAt(each, named)));
