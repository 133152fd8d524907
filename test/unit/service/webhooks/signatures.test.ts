import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Signed } from '#service/webhooks/common/signatures.ts';
import { declarationOf } from '#test/support/webhooks/read.ts';

const secret = 'quiet water';
const body = '{"a":1}';
const now = 1_600_000_000;

const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', hash = 'sha256'): string =>
  createHmac(hash, secret).update(text).digest(encoding);

type Headers = Readonly<Record<string, string>>;

const iso = new Date(now * 1000).toISOString();

/** What each service sends beside this body, at this moment. */
const signed: readonly (readonly [name: string, headers: Headers])[] = [
  ['github', { 'x-hub-signature-256': `sha256=${hmac(body)}` }],
  ['gitlab', { 'x-gitlab-token': secret }],
  ['gitea', { 'x-gitea-signature': hmac(body) }],
  ['gogs', { 'x-gogs-signature': hmac(body) }],
  ['forgejo', { 'x-forgejo-signature': hmac(body) }],
  ['bitbucket2', { 'x-hub-signature': `sha256=${hmac(body)}` }],
  ['bitbucket3', { 'x-hub-signature': `sha256=${hmac(body)}` }],
  ['circleci', { 'circleci-signature': `v1=${hmac(body)}` }],
  ['heroku', { 'heroku-webhook-hmac-sha256': hmac(body, 'base64') }],
  ['jira', { 'x-hub-signature': `sha256=${hmac(body)}` }],
  ['linear', { 'linear-signature': hmac(body) }],
  ['sentry', { 'sentry-hook-signature': hmac(body) }],
  ['grafana', { 'x-grafana-alerting-signature': hmac(body) }],
  // While a secret is being replaced both are there.
  ['pagerduty', { 'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${hmac(body)}` }],
  ['intercom', { 'x-hub-signature': `sha1=${hmac(body, 'hex', 'sha1')}` }],
  ['stripe', { 'stripe-signature': `t=${now},v1=${hmac(`${now}.${body}`)},v0=00` }],
  [
    'slack',
    {
      'x-slack-request-timestamp': `${now}`,
      'x-slack-signature': `v0=${hmac(`v0:${now}:${body}`)}`,
    },
  ],
  [
    'zendesk',
    {
      'x-zendesk-webhook-signature-timestamp': iso,
      'x-zendesk-webhook-signature': hmac(iso + body, 'base64'),
    },
  ],
];

async function verify(name: string, headers: Headers, changes: Partial<Signed> = {}) {
  const scheme = declarationOf(name).signature;
  if (scheme === undefined) throw new Error(`${name} signs nothing`);
  const header = (key: string): string | undefined => headers[key];
  return scheme({ secret, body: Buffer.from(body), header, nowSeconds: now, ...changes });
}

describe.each(signed)('the signature of %s', (name, headers) => {
  test('the signature is right for its secret and body alone', async () => {
    expect(await verify(name, headers)).toBe(true);
    expect(await verify(name, headers, { secret: 'loud water' })).toBe(false);
    if (name !== 'gitlab') {
      expect(await verify(name, headers, { body: Buffer.from(`${body} `) })).toBe(false);
    }
  });

  test.each(['', 'x', 'sha256=', 'v1=', `sha256=${'0'.repeat(64)}`, 't=1,v1=00', '%', '=,=,='])(
    'the signature is not %j, and not absent',
    async (text) => {
      const others = Object.keys(headers).map((key) => [key, text]);
      expect(await verify(name, Object.fromEntries(others) as Headers)).toBe(false);
      expect(await verify(name, {})).toBe(false);
    },
  );
});

test.each(['stripe', 'slack', 'zendesk'])(
  'the signature of %s ends after five minutes',
  async (name) => {
    const headers = signed.find(([each]) => each === name)?.[1] ?? {};
    expect(await verify(name, headers, { nowSeconds: now + 299 })).toBe(true);
    expect(await verify(name, headers, { nowSeconds: now + 301 })).toBe(false);
    expect(await verify(name, headers, { nowSeconds: now - 301 })).toBe(false);
  },
);
