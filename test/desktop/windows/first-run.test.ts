import { once } from 'node:events';
import keytar from 'keytar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST_SECRET } from '#desktop/system/keychain.ts';
import {
  administrator,
  createProfile,
  filesHolding,
  hostOrganization,
  keyInKeychain,
  openAgain,
  openApp,
  submitOrganization,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { occupy } from '#test/support/ports.ts';
import { call } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp | undefined;
beforeEach(async () => {
  profile = await createProfile();
});
afterEach(async () => {
  await app?.quit();
  app = undefined;
  await profile.remove();
});

test('an organization is created in the window, and its service knows the administrator', async () => {
  app = await openApp(profile);
  await hostOrganization(app.page);
  await expect.poll(() => app!.page.title()).toContain('Lantern Office');
  const credentials = { email: administrator.email, key: await keyInKeychain(profile) };
  const { status, body } = await call(profile.origin, credentials, 'GET', '/users/me');
  expect({ status, name: body['full_name'], isAdmin: body['is_admin'] }).toEqual({
    status: 200,
    name: administrator.fullName,
    isAdmin: true,
  });
});

test('the API key, the secret of the service and the password are in no file of the profile and in no log', async () => {
  app = await openApp(profile);
  await hostOrganization(app.page);
  const hostSecret = await keytar.getPassword(profile.keychain, HOST_SECRET);
  expect(hostSecret).toMatch(/^[0-9a-f]{64}$/);
  const secrets = [await keyInKeychain(profile), hostSecret!, administrator.password];
  // The search finds what is there.
  expect(await filesHolding(profile.dir, administrator.email)).not.toEqual([]);
  for (const secret of secrets) expect(await filesHolding(profile.dir, secret)).toEqual([]);
  await app.quit();
  for (const secret of secrets) {
    expect(await filesHolding(profile.dir, secret)).toEqual([]);
    expect(app.stderr()).not.toContain(secret);
  }
});

test('without a keychain nothing is created, and the form says what to do', async () => {
  app = await openApp(profile, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' });
  await submitOrganization(app.page);
  await app.page.getByText(/keychain of this computer/).waitFor();
  await expect(fetch(profile.origin)).rejects.toThrow();
  await app.page.reload();
  await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
});

test('a port in use is said in the form, and the same form works once it is free', async () => {
  const other = await occupy(profile.port);
  app = await openApp(profile);
  await submitOrganization(app.page);
  await app.page.getByText(`Port ${profile.port}`).waitFor();
  other.close();
  await once(other, 'close');
  await app.page.getByRole('button', { name: 'Create organization' }).click();
  await waitForMainView(app.page);
});

test('a port that is none is refused on the command line', async () => {
  const { code, stderr } = await openAgain(profile, ['--port', 'http']);
  expect(code).toBe(2);
  expect(stderr).toContain("--port takes a number from 0 to 65535, not 'http'");
});
