/** Somebody who is added today, in a browser. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, openTab, type Tab } from '../support/window/browser.ts';
import { row } from '../support/desktop/desktop-places.ts';
import { Mate } from '../support/window/office-mates.ts';
import { type RunningService, startService } from '../support/service/service.ts';

let browser: Browser;
let service: RunningService;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startService({ dev: true });
  const ada = await Mate.of(() => service.origin, 'ada');
  await ada.say('general', 'welcome', 'Our parachute hangs in the hall');
  await ada.say('engineering', 'plan', 'A parachute for engineers');
  const subscriptions = [{ name: 'closed' }];
  await ada.ask('POST', '/users/me/subscriptions', { subscriptions, invite_only: true });
  await ada.say('closed', 'plan', 'A parachute that nobody may see');
  await ada.ask('POST', '/users', {
    ...{ email: 'nora@example.com', password: 'a good password', full_name: 'Nora New' },
  });
  const principals = ['nora@example.com'];
  await ada.ask('POST', '/users/me/subscriptions', { subscriptions, principals });
});
afterAll(async () => {
  await browser.close();
  expect(await service.stop()).toBe(0);
});

async function enter(email: string): Promise<Tab> {
  const tab = await openTab(browser, service.origin);
  await tab.signIn(email);
  await tab.isSaid('Connected');
  return tab;
}

async function search(tab: Tab, text: string): Promise<void> {
  await tab.page.keyboard.press('Control+Shift+F');
  await tab.page.getByRole('combobox', { name: 'Search messages' }).fill(text);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText(/^\d+ results?\./).waitFor();
}

/** What is shown of the results, which follow their number. */
const results = async ({ messages }: Tab): Promise<readonly string[]> =>
  (await messages.allInnerTexts()).map((each) => /^.*parachute.*/m.exec(each)?.[0] ?? '');

describe('whoever came today', () => {
  test('a newcomer finds a word of yesterday in all that they may read, and nothing else', async () => {
    const tab = await enter('nora@example.com');
    await search(tab, 'parachute');
    await expect
      .poll(() => results(tab))
      .toEqual(['Our parachute hangs in the hall', 'A parachute for engineers']);
    expect(tab.complaints).toEqual([]);
  });

  test('a newcomer sees what was written in their streams in the feed and in Recent, all of it read', async () => {
    const { page, complaints, messages } = await enter('nora@example.com');
    await row(page, 'Combined feed').click();
    await messages.filter({ hasText: 'Our parachute hangs in the hall' }).waitFor();
    expect(await messages.count()).toBe(1);
    await row(page, 'Recent conversations').click();
    const list = page.getByRole('list', { name: 'Recent conversations' });
    await list.getByText('Our parachute hangs in the hall').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
    expect(await page.title()).not.toMatch(/\(\d+\)/);
    expect(complaints).toEqual([]);
  });

  test('a new guest finds what is in their own streams', async () => {
    const tab = await enter('gus@example.com');
    await search(tab, 'parachute');
    await expect.poll(() => results(tab)).toEqual(['Our parachute hangs in the hall']);
  });
});
