import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble, moveCode } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';
import { openSettings, press } from '../settings/open-settings.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const said = (text: string | RegExp) => page.getByText(text);
const dialog = () => page.getByRole('dialog', { name: 'Move to another computer' });
const asked = {
  phase: 'asked',
  computer: 'maras-laptop',
  address: '192.168.1.7',
  number: '0417',
  isConfirmed: false,
} as const;
const organization = {
  name: 'Lantern Office',
  safetyWords: 'apple river candle orbit lemon stone',
  sizeBytes: 40 * 1024 * 1024,
  number: '0417',
};

test('a code is shown with how long it is good, and the computer that asks is let in by its number', async () => {
  bridge.changeOffice({ isOpen: true, addresses: ['https://192.168.1.2:9981'] });
  await openSettings(bridge, 'Office');
  await press('Move to another computer…');
  await expect.element(dialog().getByText(/Have Hearth open on the other/)).toBeVisible();
  await expect.element(dialog().getByText(/No other computer can reach/)).not.toBeInTheDocument();
  await press('Show a code');
  await expect.element(dialog().getByText(moveCode)).toBeVisible();
  await expect.element(dialog().getByText(/^Good for (10:00|9:5\d) minutes$/)).toBeVisible();
  bridge.changeMoveOut(asked);
  await expect
    .element(dialog().getByText('maras-laptop (192.168.1.7) asks for the organization.'))
    .toBeVisible();
  await expect.element(dialog().getByText('0417')).toBeVisible();
  bridge.answer('confirmMigration', async () => failure('NOT_CONFIRMED', 'Nothing was changed.'));
  await press('Yes, hand it over…');
  await expect.element(dialog().getByText('0417')).toBeVisible();
  await expect.element(said('Nothing was changed.')).not.toBeInTheDocument();
  bridge.restore('confirmMigration');
  await press('Yes, hand it over…');
  await expect.element(dialog().getByText(/maras-laptop is taking everything over/)).toBeVisible();
  expect(bridge.argsOf('confirmMigration')).toEqual([['0417'], ['0417']]);
  await press('Cancel the move');
  await expect.element(dialog().getByRole('button', { name: 'Show a code' })).toBeVisible();
});

test('a code that nobody can use is said to be so, and one that is too old makes room for another', async () => {
  await openSettings(bridge, 'Office');
  await press('Move to another computer…');
  await expect.element(dialog().getByText(/switch on “Let others in this network/)).toBeVisible();
  bridge.fail('createTransferCode', 'The organization is not served now.');
  await press('Show a code');
  await expect.element(dialog().getByText('The organization is not served now.')).toBeVisible();
  bridge.restore('createTransferCode');
  bridge.changeMoveOut({ phase: 'expired' });
  await expect.element(dialog().getByText(/no longer good/)).toBeVisible();
  await press('Make another code');
  await expect.element(dialog().getByText(moveCode)).toBeVisible();
  // Hearth was started again meanwhile.
  bridge.changeMoveOut({ phase: 'offered', code: null, expiresAtSeconds: 1 });
  await expect.element(dialog().getByText(/kept nowhere/)).toBeVisible();
});

test('the window says where the organization has gone, and what is still to be done', async () => {
  bridge.leaving = { phase: 'moved', computer: 'maras-laptop', addresses: [] };
  await openWindow(bridge);
  await expect
    .element(said(/^Office has moved to maras-laptop|has moved to maras-laptop/))
    .toBeVisible();
  await expect.element(said(/It has not said yet how others reach it/)).toBeVisible();
  bridge.changeMoveOut({
    phase: 'moved',
    computer: 'maras-laptop',
    addresses: ['https://192.168.1.7:9981'],
  });
  await expect.element(said(/now lives on maras-laptop \(192\.168\.1\.7:9981\)/)).toBeVisible();
  await press('Understood');
  await expect.element(said(/now lives on/)).not.toBeInTheDocument();
});

test('an organization comes from the first page: what is coming, the number, how far it is', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  await openWindow(bridge);
  await press(/^Move an organization to this computer/);
  await expect.element(heading('Move an organization to this computer')).toBeVisible();
  const code = page.getByLabelText('Code', { exact: true });
  await press('Go on');
  await expect.element(code).toHaveAccessibleDescription(/Code is missing/);
  await code.fill(moveCode);
  bridge.answer('startMigration', async () =>
    failure('FAILED', 'The other computer does not answer at https://192.168.1.2:9981.'),
  );
  await press('Go on');
  await expect.element(said(/does not answer at/)).toBeVisible();
  let settle = (): void => undefined;
  bridge.answer('startMigration', async () => {
    await new Promise<void>((resolve) => (settle = resolve));
    return success(bridge.hostingStatus);
  });
  await press('Go on');
  bridge.push('migrationTargetChanged', { phase: 'claiming' });
  await expect.element(said('Asking the other computer…')).toBeVisible();
  bridge.push('migrationTargetChanged', { phase: 'waiting', organization });
  await expect.element(page.getByRole('heading', { name: 'Lantern Office' })).toBeVisible();
  await expect.element(said('apple river candle orbit lemon stone')).toBeVisible();
  await expect.element(said('About 40 MiB')).toBeVisible();
  await expect.element(page.getByLabelText('Number of this computer')).toHaveTextContent('0417');
  await press('Cancel');
  expect(bridge.argsOf('stopMigration')).toHaveLength(1);
  bridge.push('migrationTargetChanged', {
    phase: 'taking',
    organization,
    receivedBytes: 10 * 1024 * 1024,
  });
  await expect.element(said('10 MiB of about 40 MiB')).toBeVisible();
  // From here on the other computer may have let go.
  bridge.push('migrationTargetChanged', { phase: 'asking' });
  await expect.element(said(/Leave both on\./)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  bridge.startState = { ...bridge.startState, canHost: false, hosted: { realmName: 'Lantern' } };
  settle();
  await expect.element(heading('Sign in to Lantern')).toBeVisible();
  expect(bridge.argsOf('startMigration').at(-1)).toEqual([
    { code: moveCode, opensToNetwork: true },
  ]);
});

test('a move that was interrupted goes on, without its code', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  bridge.coming = { phase: 'unfinished' };
  await openWindow(bridge);
  await press(/^Move an organization to this computer/);
  await expect.element(said(/was interrupted/)).toBeVisible();
  await page.getByLabelText('Let others in this network reach it here').click();
  await press('Go on with it');
  expect(bridge.argsOf('startMigration')).toEqual([[{ code: null, opensToNetwork: false }]]);
  await press('Use another code');
  await expect.element(page.getByLabelText('Code', { exact: true })).toBeVisible();
});

test('who was signed in to it from this computer still is', async () => {
  bridge = new BridgeDouble({ accounts: [{ ...account, isHosted: false }] });
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Account of / }).click();
  await press('Add an organization');
  await press(/^Move an organization to this computer/);
  await page.getByLabelText('Code', { exact: true }).fill(moveCode);
  bridge.answer('startMigration', async () => {
    bridge.push('accountChanged', { ...account, isHosted: true });
    return success(bridge.hostingStatus);
  });
  await press('Go on');
  await expect.element(heading('Move an organization to this computer')).not.toBeInTheDocument();
  await expect.element(page.getByRole('navigation').first()).toBeVisible();
});
