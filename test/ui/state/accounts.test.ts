import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { Application } from '#renderer/state/application.svelte.ts';
import { account, BridgeDouble } from '#test/support/window/bridge-double.ts';
import { openWindow } from '../open-window.ts';

test('whoever signs in again stands where they stood, and a new account comes last', async () => {
  const second = { ...account, id: '4@http://b.example' };
  const third = { ...account, id: '5@http://c.example' };
  const bridge = new BridgeDouble({ accounts: [account, second] });
  const application = new Application(bridge);
  await application.start();
  const request = { address: account.address, email: account.email, password: 'a password' };
  for (const joined of [account, third, account]) {
    bridge.answer('connect', async () => success(joined));
    await application.connect(request);
    expect(application.account?.id).toBe(joined.id);
  }
  expect(application.accounts.map(({ id }) => id)).toEqual([account.id, second.id, third.id]);
});

test('two accounts of one organization are told apart in the rail, by name and address', async () => {
  const other = {
    ...account,
    id: '9@office',
    userId: 9,
    fullName: 'Ada Other',
    email: 'o@a.example',
  };
  const elsewhere = { ...account, id: '4@http://b.example', realmName: 'Side Project', userId: 4 };
  const bridge = new BridgeDouble({ accounts: [account, other, elsewhere] });
  await openWindow(bridge);
  const rail = page.getByRole('navigation', { name: 'Organizations' });
  const named = (name: string) => rail.getByRole('button', { name });
  await expect.element(named('Office, Ada Other (o@a.example)')).toBeVisible();
  await expect
    .element(named(`Office, ${account.fullName} (${account.email})`))
    .toHaveAttribute('aria-current', 'true');
  expect(rail.element().querySelectorAll('[data-initials]')).toHaveLength(2);
});
