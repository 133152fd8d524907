/** Uploaded files, avatars, emoji images and the picture of the organization: bytes, not JSON (API decisions 7.6). */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileSource, StoredFile } from '../core/ports/files.ts';
import type { Caller } from '../core/ports/handlers.ts';
import type { Authenticator } from './authenticate.ts';
import { apiHeaders, notFound } from './failure.ts';
import { closeIfStopping, credentialsOf, parametersOf, takeResponse } from './pipeline.ts';
import { byteRange } from './range.ts';
import { iconPath } from './routes.ts';
import { sendBytes } from './send-bytes.ts';

/** Shown in the browser; everything else is saved. */
const shownTypes = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
]);

/** Beside these and what is shown no type is told: a browser runs, styles by or parses hardly anything of no type. */
const PASSIVE = /^(?:audio|video)\/[\w.-]+$|^text\/(?:plain|csv|markdown)$|^application\/zip$/;

const servedType = (stored: string): string => {
  if (shownTypes.has(stored) || PASSIVE.test(stored)) return stored;
  return 'application/octet-stream';
};

/** What a page fetches to run it, or to be changed by it (Fetch, Sec-Fetch-Dest). */
const activeDestinations: ReadonlySet<string> = new Set([
  'audioworklet',
  'json',
  'manifest',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
]);

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
/** Browsers do not show a PDF in a sandbox; what it may fetch and run is nothing all the same. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'";

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function dispositionOf({ name, contentType }: StoredFile): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_');
  const kind = shownTypes.has(contentType) ? 'inline' : 'attachment';
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeName(name)}`;
}

function contentTypeOf({ contentType }: StoredFile): string {
  const type = servedType(contentType);
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

const headersOf = (file: StoredFile, cacheControl: string): Record<string, string> => ({
  ...apiHeaders,
  'content-type': contentTypeOf(file),
  'content-disposition': dispositionOf(file),
  'content-security-policy': file.contentType === 'application/pdf' ? PDF_POLICY : SANDBOX,
  'referrer-policy': 'no-referrer',
  'accept-ranges': 'bytes',
  'cache-control': cacheControl,
  etag: `"${file.version}"`,
});

const isFresh = (request: FastifyRequest, etag: string): boolean => {
  const asked = request.headers['if-none-match'];
  if (asked === undefined) return false;
  return (
    asked.trim() === '*' || asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  );
};

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const headers = headersOf(file, cacheControl);
  closeIfStopping(reply).headers(headers);
  const etag = headers['etag'] ?? '';
  if (isFresh(request, etag)) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const asked = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = byteRange(asked, file.sizeBytes);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${String(file.sizeBytes)}`);
    return reply.code(416).header('content-length', '0').send();
  }
  const { from, to } = range ?? { from: 0, to: file.sizeBytes - 1 };
  if (range !== null) {
    reply
      .code(206)
      .header('content-range', `bytes ${String(from)}-${String(to)}/${String(file.sizeBytes)}`);
  }
  reply.header('content-length', String(to - from + 1));
  // An empty stream: of anything else the library would tell another length.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const bytes = await file.read(from, to);
  if (bytes === undefined) throw notFound();
  await sendBytes(takeResponse(reply), bytes);
  return reply;
}

const wildcardOf = (request: FastifyRequest): string =>
  (request.params as { readonly '*': string })['*'];

/** Before anything is looked up: a file is never a script, whoever asks. */
function refuseScripts(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { headers } = request;
  const destination = headers['sec-fetch-dest']?.toString().toLowerCase() ?? '';
  if (headers['service-worker'] === undefined && !activeDestinations.has(destination)) {
    done();
    return;
  }
  void sendRefusal(reply, 'Uploaded files are not scripts or styles of a page.\n');
}

const sendRefusal = (reply: FastifyReply, text: string): FastifyReply =>
  closeIfStopping(reply).code(403).headers(apiHeaders).type('text/plain; charset=utf-8').send(text);

const asFile = { onRequest: refuseScripts };

export interface FileParts {
  readonly files: FileSource;
  readonly authenticator: Authenticator;
}

export function serveFiles(app: FastifyInstance, { files, authenticator }: FileParts): void {
  /** Null where nobody says who they are. */
  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    const credentials = credentialsOf(request);
    const parameters = parametersOf(request, { isJsonRead: false });
    const isNamed = credentials.authorization !== undefined || 'api_key' in parameters;
    return isNamed ? authenticator.byKeyOrHeader('user', parameters, credentials) : null;
  }

  app.get('/user_uploads/*', asFile, async (request, reply) => {
    const parameters = parametersOf(request, { isJsonRead: false });
    const caller = await authenticator.byKeyOrHeader('user', parameters, credentialsOf(request));
    const file = await files.findUpload(caller, wildcardOf(request));
    if (file === 'absent') throw notFound();
    if (file === 'forbidden') {
      return sendRefusal(reply, 'You may not see this file.\n');
    }
    // Asked for anew each time: a person may have left the conversation since.
    return sendFile(request, reply.header('vary', 'Authorization'), file, 'private, no-cache');
  });
  app.get('/user_avatars/*', asFile, async (request, reply) => {
    const file = await files.findAvatarFile(wildcardOf(request));
    if (file === undefined) throw notFound();
    // A new picture has a new address, or a new version in it.
    return sendFile(request, reply, file, 'public, max-age=86400');
  });
  app.get(iconPath, asFile, async (_request, reply) =>
    closeIfStopping(reply)
      .headers({ ...apiHeaders, 'cache-control': 'no-cache' })
      .redirect(await files.findIconUrl(), 302),
  );
  app.get('/avatar/:who', asFile, async (request, reply) => {
    const { who } = request.params as { readonly who: string };
    const url = await files.findAvatarUrl(await callerOf(request), who);
    if (url === undefined) throw notFound();
    return closeIfStopping(reply).headers(apiHeaders).redirect(url, 302);
  });
}
