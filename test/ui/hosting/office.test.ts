import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const open: Partial<NetworkAccess> = {
  isOpen: true,
  addresses: ['https://192.168.1.20:9981', 'https://maras-laptop.local:9981'],
  networks: [
    {
      id: '192.168.1.0/24 aa',
      subnet: '192.168.1.0/24',
      interfaceName: 'wlan0',
      isAllowed: true,
      problem: null,
    },
  ],
  remoteClients: ['192.168.1.34'],
  identity: { fingerprint: 'abc', words: 'lamp river stone coat apple moon' },
};

async function openOfficePage(): Promise<void> {
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Office' }).click();
}

test('who has created an organization is asked whether others may join, once', async () => {
  bridge.reach = { ...bridge.reach, isDecided: false };
  await openWindow(bridge);
  await expect.element(page.getByText('Only this computer can reach Office')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect
    .element(page.getByText('Only this computer can reach Office'))
    .not.toBeInTheDocument();
  expect(bridge.argsOf('openToNetwork')).toEqual([[false]]);
});

test('letting others join leads to what they need', async () => {
  bridge.reach = { ...bridge.reach, isDecided: false };
  bridge.answer('openToNetwork', async () => {
    bridge.changeOffice({ ...open, isDecided: true });
    return { ok: true, value: bridge.reach };
  });
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Let others join' }).click();
  await expect
    .element(page.getByRole('dialog').getByText('https://192.168.1.20:9981'))
    .toBeVisible();
  await expect.element(page.getByText('lamp river stone coat apple moon')).toBeVisible();
  await expect.element(page.getByText('192.168.1.34')).toBeVisible();
  await expect.element(page.getByText(/open port 9981/)).toBeVisible();
});

test('a new network is asked for, and the answer is kept for it', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  const cafe = { ...open.networks![0]!, id: 'cafe', subnet: '10.7.0.0/16', isAllowed: null };
  bridge.changeOffice({ ...open, networks: [cafe], addresses: [] });
  await expect.element(page.getByText(/^Nobody in 10\.7\.0\.0\/16 can reach Office/)).toBeVisible();
  bridge.fail('allowNetwork', 'The choice could not be kept.');
  await page.getByRole('button', { name: 'Not here' }).click();
  await expect.element(page.getByText('The choice could not be kept.')).toBeVisible();
  bridge.restore('allowNetwork');
  await page.getByRole('button', { name: 'Not here' }).click();
  await expect.element(page.getByText('You are in another network')).not.toBeInTheDocument();
  expect(bridge.argsOf('allowNetwork')).toEqual([
    ['cafe', false],
    ['cafe', false],
  ]);
});

test('what answers at an address is said beside it, and a taken port at its network', async () => {
  bridge.reach = { ...bridge.reach, ...open };
  await openWindow(bridge);
  await openOfficePage();
  const [own, named] = bridge.reach.addresses as [string, string];
  bridge.answer('checkAddresses', async () => ({
    ok: true,
    value: [
      { address: own, result: 'somebody-else' },
      { address: named, result: 'nobody' },
    ],
  }));
  await page.getByRole('button', { name: 'Can others reach me?' }).click();
  await expect.element(page.getByText('Another computer answers there.')).toBeVisible();
  await expect.element(page.getByText('Nothing answers there.')).toBeVisible();
  const [network] = open.networks!;
  bridge.changeOffice({ networks: [{ ...network!, problem: 'port-taken' }] });
  await expect.element(page.getByText(/^Another program uses the port/)).toBeVisible();
  await page.getByRole('button', { name: 'Save the certificate…' }).click();
  await expect.element(page.getByText('The certificate is saved.')).toBeVisible();
});

test('whoever adds a person is given the address and the words that colleagues can use', async () => {
  bridge.reach = { ...bridge.reach, ...open };
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Add person' }).click();
  await expect
    .element(page.getByRole('dialog').getByText('https://192.168.1.20:9981'))
    .toBeVisible();
  await page.getByLabelText('Name', { exact: true }).fill('Ben Member');
  await page.getByLabelText('E-mail address').fill('ben@example.com');
  await page.getByLabelText('First password').fill('correct horse');
  await page.getByRole('dialog').getByRole('button', { name: 'Add person' }).click();
  await expect.element(page.getByText('lamp river stone coat apple moon')).toBeVisible();
});

test('whoever adds a person that cannot reach this computer is told so', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Add person' }).click();
  await page.getByRole('button', { name: 'Let others join' }).click();
  await expect.element(page.getByRole('switch', { name: /^Let others in this/ })).toBeVisible();
});

test('whoever lets others join has an invitation copied by one click more', async () => {
  bridge.reach = { ...bridge.reach, isDecided: false };
  bridge.answer('openToNetwork', async () => {
    bridge.changeOffice({ ...open, isDecided: true });
    return { ok: true, value: bridge.reach };
  });
  const link = 'http://127.0.0.1:9981/#join/x';
  bridge.answerRequest('invitations.inviteMany', () => success({ id: 4, invite_link: link }));
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Let others join' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Copy invitation' }).click();
  // Where the clipboard is closed to the page it is there to be copied by hand.
  await expect.element(dialog.getByText(/is copied\.|by hand:/)).toBeVisible();
  expect(bridge.requestsOf('invitations.inviteMany')).toEqual([
    { inviteAs: 1, validDays: 7, maxUses: 50 },
  ]);
});

test('whoever lets others join chooses whether this computer stays awake for them', async () => {
  await openWindow(bridge);
  await openOfficePage();
  const choice = page.getByRole('switch', { name: /^Stay awake/ });
  await expect.element(page.getByRole('switch', { name: /^Let others/ })).toBeVisible();
  await expect.element(choice).not.toBeInTheDocument();
  bridge.changeOffice(open);
  await expect.element(choice).toBeChecked();
  await choice.click();
  await expect.poll(() => bridge.choices.staysAwake).toBe(false);
  await expect.element(choice).not.toBeChecked();
});
