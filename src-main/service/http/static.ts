/** The built renderer, for browsers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const START_PAGE = '/web/index.html';

const notBuilt =
  'The interface is not built. Run `npm run build` in the folder of the project, then start this again.\n';

/** Vite puts a hash of the content into the name of everything below this folder. */
const isHashed = (path: string): boolean => path.startsWith('/assets/');

const cacheControl = (path: string): string =>
  isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache';

export function sendText(
  reply: FastifyReply,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type(type)
    .send(text);
}

/**
 * Answers GET and HEAD of a path outside of the API.
 * @param path  decoded, with its leading slash
 */
export type ServePage = (reply: FastifyReply, path: string) => FastifyReply;

/** @param rendererDir  the built renderer; null where there is none */
export function createPages(app: FastifyInstance, rendererDir: string | null): ServePage {
  if (rendererDir === null || !existsSync(join(rendererDir, START_PAGE))) {
    return (reply) => sendText(reply, 404, notBuilt);
  }
  // The caching rules are ours, so that a new release is seen at once and its assets are fetched once.
  const options = { root: rendererDir, serve: false, cacheControl: false, index: false } as const;
  app.register(fastifyStatic, { ...options, dotfiles: 'ignore' });
  return (reply, path) => {
    const file = path === '/' ? START_PAGE : path;
    if (!reply.server.server.listening) reply.header('connection', 'close');
    return reply.headers({ ...headers, 'cache-control': cacheControl(file) }).sendFile(file);
  };
}
