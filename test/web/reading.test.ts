/** What was passed on the way down is read, on the service too: in a real browser, at a real service. */
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { act, heading, message, row, sidebar } from '../support/desktop/desktop-places.ts';
import { type RunningService, startService } from '../support/service/service.ts';
import { Mate } from '../support/window/office-mates.ts';

let browser: Browser;
let service: RunningService;
let ben: Mate;
let cleo: Mate;
beforeAll(async () => {
  browser = await launchChromium();
  service = await startService({ dev: true, args: ['--no-rate-limits'] });
  ben = await Mate.of(() => service.origin, 'ben');
  cleo = await Mate.of(() => service.origin, 'cleo');
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const UNREAD = 66;

async function say(topic: string): Promise<void> {
  for (let i = 1; i <= UNREAD; i += 1) {
    await ben.say('general', topic, `${topic}, ${String(i)}\nand more\nto read`);
  }
}

/** What the service says is unread there. */
async function unreadIn(topic: string): Promise<number> {
  const narrow = [
    { operator: 'topic', operand: topic },
    { operator: 'is', operand: 'unread' },
  ];
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  const { messages } = await cleo.ask('GET', '/messages', page);
  return (messages as readonly unknown[]).length;
}

async function openUnread(topic: string, first = `${topic}, 1 `): Promise<Page> {
  const { page, signIn, isSaid } = await openTab(browser, service.origin);
  await signIn('cleo@example.com');
  await isSaid('Connected');
  await row(page, 'general').click();
  await row(page, topic).click();
  await heading(page, topic).waitFor();
  await message(page, first).waitFor();
  return page;
}

/** No row of the left column says that anything is unread. */
const saysUnread = (page: Page): Promise<number> =>
  sidebar(page)
    .getByRole('button', { name: /unread/ })
    .count();

/** A row below the fold is in the page as well, and not read. */
const isInSight = (shown: Locator): Promise<boolean> =>
  shown.evaluate((element) => {
    const list = element.closest('[role=list]')?.getBoundingClientRect();
    return element.getBoundingClientRect().bottom <= (list?.bottom ?? 0) + 1;
  });

test('a jump to the newest leaves nothing unread, nor does what arrives at the end', async () => {
  await say('jump');
  expect(await unreadIn('jump')).toBe(UNREAD);
  const page = await openUnread('jump');
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await message(page, `jump, ${String(UNREAD)} `).waitFor();
  await expect.poll(() => unreadIn('jump')).toBe(0);
  await expect.poll(() => saysUnread(page)).toBe(0);
  await ben.say('general', 'jump', 'while they sit there');
  await message(page, 'while they sit there').waitFor();
  await expect.poll(() => unreadIn('jump')).toBe(0);
  await expect.poll(() => saysUnread(page)).toBe(0);
});

test('the wheel leaves nothing unread, however fast it turns', async () => {
  await say('wheel');
  const page = await openUnread('wheel');
  await message(page, 'wheel, 2 ').hover();
  const newest = message(page, `wheel, ${String(UNREAD)} `);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 20_000);
      return (await newest.isVisible()) && isInSight(newest);
    })
    .toBe(true);
  await expect.poll(() => unreadIn('wheel')).toBe(0);
  await expect.poll(() => saysUnread(page)).toBe(0);
});

test('an own message is marked unread with all that follows it', async () => {
  await ben.say('general', 'own', 'what do you think?');
  const page = await openUnread('own', 'what do you think?');
  const answer = await cleo.say('general', 'own', 'let me see');
  await ben.say('general', 'own', 'take your time');
  await message(page, 'take your time').waitFor();
  await expect.poll(() => unreadIn('own')).toBe(0);
  await act(page, 'let me see', 'Mark unread from here');
  await expect.poll(() => unreadIn('own')).toBe(2);
  expect(await cleo.flagsOf(answer)).not.toContain('read');
  await row(page, 'own').filter({ hasText: '2 unread messages' }).waitFor();
  await row(page, 'general').first().click();
  await row(page, 'own').click();
  await expect.poll(() => unreadIn('own')).toBe(0);
  await expect.poll(() => saysUnread(page)).toBe(0);
});
