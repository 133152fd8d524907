import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol, type Session } from 'electron';
import { PAGE_ORIGIN, PAGE_SCHEME } from './trust.ts';

/** Our own files and nothing else: no inline script, no network, no frames, no plugins. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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
};

/** Must run before the application is ready. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/** Serves the built renderer, and only that, at `PAGE_ORIGIN`. */
export function servePage(session: Session, rendererDir: string): void {
  session.protocol.handle(PAGE_SCHEME, async ({ method, url }) => {
    const file = method === 'GET' ? findPageFile(rendererDir, url) : undefined;
    if (file === undefined) return refusal();
    try {
      return new Response(new Uint8Array(await readFile(file.path)), {
        headers: {
          'content-type': file.contentType,
          'content-security-policy': policy,
          'x-content-type-options': 'nosniff',
        },
      });
    } catch {
      return refusal();
    }
  });
}

const refusal = (): Response => new Response('Not found', { status: 404 });

interface PageFile {
  readonly path: string;
  readonly contentType: string;
}

/** The file that a URL of the page names; undefined where that is outside of the folder or of no known type. */
function findPageFile(rendererDir: string, url: string): PageFile | undefined {
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
  const contentType = contentTypes[extname(path)];
  const isInside = path.startsWith(normalize(rendererDir + sep)) && !decoded.includes('\0');
  return isInside && contentType !== undefined ? { path, contentType } : undefined;
}
