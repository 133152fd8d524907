import { expect, test } from 'vitest';
import { type MoveCode, moveCodeIn, moveCodeText } from '#node/migration/transfer-code.ts';

const code: MoveCode = {
  token: '0123456789abcdef'.repeat(2),
  pin: `${'b'.repeat(51)}a`,
  addresses: ['https://192.168.1.5:9991', 'https://office.local', 'https://[fd00::1]:80'],
};

test('a code is found in the text that it was pasted with', () => {
  expect(moveCodeIn(`Here: <${moveCodeText(code)}>\n`)).toEqual(code);
});

test('an address without TLS is asked for over TLS', () => {
  const text = moveCodeText({ ...code, addresses: ['http://127.0.0.1:80'] });
  expect(moveCodeIn(text)?.addresses).toEqual(['https://127.0.0.1:80']);
});

test.each([
  ['nothing', ''],
  ['an invitation', 'hearth://join/1-abc?pin=x&at=here'],
  ['a token that is too short', moveCodeText({ ...code, token: 'abc' })],
  ['another pin', moveCodeText({ ...code, pin: 'b'.repeat(52) })],
  ['no address', moveCodeText({ ...code, addresses: [] })],
  ['an address with a path', `${moveCodeText(code)}&at=office.local/there`],
  ['an address with a person', `${moveCodeText(code)}&at=ada@office.local`],
])('%s is no code', (_what, text) => {
  expect(moveCodeIn(text)).toBeUndefined();
});
