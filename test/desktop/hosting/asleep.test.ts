/** The computer that hosts goes to sleep, as a logind of the test's own says. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  administrator,
  createProfile,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import {
  addColleague,
  colleaguePassword,
  type Colleague,
} from '#test/support/desktop/desktop-colleague.ts';
import { composeBox, freshness, main, open, signIn } from '#test/support/desktop/desktop-places.ts';
import { call } from '#test/support/service/service.ts';
import { startSystemBus, type SystemBus } from '#test/support/desktop/system-bus.ts';

let bus: SystemBus;
let profiles: readonly [Profile, Profile];
let host: DesktopApp;
let member: DesktopApp;
let ben: Colleague;
beforeAll(async () => {
  bus = await startSystemBus();
  profiles = [await createFoundedProfile(), await createProfile()];
  host = await openApp(profiles[0], bus.env);
  await waitForOffice(host.page);
  ben = await addColleague(profiles[0], 'Ben Member');
  member = await openApp(profiles[1]);
  await member.page.getByText('Connect to an existing one').click();
  const { origin } = profiles[0];
  await signIn(member.page, { origin, email: ben.email, password: colleaguePassword });
  await waitForMainView(member.page);
});
afterAll(async () => {
  await member.quit();
  await host.quit();
  await Promise.all(profiles.map((profile) => profile.remove()));
  await bus.stop();
});

const delay = /"sleep"\s+string "Hearth"\s+string "[^"]*"\s+string "delay"/;

/** What a window says of its connection from now on. */
const noteStatus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const noted = new Set<string>();
    const look = (): void => {
      const status = document.querySelector('nav [role=status]')?.textContent ?? '';
      document.documentElement.dataset['noted'] = [...noted.add(status.trim())].join();
    };
    look();
    new MutationObserver(look).observe(document.querySelector('nav')!, {
      ...{ subtree: true, childList: true, characterData: true },
    });
  });
const notedStatus = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (document.documentElement.dataset['noted'] ?? '').split(','));

/** What Ben and the person at the host have told each other, as the service has it. */
async function said(): Promise<readonly string[]> {
  const { body } = await call(profiles[0].origin, ben, 'GET', '/messages', {
    ...{ anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false },
    narrow: [['pm-with', administrator.email]],
  });
  return (body['messages'] as readonly { readonly content: string }[]).map(
    ({ content }) => content,
  );
}

async function write(content: string): Promise<void> {
  await composeBox(member.page).fill(content);
  await composeBox(member.page).press('Enter');
}

const saysMember = (): Promise<string | null> => freshness(member.page).textContent();
const asleep = /Asleep since \d+:\d\d/;

/** As Electron tells it; a page of Chromium stands still while its system says that it sleeps. */
const tellHost = (event: 'suspend' | 'resume'): Promise<void> =>
  host.electron.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event);

test('whoever sits at the computer that hosts sees nothing of its sleep', async () => {
  await noteStatus(host.page);
  await expect.poll(saysMember).toContain('Connected');
  await tellHost('suspend');
  await expect.poll(saysMember).toMatch(asleep);
  await tellHost('resume');
  await expect.poll(saysMember).toContain('Connected');
  expect(await notedStatus(host.page)).toEqual(['Connected']);
});

test('a member reads at once since when the computer that hosts sleeps, which is let go then, and what was written meanwhile arrives once it wakes', async () => {
  await ben.write('good night');
  await open(member.page, 'Ada Admin');
  await expect.poll(saysMember).toContain('Connected');
  await expect.poll(bus.inhibitors).toMatch(delay);
  await bus.sleep(true);
  await expect.poll(saysMember).toMatch(asleep);
  await expect.poll(bus.inhibitors).not.toMatch(delay);
  await write('written while it sleeps');
  await main(member.page).getByText('Waiting for the connection').waitFor();
  await bus.sleep(false);
  await expect.poll(saysMember).toContain('Connected');
  await expect.poll(said).toEqual(['good night', 'written while it sleeps']);
  await expect.poll(bus.inhibitors).toMatch(delay);
});
