import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SaveRequest } from '#shared/bridge/models/client.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble, withPeople } from '#test/support/window/bridge-double.ts';
import { open, openWindow } from '../open-window.ts';

let bridge: BridgeDouble;
let saving: PromiseWithResolvers<Outcome<boolean>>;
beforeEach(async () => {
  bridge = new BridgeDouble();
  saving = Promise.withResolvers();
  bridge.answer('saveFile', () => saving.promise);
  const link = '<p><a href="/user_uploads/1/ab/the%20film.mkv">the film.mkv</a></p>';
  bridge.store(withPeople(9), link, { isRead: true });
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await page.getByRole('link', { name: 'the film.mkv' }).click();
});

const request = (): SaveRequest => bridge.argsOf('saveFile')[0]?.[1] as SaveRequest;
const progress = (percent: number) =>
  page.getByRole('progressbar', { name: `Saving the film.mkv, ${String(percent)} %` });

test('a file that is saved shows how far it is, until it is there', async () => {
  expect(bridge.argsOf('saveFile')[0]?.[0]).toBe(account.id);
  expect(request()).toMatchObject({
    url: '/user_uploads/1/ab/the%20film.mkv',
    name: 'the film.mkv',
  });
  // The person still chooses where it goes.
  await expect
    .element(page.getByRole('list', { name: 'Files that are being saved' }))
    .not.toBeInTheDocument();
  const { saveId } = request();
  bridge.push('saveProgress', { saveId, share: 0.42 });
  await expect.element(progress(42)).toBeVisible();
  bridge.push('saveProgress', { saveId: 'another one', share: 0.9 });
  bridge.push('saveProgress', { saveId, share: 0.43 });
  await expect.element(progress(43)).toBeVisible();
  saving.resolve(success(true));
  await expect.element(progress(43)).not.toBeInTheDocument();
});

test('a file that is saved is cancelled without a word', async () => {
  const { saveId } = request();
  bridge.push('saveProgress', { saveId, share: 0.1 });
  await page.getByRole('button', { name: 'Cancel saving the film.mkv' }).click();
  expect(bridge.argsOf('cancelSave')).toEqual([[saveId]]);
  saving.resolve(success(false));
  await expect.element(progress(10)).not.toBeInTheDocument();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('a file that cannot be saved says why', async () => {
  saving.resolve(failure('NOT_STORED', 'It could not be written there. Choose another place.'));
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/could not be saved\. It could not be written there/);
});
