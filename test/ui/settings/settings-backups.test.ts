import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { archiveContent, BridgeDouble, recoveryCode } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';
import { openSettings, press } from './open-settings.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const last = {
  file: '/mnt/disk/Office-2026-11-22T12-30-00.hearth',
  atSeconds: 1_763_800_200,
  sizeBytes: 41_000_000,
  messages: 48_211,
  lostFiles: 0,
};
const said = (text: string | RegExp) => page.getByText(text);

test('a backup is made on demand, and its page says what it has and why there is none', async () => {
  await openSettings(bridge, 'Backups');
  await expect.element(said('There is no backup yet.')).toBeVisible();
  bridge.answer('backUpNow', async () => {
    const reason = 'There is no folder /mnt/disk for the copy: make it first.';
    bridge.changeBackups({ failure: { atSeconds: last.atSeconds, reason } });
    return failure('FAILED', reason);
  });
  await press('Back up now');
  await expect.element(said(/^The backup of .* failed\. There is no folder/)).toBeVisible();
  bridge.answer('backUpNow', async () =>
    success(bridge.changeBackups({ last, failure: null, code: 'unconfirmed' })),
  );
  await press('Back up now');
  await expect.element(said('48,211 messages, 39 MiB')).toBeVisible();
  await expect.element(said(last.file)).toBeVisible();
  await expect.element(said(/no folder/)).not.toBeInTheDocument();
  bridge.changeBackups({ isBusy: true });
  await expect.element(page.getByRole('button', { name: 'Backing up…' })).toBeVisible();
});

test('a folder and a time are chosen, and a new folder is tried at once', async () => {
  await openSettings(bridge, 'Backups');
  await expect.element(said(/on the same disk as the messages/)).toBeVisible();
  await press('Choose a folder…');
  expect(bridge.argsOf('backUpNow')).toEqual([]);
  bridge.answer('chooseBackupFolder', async () =>
    success(bridge.changeBackups({ folder: '/mnt/disk', isSameDisk: false })),
  );
  await press('Choose a folder…');
  await expect.element(said('/mnt/disk')).toBeVisible();
  await expect.element(said('It is on another disk than the messages.')).toBeVisible();
  expect(bridge.argsOf('backUpNow')).toHaveLength(1);
  const time = page.getByLabelText('Every day at');
  await expect.element(time).toHaveValue('12:30');
  await time.fill('03:05');
  await page.getByRole('tab', { name: 'Backups' }).click();
  await expect.element(said('Saved')).toBeVisible();
  expect(bridge.argsOf('setBackupTime')).toEqual([[{ hours: 3, minutes: 5 }]]);
});

test('a copy of one’s own is sealed or readable, and it is said where it is', async () => {
  await openSettings(bridge, 'Backups');
  bridge.answer('saveCopy', async () => failure('NOT_CONFIRMED', 'Nothing was changed.'));
  await press('Save an unsealed folder…');
  await expect.element(said('Nothing was changed.')).not.toBeInTheDocument();
  bridge.answer('saveCopy', async () => failure('FAILED', 'The disk of /mnt/stick is full.'));
  await press('Save a sealed file…');
  await expect.element(said('The disk of /mnt/stick is full.')).toBeVisible();
  bridge.answer('saveCopy', async () => success({ ...last, path: '/mnt/stick/hearth-2026' }));
  await press('Save an unsealed folder…');
  await expect.element(said(/^Saved 48,211 messages, 39 MiB/)).toBeVisible();
  await expect.element(said('/mnt/stick/hearth-2026')).toBeVisible();
  expect(bridge.argsOf('saveCopy')).toEqual([[true], [false], [true]]);
});

test('the recovery code is shown as thirteen words, and typed once again', async () => {
  bridge.backupsStatus = { ...bridge.backupsStatus, last, code: 'unconfirmed' };
  await openSettings(bridge, 'Backups');
  bridge.fail('recoveryCode', 'Nothing was changed.');
  bridge.answer('recoveryCode', async () => failure('NOT_CONFIRMED', 'Nothing was changed.'));
  await press('Show the code…');
  await expect.element(said('Nothing was changed.')).not.toBeInTheDocument();
  bridge.restore('recoveryCode');
  await press('Show the code…');
  const dialog = page.getByRole('dialog', { name: 'Recovery code' });
  await expect.element(dialog.getByRole('listitem').last()).toHaveTextContent('license');
  expect(dialog.getByRole('listitem').elements()).toHaveLength(13);
  await dialog.getByRole('button', { name: 'I have written them down' }).click();
  const typed = dialog.getByLabelText('Recovery code');
  await expect.element(typed).toHaveFocus();
  const done = dialog.getByRole('button', { name: 'Done' });
  await done.click();
  await expect.element(typed).toHaveAccessibleDescription(/Recovery code is missing/);
  await typed.fill('one two');
  bridge.answer('confirmRecoveryCode', async () =>
    failure('BAD_CODE', 'A recovery code has 13 words, but 2 were given.', 'code'),
  );
  await done.click();
  await expect.element(typed).toHaveAccessibleDescription(/2 were given\./);
  bridge.restore('confirmRecoveryCode');
  await typed.fill(recoveryCode);
  await done.click();
  await expect.element(said(/^The recovery code is written down/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Make another code…' })).toBeVisible();
  expect(bridge.argsOf('recoveryCode').at(-1)).toEqual([false]);
});

test('a code that nobody has is replaced by another one', async () => {
  bridge.backupsStatus = { ...bridge.backupsStatus, last, code: 'unconfirmed' };
  await openSettings(bridge, 'Backups');
  bridge.answer('recoveryCode', async () => failure('CODE_SHOWN', 'It was shown once.'));
  await press('Show the code…');
  await expect.element(said(/make another one/)).toBeVisible();
  bridge.restore('recoveryCode');
  await press('Make another code…');
  await expect.element(page.getByRole('dialog', { name: 'Recovery code' })).toBeVisible();
  expect(bridge.argsOf('recoveryCode').at(-1)).toEqual([true]);
});

test('the window asks for the code, then for another disk, and tells of failures', async () => {
  bridge.backupsStatus = { ...bridge.backupsStatus, last, code: 'unconfirmed', isReminding: true };
  await openWindow(bridge);
  await expect.element(said(/^Nobody has written down the recovery code/)).toBeVisible();
  bridge.changeBackups({ code: 'confirmed' });
  await expect.element(said(/^The backups are on the same disk/)).toBeVisible();
  await press('Not now');
  await expect.element(said(/^The backups are on the same disk/)).not.toBeInTheDocument();
  bridge.changeBackups({
    failure: { atSeconds: 1, reason: 'The disk is full.' },
    isReminding: true,
  });
  await expect.element(said('No backup was made. The disk is full.')).toBeVisible();
  await press('Backups…');
  await expect.element(page.getByRole('heading', { level: 3, name: 'Backups' })).toBeVisible();
});

test('what to do when somebody else has the keys: the words, what it means, the last word outside of the page', async () => {
  bridge.backupsStatus = { ...bridge.backupsStatus, last, code: 'confirmed' };
  await openSettings(bridge, 'Backups');
  await press('Report it as stolen…');
  const dialog = page.getByRole('dialog', { name: 'Continue with new keys' });
  await expect.element(dialog.getByText(/Everybody signs in once more/)).toBeVisible();
  const submit = dialog.getByRole('button', { name: 'Continue with new keys' });
  const code = dialog.getByLabelText('Recovery code');
  await expect.element(code).toHaveFocus();
  await submit.click();
  await expect.element(code).toHaveAccessibleDescription(/Recovery code is missing/);
  await code.fill(recoveryCode);
  bridge.answer('reportKeysStolen', async () => failure('WRONG_CODE', 'Another code.', 'code'));
  await submit.click();
  await expect.element(code).toHaveAccessibleDescription(/Another code\./);
  bridge.answer('reportKeysStolen', async () => failure('NOT_CONFIRMED', 'Nothing was changed.'));
  await submit.click();
  await expect.element(code).not.toHaveAccessibleDescription(/Another code\./);
  await expect.element(code).toHaveValue(recoveryCode);
  bridge.restore('reportKeysStolen');
  await submit.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(said(/goes on with other keys/)).toBeVisible();
  expect(bridge.argsOf('reportKeysStolen')).toEqual([
    [recoveryCode],
    [recoveryCode],
    [recoveryCode],
  ]);
});

test('a restore says what it means that the old computer was stolen, where there is a key to go on with', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  await openWindow(bridge);
  await press(/^Restore an organization/);
  await press('Choose a file…');
  const code = page.getByLabelText('Recovery code');
  await code.fill(recoveryCode);
  bridge.answer('inspectArchive', async () => success({ ...archiveContent, hasNextKey: false }));
  await press('Open the backup');
  await expect.element(said(/Hearth offers them there/)).toBeVisible();
  const stolen = page.getByRole('checkbox', { name: /lost or stolen/ });
  await expect.element(stolen).not.toBeInTheDocument();
  await press('Choose another backup');
  bridge.restore('inspectArchive');
  await press('Open the backup');
  await stolen.click();
  await expect.element(said(/do not come back then/)).toBeVisible();
  await expect.element(page.getByRole('radio').first()).not.toBeInTheDocument();
  bridge.startState = { ...bridge.startState, canHost: false, hosted: { realmName: 'Office' } };
  await press('Restore');
  await expect.element(heading('Sign in to Office')).toBeVisible();
  expect(bridge.argsOf('restoreArchive')).toEqual([
    [{ keepsKeys: false, isStolen: true, acceptsDamage: false }],
  ]);
});

test('an organization is restored from the first page', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  await openWindow(bridge);
  await press(/^Restore an organization/);
  await expect.element(heading('Restore an organization')).toBeVisible();
  await press('Open the backup');
  await expect.element(said('Choose the backup first.')).toBeVisible();
  await press('Choose a file…');
  await expect.element(said('Office-2026-11-22T12-30-00.hearth')).toBeVisible();
  const code = page.getByLabelText('Recovery code');
  await code.fill(recoveryCode);
  bridge.answer('inspectArchive', async () => failure('WRONG_CODE', 'Another code.', 'code'));
  await press('Open the backup');
  await expect.element(code).toHaveAccessibleDescription(/Another code\./);
  bridge.restore('inspectArchive');
  await press('Open the backup');
  await expect.element(page.getByRole('heading', { level: 2, name: 'Office' })).toBeVisible();
  await expect.element(said('apple river candle orbit lemon stone')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: /I do not know/ })).toBeChecked();
  bridge.answer('restoreArchive', async () => failure('DAMAGED', 'The archive is damaged.'));
  await press('Restore');
  await expect.element(said('The archive is damaged.')).toBeVisible();
  bridge.restore('restoreArchive');
  bridge.startState = { ...bridge.startState, canHost: false, hosted: { realmName: 'Office' } };
  await press('Restore what can be read');
  await expect.element(heading('Sign in to Office')).toBeVisible();
  expect(bridge.argsOf('restoreArchive')).toEqual([
    [{ keepsKeys: false, isStolen: false, acceptsDamage: false }],
    [{ keepsKeys: false, isStolen: false, acceptsDamage: true }],
  ]);
});

test('keys that the keychain has lost are opened by the recovery code, or made anew', async () => {
  bridge.hostingStatus = {
    ...{ phase: 'failed', code: 'HOST_SECRET_MISSING', reason: 'It is not in the keychain.' },
    ...{ port: 9981, isRetried: false },
  };
  await openWindow(bridge);
  await press('Recovery code…');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Recovery code').fill(recoveryCode);
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.argsOf('unlockHosting')).toEqual([[recoveryCode]]);
  await press('Recovery code…');
  await press('I do not have the code');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.argsOf('startHostingWithNewKeys')).toHaveLength(1);
});
