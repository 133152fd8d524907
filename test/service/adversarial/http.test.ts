/** Adversarial text in what comes before any argument: addresses, headers, multipart bodies. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacksIn, shareOf } from '#test/support/adversarial/attacks.ts';
import { Client } from '#test/support/adversarial/client.ts';
import { headerOf, headersRead } from '#test/support/adversarial/headers.ts';
import { expectNoFaults, type Place } from '#test/support/adversarial/screen.ts';
import { ada, hookBot, startTestService, type TestService } from '#test/support/service/api.ts';
import { type Double, startDouble } from '../http/service-double.ts';
import { integrations } from '#service/webhooks/integrations/index.ts';

const attacks = attacksIn('src-main');

let service: TestService;
let behindProxy: Double;
let authorization: string;
let hookKey: string;
const clients: Client[] = [];
let [client, proxied]: Client[] = [];
beforeAll(async () => {
  service = await startTestService();
  behindProxy = await startDouble({ trustedProxies: ['127.0.0.1'] });
  client = new Client(service.origin);
  proxied = new Client(behindProxy.origin);
  clients.push(client, proxied);
  authorization = await service.authorization(ada);
  hookKey = await service.keyOf(hookBot);
});
afterAll(async () => {
  for (const each of clients) each.end();
  await Promise.all([service.stop(), behindProxy.drain(1000)]);
});

/** Nearly as much as Node reads of all headers. */
const HEADER_LENGTH = 12_000;
/** Where a header is read at all. */
const readersOf: Readonly<Record<string, string>> = {
  'if-none-match': '/avatar/1',
  'if-range': '/avatar/1',
  range: '/avatar/1',
};

const FORM = 'application/x-www-form-urlencoded';

test('every header that the service reads takes time in proportion to its length [http.header-service-reads]', async () => {
  const names = headersRead();
  expect(names).toEqual(
    expect.arrayContaining([
      'authorization',
      'content-type',
      'host',
      'origin',
      'range',
      'x-forwarded-for',
      'x-github-event',
    ]),
  );
  const places = names.flatMap((name): Place[] => {
    const target = readersOf[name] ?? '/api/v1/messages';
    const hooks = [...integrations.keys()].slice(0, /^x-|sign|event|hook/.test(name) ? 40 : 0);
    const usual = { authorization, 'content-type': FORM };
    const send = (to: Client | undefined, where: string) => (text: string) =>
      to?.ask(readersOf[name] === undefined ? 'POST' : 'GET', where, {
        ...usual,
        [name]: headerOf(text, HEADER_LENGTH),
      });
    return [
      { name, length: HEADER_LENGTH, send: send(client, target) },
      {
        name: `${name} of a proxy`,
        length: HEADER_LENGTH,
        send: send(proxied, '/api/v1/messages'),
      },
      ...hooks.flatMap((hook): Place[] =>
        hook.startsWith(name.replace(/^x-/, '').split('-')[0] ?? '')
          ? [
              {
                name: `${name} of ${hook}`,
                length: HEADER_LENGTH,
                send: send(client, `/api/v1/external/${hook}?api_key=${hookKey}`),
              },
            ]
          : [],
      ),
    ];
  });
  await expectNoFaults(places, (index) => shareOf(attacks, index, { general: 2 }));
});

test('every part of an address takes time in proportion to its length', async () => {
  const target = (text: string): string =>
    encodeURI(text.toWellFormed()).slice(0, HEADER_LENGTH).replace(/%.?$/, '');
  const at = (name: string, before: string): Place => ({
    name,
    length: HEADER_LENGTH,
    send: (text) =>
      client?.ask('GET', `${before}${target(text).replaceAll('#', '%23')}`, { authorization }),
  });
  const places = [
    at('path', '/'),
    at('path of the API', '/api/v1/'),
    at('path of a user', '/api/v1/users/'),
    at('integration', '/api/v1/external/'),
    at('file', '/user_uploads/1/'),
    at('avatar', '/user_avatars/1/'),
    at('query', '/api/v1/messages?'),
    at('narrow', '/api/v1/messages?anchor=1&num_before=1&num_after=1&narrow='),
    at('documentation', '/api/'),
  ];
  await expectNoFaults(places, (index) => shareOf(attacks, index));
});

const BOUNDARY = 'xyz';
const PARTS = 8;
/** The headers of one part end at 16 KiB. */
const PART_LENGTH = 15_000;

const bodyOf = (parts: readonly string[]): Buffer =>
  Buffer.from(`${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`);

const inHeader = (text: string): string => text.replaceAll(/[\r\n]/g, ' ');

test('a multipart body takes time in proportion to its length, whatever stands in the headers of its parts [http.multipart-body-time]', async () => {
  const disposition = 'Content-Disposition: form-data';
  const write: Readonly<Record<string, (text: string) => string>> = {
    'all headers': (text) => `${text}\r\n\r\nv`,
    'the name of a header': (text) => `${inHeader(text)}: v\r\n${disposition}; name="a"\r\n\r\nv`,
    'the parameters': (text) => `${disposition}${inHeader(text)}\r\n\r\nv`,
    'a parameter': (text) => `${disposition}; ${inHeader(text)}; name="a"\r\n\r\nv`,
    'a name': (text) => `${disposition}; name="${inHeader(text)}"\r\n\r\nv`,
    'a name without its end': (text) => `${disposition}; name="${inHeader(text)}\r\n\r\nv`,
    'a file name': (text) => `${disposition}; name="a"; filename="${inHeader(text)}"\r\n\r\nv`,
    'an extended file name': (text) =>
      `${disposition}; name="a"; filename*=utf-8''${inHeader(text)}\r\n\r\nv`,
    'a type': (text) =>
      `${disposition}; name="a"; filename="b"\r\nContent-Type: ${inHeader(text)}\r\n\r\nv`,
    'a value': (text) => `${disposition}; name="a"\r\n\r\n${text}`,
  };
  const targets = ['/api/v1/messages'];
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const places = Object.entries(write).flatMap(([name, part]): Place[] =>
    (name.includes('file') ? [...targets, '/api/v1/user_uploads'] : targets).map((target) => ({
      name: `${name} of parts to ${target}`,
      length: PART_LENGTH,
      send: (text) =>
        client?.post(target, headers, bodyOf(Array.from({ length: PARTS }, () => part(text)))),
    })),
  );
  await expectNoFaults(places, (index) => shareOf(attacks, index, { others: 8 }));
});

test('a multipart body takes time in proportion to the number of its parts', async () => {
  const place = (name: string, headers: object, part: (text: string) => string): Place => ({
    name,
    length: 262_144,
    send: (text) => {
      const parts = text.match(/[^]{1,64}/g) ?? [];
      const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      return client?.post('/api/v1/messages', { ...headers, ...type }, bodyOf(parts.map(part)));
    },
  });
  const disposition = 'Content-Disposition: form-data; name="a"';
  const places = [
    place('parts', { authorization }, (text) => `${disposition}\r\n\r\n${text}`),
    place(
      'parts with files',
      { authorization },
      (text) => `${disposition}; filename="b"\r\n\r\n${text}`,
    ),
    place('parts without an end', { authorization }, (text) => `${disposition}\r\n${text}`),
  ];
  await expectNoFaults(places, (index) => shareOf(attacks, index));
});
