import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol, type ProtocolRequest, type ProtocolResponse, type Session } from 'electron';
import { soundPages } from '../system/sounds.ts';
import { PAGE_ORIGIN, PAGE_SCHEME, PAGE_URL } from '../system/trust.ts';

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

/**
 * Serves the renderer and the pages of the sounds, and only those, at `PAGE_ORIGIN`.
 * @returns  settles when a page has the scripts and styles that its document names
 */
export function servePage(session: Session, source: PageSource): Promise<void> {
  let settle: () => void = () => undefined;
  const served = new Promise<void>((resolve) => (settle = resolve));
  let left = new Set<string>();

  async function serve(
    request: ProtocolRequest,
    answer: (response: ProtocolResponse) => void,
  ): Promise<void> {
    const response = await answerTo(request, source);
    if (request.url === PAGE_URL) {
      const assets = assetsOf(response);
      left = new Set(assets.map((path) => new URL(path, PAGE_URL).href));
      answer({ ...response, headers: { ...response.headers, link: linkTo(assets) } });
      return;
    }
    answer(response);
    left.delete(request.url);
    if (left.size === 0) settle();
  }

  // In place of `handle`, which answers with a `Response`: Node loads all of `fetch` for the first one, a tenth of a start.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what could replace it, `registerSource`, is experimental
  session.protocol.registerBufferProtocol(PAGE_SCHEME, (request, answer) => {
    void serve(request, answer);
  });
  return served;
}

async function answerTo(
  { method, url }: ProtocolRequest,
  { rendererDir, pageServer }: PageSource,
): Promise<ProtocolResponse> {
  if (method !== 'GET') return refusal();
  const page = findSoundPage(url);
  if (page !== undefined) return answerWith(Buffer.from(page), '.html');
  try {
    if (pageServer !== undefined) return await passOn(pageServer, url);
    const file = findPageFile(rendererDir, url);
    return file === undefined ? refusal() : answerWith(await readFile(file), extname(file));
  } catch {
    return refusal();
  }
}

const answerWith = (data: Buffer, extension: string): ProtocolResponse => ({
  data,
  headers: {
    'content-type': contentTypes[extension] ?? '',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  },
});

const ASSET = /<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.(?:js|css))"/g;

/** The scripts and styles that a document names. */
const assetsOf = ({ data }: ProtocolResponse): readonly string[] =>
  Buffer.isBuffer(data) ? Array.from(data.toString().matchAll(ASSET), ([, path = '']) => path) : [];

/** Has them fetched as the document is opened, and not only when it is read, which comes after much else in its process. */
const linkTo = (assets: readonly string[]): string =>
  assets
    .map(
      (path) =>
        `<${path}>; rel=${path.endsWith('.js') ? 'modulepreload' : 'preload; as=style'}; crossorigin`,
    )
    .join(', ');

/** The policy of a page from its sources is in the page, as the server writes it. */
async function passOn(pageServer: string, url: string): Promise<ProtocolResponse> {
  if (!URL.canParse(url) || !url.startsWith(`${PAGE_ORIGIN}/`)) return refusal();
  const { pathname, search } = new URL(url);
  const response = await fetch(`${pageServer}${pathname}${search}`);
  return {
    statusCode: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    data: Buffer.from(await response.arrayBuffer()),
  };
}

const refusal = (): ProtocolResponse => ({
  statusCode: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  data: Buffer.from('Not found'),
});

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
