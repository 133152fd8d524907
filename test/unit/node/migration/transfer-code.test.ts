import { expect, test } from 'vitest';
import {
  type TransferCode,
  findTransferCode,
  transferCodeText,
} from '#node/migration/transfer-code.ts';

const code: TransferCode = {
  token: '0123456789abcdef'.repeat(2),
  fingerprint: `${'b'.repeat(51)}a`,
  addresses: ['https://192.168.1.5:9991', 'https://office.local', 'https://[fd00::1]:80'],
};

test('a code is found in the text that it was pasted with', () => {
  expect(findTransferCode(`Here: <${transferCodeText(code)}>\n`)).toEqual(code);
});

test('an address without TLS is asked for over TLS', () => {
  const text = transferCodeText({ ...code, addresses: ['http://127.0.0.1:80'] });
  expect(findTransferCode(text)?.addresses).toEqual(['https://127.0.0.1:80']);
});

test.each([
  ['nothing', ''],
  ['an invitation', 'hearth://join/1-abc?pin=x&at=here'],
  ['a token that is too short', transferCodeText({ ...code, token: 'abc' })],
  ['another pin', transferCodeText({ ...code, fingerprint: 'b'.repeat(52) })],
  ['no address', transferCodeText({ ...code, addresses: [] })],
  ['an address with a path', `${transferCodeText(code)}&at=office.local/there`],
  ['an address with a person', `${transferCodeText(code)}&at=ada@office.local`],
])('%s is no code', (_what, text) => {
  expect(findTransferCode(text)).toBeUndefined();
});
