import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Double, exchange, startDouble } from './service-double.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const expectPageHeaders = (response: Response): void => {
  expect(response.headers.get('content-security-policy')).toBe(CSP);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
};

describe('a built interface', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-static-'));
  const rendererDir = join(folder, 'renderer');
  let service: Double;
  beforeAll(async () => {
    mkdirSync(join(rendererDir, 'web'), { recursive: true });
    mkdirSync(join(rendererDir, 'assets'));
    writeFileSync(join(folder, 'secret'), 'outside');
    writeFileSync(join(rendererDir, '.hidden'), 'hidden');
    writeFileSync(join(rendererDir, 'web', 'index.html'), '<title>Hearth</title>');
    writeFileSync(join(rendererDir, 'assets', 'web-a1b2c3.js'), 'export {};');
    service = await startDouble({ rendererDir });
  });
  afterAll(async () => {
    await service.drain(1000);
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(service.origin + path, { redirect: 'manual', ...init });

  test('the interface starts at /, is never cached there, and may load nothing from elsewhere', async () => {
    const response = await ask('/?from=link');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('<title>Hearth</title>');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expectPageHeaders(response);
  });

  test('the interface has assets that are cached for good', async () => {
    const response = await ask('/assets/web-a1b2c3.js');
    expect(await response.text()).toBe('export {};');
    expect(response.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expectPageHeaders(response);
  });

  test('the interface answers HEAD without a body and a repeated request with 304', async () => {
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe('21');
    const etag = head.headers.get('etag') ?? '';
    const repeated = `GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(service.port, repeated)).toMatch(/^HTTP\/1\.1 304 /);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'the interface refuses %s',
    async (method) => {
      const response = await ask('/', { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  test.each([
    '/nothing',
    '/web',
    '/assets/',
    '/assets',
    '/.hidden',
    '/apiary',
    '/web/index.html/x',
  ])('the interface has nothing at %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('hidden');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    '/../secret',
    '/web/../../secret',
    '/..%2fsecret',
    '/%2e%2e/secret',
    '/web/%2e%2e/%2e%2e/secret',
    '/..\\secret',
    '//etc/passwd',
    '/assets/%00',
    '/%ff',
    '/%',
  ])('the interface gives out nothing else by %s', async (path) => {
    const text = await exchange(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(text).not.toContain('outside');
    expect(service.logged).toEqual([]);
  });
});

test.each([
  ['no folder', null],
  ['an empty one', tmpdir()],
])(
  'with %s for the interface a page says how to build it, and the API works',
  async (_title, rendererDir) => {
    const service = await startDouble({ rendererDir });
    try {
      const response = await fetch(service.origin);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toContain('npm run build');
      expectPageHeaders(response);
      expect((await fetch(`${service.origin}/api/v1/server_settings`)).status).toBe(200);
    } finally {
      await service.drain(1000);
    }
  },
);
