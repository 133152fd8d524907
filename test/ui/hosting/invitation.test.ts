import jsQR from 'jsqr';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { joinLinkIn, joinLinkText } from '#shared/join-link.ts';
import { failure } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';

const link = {
  token: `7-${'aB3'.repeat(10)}xY`,
  addresses: ['https://192.168.1.20:9981'],
  pin: 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst',
  realmName: 'Lantern Office',
};

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble({ accounts: [] });
});

test('who pastes the text that they were sent sees who invites, and types a name and a password', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByLabelText('Address').fill(`You are invited.\n\n${joinLinkText(link)}`);
  await expect.element(heading('Join Lantern Office')).toBeVisible();
  await expect.element(page.getByText('Mara Host invites you to Lantern Office.')).toBeVisible();
  await expect.element(page.getByText('You will sign in with ben@example.com.')).toBeVisible();
  await page.getByLabelText('Your name').fill('Ben Member');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  expect(bridge.argsOf('acceptInvitation')).toEqual([
    [{ ...link, fullName: 'Ben Member', password: 'correct horse' }],
  ]);
});

test('who is invited sees the picture of the organization beside who invites', async () => {
  const canvas = new OffscreenCanvas(40, 40);
  canvas.getContext('2d')?.fillRect(8, 8, 24, 24);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const icon = { type: 'image/png', bytes };
  const view = { address: '', realmName: 'Lantern Office', inviterName: 'Mara Host', email: '' };
  bridge.answer('invitation', async () => ({ ok: true, value: { ...view, icon } }));
  await openWindow(bridge);
  bridge.push('invitationOpened', link);
  await expect.element(page.getByText('Mara Host invites you to Lantern Office.')).toBeVisible();
  await expect
    .poll(() => document.querySelector('.square img')?.getAttribute('src'))
    .toMatch(/^blob:/);
});

test('whoever comes by a link for many also types an address', async () => {
  const view = {
    address: '',
    realmName: 'Lantern Office',
    inviterName: 'Mara Host',
    email: '',
    icon: null,
  };
  bridge.answer('invitation', async () => ({ ok: true, value: view }));
  await openWindow(bridge);
  bridge.push('invitationOpened', link);
  await page.getByLabelText('Your name').fill('Ben Member');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(page.getByText('E-mail address is missing.')).toBeVisible();
  await page.getByLabelText('E-mail address').fill(' ben@example.com ');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  expect(bridge.argsOf('acceptInvitation')).toEqual([
    [{ ...link, fullName: 'Ben Member', password: 'correct horse', email: 'ben@example.com' }],
  ]);
});

test('a link that is opened elsewhere leads there, also beside an account, and back', async () => {
  bridge = new BridgeDouble();
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('invitationOpened', link);
  await expect.element(heading('Join Lantern Office')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test('why nobody can be joined is said, and tried again', async () => {
  bridge.answer('invitation', async () => failure('UNREACHABLE', 'Nothing answers there.'));
  await openWindow(bridge);
  bridge.push('invitationOpened', link);
  await expect.element(page.getByText('Nothing answers there.')).toBeVisible();
  expect(page.getByLabelText('Your name').elements()).toEqual([]);
  bridge.restore('invitation');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByLabelText('Your name')).toBeVisible();
});

test('without a pin the safety words are chosen before anything is typed', async () => {
  const rows = ['one two', 'three four', 'five six'];
  bridge.answer('invitation', async (_link, words) =>
    words === 'three four'
      ? {
          ok: true,
          value: { address: '', realmName: 'R', inviterName: 'Mara', email: 'b@e.de', icon: null },
        }
      : { ok: false, failure: { code: 'WORDS_NEEDED', message: 'Compare.', words: rows } },
  );
  await openWindow(bridge);
  bridge.push('invitationOpened', { ...link, pin: null });
  await page.getByRole('button', { name: 'three four' }).click();
  await page.getByLabelText('Your name').fill('Ben Member');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  expect(bridge.argsOf('acceptInvitation')[0]?.[0]).toMatchObject({ words: 'three four' });
});

/** What a camera reads that sees this. */
async function readCode(picture: Element): Promise<string> {
  const image = new Image();
  image.src = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' }),
  );
  await image.decode();
  const [width, height] = [600, 600];
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  return jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data ?? '';
}

test('whoever hosts copies a text with the pin and the addresses of now, or shows it to a camera', async () => {
  bridge = new BridgeDouble();
  const identity = { fingerprint: link.pin, words: 'lamp river' };
  bridge.reach = { ...bridge.reach, isOpen: true, addresses: link.addresses, identity };
  const invite = {
    ...{ id: 7, email: 'ben@example.com', ref: 'ada@example.com', invited: 0, invited_as: 1 },
    ...{ is_multiuse: false as const, link: `http://127.0.0.1:9981/#join/${link.token}` },
  };
  bridge.answerRequest('invitations.list', () => ({ ok: true, value: { invites: [invite] } }));
  let copied = '';
  navigator.clipboard.writeText = async (text) => void (copied = text);
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'People' }).click();
  await page
    .getByRole('button', { name: /ben@example\.com/ })
    .first()
    .click();
  await expect.poll(() => joinLinkIn(copied)).toMatchObject({ ...link, realmName: 'Office' });
  expect(copied).toMatch(/in the network of the organization/);

  await page.getByRole('button', { name: 'QR code for ben@example.com' }).click();
  const picture = page.getByRole('img', { name: 'QR code of the invitation' });
  await expect.element(picture).toBeVisible();
  await expect.element(page.getByText(/opens in Hearth/)).toBeVisible();
  const seen = await readCode(picture.element());
  expect(joinLinkIn(seen)).toMatchObject({ ...link, realmName: 'Office' });
});
