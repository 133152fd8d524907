import { joinLinkText } from '#shared/join-link.ts';
import { expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import { accountAt, accountOf, linkAmong, parseDeepLink } from '#desktop/system/deep-links.ts';

test.each([
  ['hearth://open', { kind: 'open' }],
  ['hearth://open/', { kind: 'open' }],
  ['HEARTH://OPEN', { kind: 'open' }],
  ['hearth://chat.example.com', { address: 'chat.example.com', fragment: '' }],
  ['hearth://chat.example.com/', { address: 'chat.example.com', fragment: '' }],
  ['hearth://CHAT.Example.com:9981/', { address: 'chat.example.com:9981', fragment: '' }],
  ['hearth://10.0.0.5:80/', { address: '10.0.0.5:80', fragment: '' }],
  ['hearth://[::1]:9981/', { address: '[::1]:9981', fragment: '' }],
  ['hearth://bücher.example/', { address: 'xn--bcher-kva.example', fragment: '' }],
  [
    'hearth://127.0.0.1:9981/#narrow/stream/4-ops/topic/deploy.20now/near/118',
    { address: '127.0.0.1:9981', fragment: '#narrow/stream/4-ops/topic/deploy.20now/near/118' },
  ],
  [
    'hearth://127.0.0.1:9981#narrow/pm-with/8,9-pm',
    { address: '127.0.0.1:9981', fragment: '#narrow/pm-with/8,9-pm' },
  ],
])('%s is understood', (link, expected) => {
  expect(parseDeepLink(link)).toEqual({ kind: 'organization', ...expected });
});

test.each([
  '',
  'hearth:',
  'hearth:open',
  'hearth:/open',
  'hearth://',
  'hearth:///',
  'hearth:////evil.example/',
  'hearth://open:1/',
  'hearth://open/#narrow/stream/1',
  'http://chat.example.com/',
  'hearths://chat.example.com/',
  ' hearth://open',
  'hearth://open\n',
  'hearth://chat.exam\tple.com/',
  'hearth://chat.example.com\\@evil.example/',
  'hearth://ada@chat.example.com/',
  'hearth://ada:secret@chat.example.com/',
  'hearth://chat.example.com/path',
  'hearth://chat.example.com/..%2f',
  'hearth://chat.example.com/?next=x',
  'hearth://chat.example.com:99999/',
  'hearth://chat.example.com:x/',
  'hearth://chat example.com/',
  'hearth://a<b>/',
  'hearth://%00/',
  'hearth://chat.example.com/#settings',
  'hearth://chat.example.com/#narrow/',
  'hearth://chat.example.com/#narrow/<script>',
  'hearth://chat.example.com/#narrow/"quoted"',
  'hearth://chat.example.com/#javascript:alert(1)',
  'hearth://x --no-sandbox',
  'hearth://x" --gpu-launcher="calc',
  `hearth://chat.example.com/#narrow/stream/${'1'.repeat(2_000)}`,
])('%j is refused', (link) => {
  expect(parseDeepLink(link)).toBeUndefined();
});

test('an invitation is read as the application makes it, and refused without a pin', () => {
  const link = {
    token: `7-${'aB3'.repeat(10)}xY`,
    addresses: ['https://192.168.1.20:9981'],
    pin: 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst',
    realmName: 'Lantern & Office',
  };
  const text = joinLinkText(link);
  expect(parseDeepLink(text)).toEqual({ kind: 'join', link });
  expect(parseDeepLink(text.replace(/pin=[^&]*&/, ''))).toBeUndefined();
  expect(parseDeepLink(text.replace(link.token, 'x'))).toBeUndefined();
});

test('a link is found among the arguments of a command line', () => {
  expect(linkAmong(['/usr/bin/hearth', '--hidden', '--', 'Hearth://open'])).toBe('Hearth://open');
  expect(linkAmong(['/usr/bin/hearth', '--hearth://open', 'https://example.com'])).toBeUndefined();
});

const account = (address: string): Account => ({
  id: `8@${address}`,
  address,
  realmName: 'Office',
  email: 'ada@example.com',
  fullName: 'Ada Admin',
  userId: 8,
  isHosted: false,
});

test.each([
  ['chat.example.com', 'https://chat.example.com'],
  ['chat.example.com:443', 'https://chat.example.com'],
  ['127.0.0.1:9981', 'http://127.0.0.1:9981'],
  ['lan.example:80', 'http://lan.example'],
  ['chat.example.com:9981', undefined],
  ['chat.example.com:80', undefined],
  ['example.com', undefined],
])('a link to %s is for the account of %s', (address, found) => {
  const all = ['https://chat.example.com', 'http://127.0.0.1:9981', 'http://lan.example'];
  expect(accountAt(all.map(account), address)?.address).toBe(found);
});

const pin = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';

test.each([
  [`hearth://office/${pin}`, ''],
  [`hearth://office/${pin}/`, ''],
  [`hearth://office/${pin.toUpperCase()}/#narrow/is/starred`, '#narrow/is/starred'],
  [`hearth://office/${pin}#narrow/stream/4-ops/near/118`, '#narrow/stream/4-ops/near/118'],
])('%s is an office, wherever it is', (link, fragment) => {
  expect(parseDeepLink(link)).toEqual({ kind: 'office', pin, fragment });
});

test.each([
  `hearth://office/${pin}/x`,
  `hearth://office/${pin.slice(1)}/`,
  `hearth://office/${pin}?at=evil.example`,
  `hearth://office/${pin}/#settings`,
  `hearth://office/${pin}/#narrow/<script>`,
  `hearth://office:1/${pin}/`,
])('%s is no office', (link) => {
  expect(parseDeepLink(link)).toBeUndefined();
});

test('a link to an office is for its account, whatever address that has', () => {
  const known = { ...account('https://10.0.0.7:9981'), pin };
  const hosted = { ...account('http://127.0.0.1:9981'), isHosted: true };
  const other = { ...account('https://chat.example.com'), pin: `b${pin.slice(1)}` };
  expect(accountOf([other, hosted, known], pin, undefined)).toBe(known);
  expect(accountOf([other, hosted], pin, pin)).toBe(hosted);
  expect(accountOf([other, hosted], pin, undefined)).toBeUndefined();
});

test('a link to an address of before is for the account whose office was there', () => {
  const moved: Account = {
    ...account('https://192.168.1.21:9981'),
    addresses: ['https://192.168.1.20:9981'],
  };
  const other = account('https://192.168.1.30:9981');
  expect(accountAt([other, moved], '192.168.1.20:9981')).toBe(moved);
  const there = account('https://192.168.1.20:9981');
  expect(accountAt([moved, there], '192.168.1.20:9981')).toBe(there);
});
