/** The configurations of docs/hosting, each on the proxy that it is for. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compose } from '#hosting/compose-service.ts';
import { isLong } from '../support/long.ts';
import { freePort } from '../support/ports.ts';
import { proxies, proxiesHere, proxyText, startProxy } from '../support/proxies.ts';
import { WAIT_LIMIT_MS } from '../support/patience.ts';
import { ben, startTestService } from '../support/service/api.ts';

const MIB = 1024 * 1024;

test.each(proxies)('$name asks the service at its usual port', (proxy) => {
  expect(proxyText(proxy)).toContain('127.0.0.1:9981');
});

function certificateIn(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  expect(spawnSync('openssl', [...args, '-days', '2', ...subject, ...files]).status).toBe(0);
  return { certificate, key };
}

/** A proxy in front of a service that takes its word. */
async function reached(proxy: (typeof proxies)[number]) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-proxy-'));
  const [port, { certificate, key }] = [await freePort(), certificateIn(folder)];
  const publicUrl = `https://localhost:${String(port)}`;
  const service = await startTestService({
    compose: (options) => compose({ ...options, publicUrl, trustedProxies: ['127.0.0.1'] }),
  });
  const servicePort = Number(new URL(service.origin).port);
  const { end, logged } = startProxy(proxy, { folder, port, servicePort, certificate, key });
  onTestFinished(async () => {
    await end();
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  const ca = readFileSync(certificate);
  const authorization = await service.authorization(ben);
  /** What has come of an answer is told as it comes. */
  const ask = (method: string, path: string, how: { readonly type?: string; body?: Buffer } = {}) =>
    new Promise<{ readonly status: number; readonly said: () => string }>((resolve, reject) => {
      const headers = {
        ...{ authorization, 'x-forwarded-for': '192.0.2.9' },
        ...(how.type === undefined ? {} : { 'content-type': how.type }),
        'content-length': how.body?.length ?? 0,
      };
      const asking = request(`${publicUrl}${path}`, { method, headers, ca, agent: false });
      asking.on('error', reject);
      asking.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', () => undefined);
        onTestFinished(() => void response.destroy());
        resolve({ status: response.statusCode ?? 0, said: () => text });
      });
      asking.end(how.body);
    });
  await expect
    .poll(
      () =>
        ask('GET', '/health')
          .then(({ status }) => status)
          .catch(() => 0),
      {
        timeout: WAIT_LIMIT_MS,
      },
    )
    .toBe(200);
  return { service, publicUrl, ask, logged };
}

// npm run test:long says which of them this machine lacks.
for (const proxy of isLong ? proxiesHere : []) {
  test(`${proxy.name} passes on large files, events as they come, and who asks under which address`, async () => {
    const { service, publicUrl, ask } = await reached(proxy);
    const settings = await ask('GET', '/api/v1/server_settings');
    await expect.poll(settings.said).toContain(`"realm_uri":"${publicUrl}"`);

    const file = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
      Buffer.alloc(24 * MIB, 7),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const type = 'multipart/form-data; boundary=x';
    const sent = await ask('POST', '/api/v1/user_uploads', { type, body: file });
    await expect.poll(sent.said, { timeout: WAIT_LIMIT_MS }).toContain('"result":"success"');

    const queue = await ask('POST', '/api/v1/register');
    await expect.poll(queue.said, { timeout: WAIT_LIMIT_MS }).toMatch(/\}$/);
    const { queue_id: id, last_event_id: last } = JSON.parse(queue.said()) as {
      readonly queue_id: string;
      readonly last_event_id: number;
    };
    const from = `queue_id=${encodeURIComponent(id)}&last_event_id=${String(last)}`;
    const events = await ask('GET', `/api/v1/events/stream?${from}`);
    await expect.poll(events.said).toContain('"type":"heartbeat"');
    await service.say(ben, 'general', 'lunch', 'soup behind a proxy');
    await expect.poll(events.said).toContain('soup behind a proxy');
  });

  test(`${proxy.name} logs requests, and errors, without the key in the address of an integration`, async () => {
    const { service, ask, logged } = await reached(proxy);
    const asked = (path: string) =>
      ask('POST', `/api/v1/external/${path}?stream=builds&api_key=a-key-that-nobody-may-read`);
    expect((await asked('github')).status).toBe(401);
    expect((await ask('GET', '/health')).status).toBe(200);
    await service.halt();
    expect((await asked('gitlab')).status).toBeGreaterThanOrEqual(502);
    for (const path of ['external/github', 'external/gitlab', '/health']) {
      await expect.poll(logged).toContain(path);
    }
    expect(logged()).not.toContain('nobody-may-read');
  });
}
