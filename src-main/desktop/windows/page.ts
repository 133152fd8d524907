import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol, type Session } from 'electron';
import { soundPages } from '../system/sounds.ts';
import { PAGE_ORIGIN, PAGE_SCHEME } from '../system/trust.ts';

/** Our own files and nothing else: no inline script, no network, no frames, no plugins. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
};

/** Must run before the application is ready. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // `stream` lets it play the sounds; `codeCache` spares every start but the first the compiling.
    {
      scheme: PAGE_SCHEME,
      privileges: { standard: true, secure: true, stream: true, codeCache: true },
    },
  ]);
}

/** The built renderer, or during development what serves it from its sources. */
export interface PageSource {
  readonly rendererDir: string;
  readonly pageServer: string | undefined;
}

/** Serves the renderer and the pages of the sounds, and only those, at `PAGE_ORIGIN`. */
export function servePage(session: Session, { rendererDir, pageServer }: PageSource): void {
  session.protocol.handle(PAGE_SCHEME, async ({ method, url }) => {
    if (method !== 'GET') return refusal();
    const page = findSoundPage(url);
    if (page !== undefined) return answer(page, '.html');
    if (pageServer !== undefined) return passOn(pageServer, url);
    const file = findPageFile(rendererDir, url);
    if (file === undefined) return refusal();
    try {
      return answer(new Uint8Array(await readFile(file)), extname(file));
    } catch {
      return refusal();
    }
  });
}

/** What an answer needs is loaded by the first one: sooner, while the process of the page is starting anyway. */
export function warmPage(): void {
  answer('', '.html');
}

const answer = (body: string | Uint8Array<ArrayBuffer>, extension: string): Response =>
  new Response(body, {
    headers: {
      'content-type': contentTypes[extension] ?? '',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    },
  });

/** The policy of a page from its sources is in the page, as the server writes it. */
async function passOn(pageServer: string, url: string): Promise<Response> {
  if (!URL.canParse(url) || !url.startsWith(`${PAGE_ORIGIN}/`)) return refusal();
  const { pathname, search } = new URL(url);
  const { status, headers, body } = await fetch(`${pageServer}${pathname}${search}`);
  return new Response(body, {
    status,
    headers: { 'content-type': headers.get('content-type') ?? '' },
  });
}

const refusal = (): Response => new Response('Not found', { status: 404 });

function findSoundPage(url: string): string | undefined {
  if (!url.startsWith(`${PAGE_ORIGIN}/`)) return undefined;
  return soundPages.get(url.slice(PAGE_ORIGIN.length));
}

/** The file that a URL of the page names; undefined where that is outside of the folder or of no known type. */
function findPageFile(rendererDir: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol: scheme, host, pathname } = new URL(url);
  if (`${scheme}//${host}` !== PAGE_ORIGIN) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const path = normalize(join(rendererDir, decoded));
  const isInside = path.startsWith(normalize(rendererDir + sep)) && !decoded.includes('\0');
  return isInside && extname(path) in contentTypes ? path : undefined;
}
