import { expect, test } from 'vitest';
import { joinLinkIn, joinLinkText, joinTokenOf, webLinkText } from '#shared/join-link.ts';
import { knownOperator } from '#shared/search/narrow-terms.ts';
import { parseDeepLink } from '#desktop/system/deep-links.ts';
import { findTransferCode, transferCodeText } from '#node/migration/transfer-code.ts';
import {
  conversationLink,
  filePathOf,
  linkToPassOn,
  streamLink,
} from '#renderer/lib/links/links.ts';
import { targetOfNarrow } from '#renderer/lib/links/narrow-links.ts';
import { passwordLinkIn } from '#renderer/lib/links/password-link.ts';
import { listed } from '#test/support/data-names/listed.ts';

const address = 'https://chat.example.com';
const fingerprint = 'a'.repeat(52);
const token = `7-${'A'.repeat(32)}`;
const names = { streamNameOf: () => 'ops', ownUserId: 2 };
const topic = { kind: 'stream', streamId: 4, topic: 'lunch' } as const;
const inTopic = conversationLink(address, topic, names, 9);
const invitation = joinLinkText({
  token,
  addresses: [address],
  pin: fingerprint,
  realmName: 'Team',
});
const webInvitation = webLinkText(address, token);
const move = transferCodeText({ token: '0'.repeat(32), fingerprint, addresses: [address] });

const shortened = (text: string): string =>
  text
    .replaceAll(fingerprint, 'PIN')
    .replaceAll(token, 'TOKEN')
    .replaceAll('0'.repeat(32), 'TOKEN')
    .replaceAll(address, 'https://HOST');

test('links that people have passed on stay', () => {
  expect(
    [
      invitation,
      webInvitation,
      move,
      inTopic,
      streamLink(address, 4, names),
      conversationLink(address, { kind: 'private', userIds: [7] }, names),
      linkToPassOn(inTopic, { address, pin: fingerprint }),
    ].map(shortened),
  ).toEqual(listed('links'));
});

test('links that people have passed on are read', () => {
  expect(joinLinkIn(invitation)).toEqual({
    token,
    addresses: [address],
    pin: fingerprint,
    realmName: 'Team',
  });
  expect(joinTokenOf(webInvitation)).toBe(token);
  expect(findTransferCode(move)?.fingerprint).toBe(fingerprint);
  expect(passwordLinkIn(`${address}/#password/${token}`)).toEqual({ address, token });
  expect(filePathOf(`${address}/user_uploads/1/x/a.pdf`, address)).toBe('/user_uploads/1/x/a.pdf');
  const kinds = ['hearth://open', invitation, `hearth://office/${fingerprint}/#narrow/is/starred`];
  expect(
    [...kinds, 'hearth://HOST/#narrow/near/9'].map((each) => parseDeepLink(each)?.kind),
  ).toEqual(['open', 'join', 'office', 'organization']);
});

test.each(listed('narrows'))('%s selects in the API', (line) => {
  const [operator = '', ...aliases] = line.replace(/ .*/, '').split('|');
  for (const each of [operator, ...aliases]) {
    expect(knownOperator({ operator: each, operand: '' })).toBe(operator);
  }
});

test.each(listed('narrows').filter((line) => !line.startsWith('sent-')))(
  '%s selects in a link',
  (line) => {
    const [operators = '', operands = ''] = line.split(' ');
    for (const operator of operators.split('|')) {
      for (const operand of operands.split('|')) {
        expect(
          targetOfNarrow(`${operator}/${operand}`, 2),
          `${operator}/${operand}`,
        ).toHaveProperty(operator === 'near' ? 'messageId' : 'view');
      }
    }
  },
);
