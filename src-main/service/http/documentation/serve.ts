/** The API's own description: a document for programs and pages for people. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IntegrationDescription } from '#service/core/ports/integrations.ts';
import type { Limits } from '#shared/limits.ts';
import { apiHeaders } from '../failure.ts';
import { closeIfStopping } from '../pipeline.ts';
import { openApiDocument } from './openapi.ts';
import { pages } from './pages.ts';
import type { PageRequest } from './request.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

interface Text {
  readonly bytes: Buffer;
  readonly etag: string;
}

function textOf(text: string): Text {
  const bytes = Buffer.from(text);
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: Text,
  contentType: string,
): FastifyReply {
  closeIfStopping(reply).headers({ ...apiHeaders, 'cache-control': 'no-cache', etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.header('content-type', contentType).send(bytes);
}

/** Pages differ by the address under which they are read; more than these nobody reads by. */
const MAX_PAGES = 40;

export interface DocumentationParts {
  readonly version: string;
  readonly limits: Limits;
  readonly integrations: readonly IntegrationDescription[];
}

export function serveDocumentation(app: FastifyInstance, parts: DocumentationParts): void {
  const { version, limits, integrations } = parts;
  let document: Text | undefined;
  const made = new Map<string, Text>();

  function pageFor(path: string, origin: string, make: (request: PageRequest) => string): Text {
    const key = `${path} ${origin}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= MAX_PAGES) made.clear();
    const page = textOf(make({ origin, version, limits, integrations }));
    made.set(key, page);
    return page;
  }

  app.get('/api/v1/openapi.json', (request, reply) => {
    document ??= textOf(JSON.stringify(openApiDocument(version)));
    return send(request, reply, document, 'application/json');
  });
  app.get('/api', (_request, reply) =>
    closeIfStopping(reply).headers(apiHeaders).redirect('/api/', 302),
  );
  for (const [path, make] of pages) {
    app.get(path, (request, reply) => {
      const page = pageFor(path, app.clientAddresses.originOf(request), make);
      return send(request, reply.headers(pageHeaders), page, 'text/html; charset=utf-8');
    });
  }
}
