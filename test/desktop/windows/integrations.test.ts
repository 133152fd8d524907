import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DesktopApp, openApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { closeDialog, main, openSettings, row } from '#test/support/desktop/desktop-places.ts';

const SECRET = 'quiet water';
const repository = { name: 'site', html_url: 'https://git.example/site' };
const sender = { login: 'ann' };

let profile: Profile;
let app: DesktopApp;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

/** Delivers as GitHub does; answers the status. */
async function deliver(
  address: string,
  { event, payload, secret }: { event: string; payload: object; secret: string },
): Promise<number> {
  const body = JSON.stringify({ ...payload, repository, sender });
  const { status } = await fetch(address, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
  return status;
}

/** Keeps a picture where the environment names a folder for it. */
async function picture(name: string): Promise<void> {
  const folder = process.env['HEARTH_SCREENSHOTS'];
  if (folder !== undefined) await app.page.screenshot({ path: join(folder, `${name}.png`) });
}

test('GitHub is set up by clicking, its first delivery shows, and a refused one is found and sent again', async () => {
  const { page } = app;
  const dialog = await openSettings(page, 'Integrations');
  await dialog.getByRole('textbox', { name: 'Find a service' }).fill('github');
  await picture('integrations');
  await dialog.getByRole('button', { name: /^GitHub/ }).click();
  await dialog.getByRole('combobox', { name: 'Stream' }).selectOption('#general');
  await dialog.getByRole('textbox', { name: 'Secret' }).fill(SECRET);
  await picture('integration-new');
  await dialog.getByRole('button', { name: 'Set up' }).click();
  const address = await dialog
    .getByRole('textbox', { name: 'Address for the service' })
    .inputValue();
  await dialog.getByText('Waiting for the first message …').waitFor();
  await dialog.getByText(/of this computer alone/).waitFor();
  await picture('integration-waiting');

  const ping = { event: 'ping', payload: { zen: 'Calm' }, secret: SECRET };
  expect(await deliver(address, ping)).toBe(200);
  await dialog.getByText('The first message is here.').waitFor();
  await picture('integration-here');

  const issue = {
    event: 'issues',
    payload: {
      action: 'opened',
      issue: { number: 7, title: 'The tea is cold', html_url: 'https://git.example/7' },
    },
    secret: 'loud water',
  };
  expect(await deliver(address, issue)).toBe(401);
  await dialog.getByRole('button', { name: 'All integrations' }).click();
  await dialog.getByRole('button', { name: 'Deliveries of GitHub' }).click();
  await dialog.getByRole('button', { name: /issues.*Refused/ }).click();
  await dialog.getByText(/signature is missing or not right/).waitFor();
  await picture('delivery-refused');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('Sent again: posted.').waitFor();
  await dialog.getByRole('button', { name: /issues.*Sent again.*Posted/ }).waitFor();
  await closeDialog(dialog);
  await row(page, 'general').click();
  await main(page).getByText('The tea is cold').first().waitFor();
});
