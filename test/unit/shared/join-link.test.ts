import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  invitationText,
  joinLinkIn,
  joinLinkText,
  joinTokenOf,
  webLinkText,
  type JoinLink,
} from '#shared/join-link.ts';
import { words } from '#renderer/i18n/common.ts';

const token = `7-${'aB3'.repeat(10)}xY`;
const pin = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
const link: JoinLink = {
  token,
  addresses: [
    'https://192.168.1.20:9981',
    'https://maras-laptop.local:9981',
    'https://[fd12::1]:9981',
  ],
  pin,
  realmName: 'Änne & Söhne #1',
};

const host = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.domain(),
);
const address = fc
  .tuple(host, fc.integer({ min: 1, max: 65_535 }))
  .filter(([name, port]) => URL.canParse(`https://${name}:${String(port)}`))
  .map(([name, port]) => new URL(`https://${name}:${String(port)}`).origin)
  .filter((origin) => !origin.includes('%'));

test('what is sent to whoever is invited names the button that the window has', () => {
  const links = {
    own: null,
    web: 'https://chat.example.com/#join/x',
    needsCertificateWarning: false,
  };
  for (const app of [null, 'hearth://join/x']) {
    expect(invitationText('Lantern Office', { ...links, app })).toContain(
      `“${words.start.connect}”`,
    );
  }
});

describe('the link of an invitation', () => {
  test('an invitation link is read as it was made, wherever it stands in a text', () => {
    fc.assert(
      fc.property(
        fc.array(address, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        (addresses, realmName) => {
          const made = { ...link, addresses, realmName };
          fc.pre(joinLinkText(made).length < 1_900);
          expect(joinLinkIn(joinLinkText(made))).toEqual(made);
          expect(joinLinkIn(`Hi!\n\n<${joinLinkText(made)}>\nMara`)).toEqual(made);
        },
      ),
    );
  });

  test('an invitation link of a browser leads to its address, and names no pin', () => {
    const made = `https://chat.example.com/#join/${token}`;
    const read = { token, addresses: ['https://chat.example.com'], pin: null, realmName: '' };
    expect(joinLinkIn(made)).toEqual(read);
    expect(joinLinkIn(`Open ${made}.`)).toEqual(read);
    expect(joinTokenOf(made)).toBe(token);
    expect(joinTokenOf('https://chat.example.com/#narrow/is/unread')).toBeNull();
  });

  test.each<[string, string | null, boolean, readonly RegExp[]]>([
    ['https://chat.example.com', 'own', true, [/^[^\n]* in a browser:\n\nhttps:/, /\n\nhearth:/]],
    ['https://203.0.113.7:9981', 'own', true, [/^[^\n]* in a browser:\n\nhttps:/]],
    ['http://chat.example.com', null, false, [/^[^\n]* in a browser, or paste it in Hearth/]],
    ['https://192.168.1.20:9981', 'own', true, [/same network/, /browser warns you/, /#join\//]],
    ['https://[fd12::1]:9981', 'own', true, [/same network/, /browser warns you/]],
    ['https://maras-laptop.local:9981', 'own', false, [/same network/, /open this link/]],
    ['https://maras-laptop:9981', 'own', false, [/same network/]],
  ])(
    'the text of an invitation to %s fits how it is reached',
    (origin, kind, needsCertificateWarning, words) => {
      const app = kind === null ? null : joinLinkText(link);
      const text = invitationText('Lantern', {
        app,
        web: webLinkText(origin, token),
        needsCertificateWarning,
      });
      for (const each of words) expect(text).toMatch(each);
      const isNear = words[0]?.source === 'same network';
      expect(text.includes('same network')).toBe(isNear);
      expect(text.includes('warns')).toBe(isNear && needsCertificateWarning);
      expect(joinLinkIn(text)).toMatchObject({ token, pin: app === null ? null : pin });
    },
  );

  const made = joinLinkText(link);
  test.each([
    ['nothing', ''],
    ['an address', 'https://chat.example.com'],
    ['another scheme', made.replace('hearth:', 'other:')],
    ['no pin', made.replace(/pin=[^&]*/, 'pin=')],
    ['a pin that is none', made.replace(pin, pin.toUpperCase())],
    ['no address', made.replace(/&at=[^&]*/g, '')],
    ['an address with a name and a password', made.replace('at=', 'at=user:pass@')],
    ['an address with a path', made.replace('at=', 'at=evil.example/x?')],
    ['more addresses than anybody has', `${made}${'&at=10.0.0.1'.repeat(12)}`],
    ['a token that is none', made.replace(token, 'abc')],
    ['a text that is too long', `${made}${'x'.repeat(2_000)}`],
  ])('an invitation link is not taken from %s', (_case, text) => {
    expect(joinLinkIn(text)).toBeNull();
  });
});
