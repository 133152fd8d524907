/** Every key that is listed does what the list says, in a real window on a real service. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ComposeShortcutId, ListShortcutId, ShortcutId } from '#shared/bridge/keys/keys.ts';
import { launchChromium } from '../support/window/browser.ts';
import { keysOf, pressed } from '../support/window/keys.ts';
import { foundOffice, type Office } from '../support/life/office.ts';
import { drawPictures } from '../support/life/pictures.ts';
import type { Stage } from '../support/screens/stage.ts';
import {
  box,
  calm,
  go,
  message,
  onMessage,
  openStage,
  read,
  SHELF,
  signIn,
} from '../support/screens/stage.ts';

let browser: Browser;
let office: Office;
let stage: Stage & { readonly context: BrowserContext };
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  office = await foundOffice(await drawPictures(browser));
  stage = await openStage(browser, office, { width: 1100, height: 720 });
  ({ page } = stage);
  await signIn(stage);
});
afterAll(async () => {
  await browser.close();
  await office.service.stop();
});
beforeEach(() => calm(page));

const heading = (name: string | RegExp): Promise<void> =>
  page.locator('main h1').filter({ hasText: name }).waitFor();
const dialog = (name: string): Promise<void> => page.getByRole('dialog', { name }).waitFor();
const focusIs = (selector: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
const idOf = (key: string): number => office.ids.get(key) ?? -1;

/** Settles when the page has asked the service for this. */
const asks = (path: RegExp): Promise<unknown> =>
  page.waitForRequest((request) => request.method() !== 'GET' && path.test(request.url()));

interface Effect {
  /** Default: in the topic of the shelf, beside its messages, on the one that asks. */
  readonly from?: () => Promise<unknown>;
  /** What is to be seen; what it starts to wait for before the key counts from then on. */
  readonly then: () => Promise<unknown>;
  /** Undoes it by the same key. */
  readonly isToggle?: boolean;
}

const onQuestion = (): Promise<unknown> => onMessage(stage, 'question');

async function check(chord: string, { from = onQuestion, then, isToggle }: Effect): Promise<void> {
  await from();
  const seen = then();
  await page.keyboard.press(pressed(chord));
  await seen;
  if (isToggle === true) await page.keyboard.press(pressed(chord));
}

const isElsewhere = async (): Promise<void> => {
  await page.locator('main h1').filter({ hasNotText: SHELF }).waitFor();
};
const fromInbox = async (): Promise<void> => {
  await read(page, 'Topic', SHELF, 'Then let us show both');
  await go(page, 'View', 'Inbox');
};
const regionHas = (name: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => document.activeElement?.closest('[data-region]')?.matches(wanted),
    `:not([data-region="${name}"])`,
  );

/** Null: a browser has one organization, and these keys are its own. */
const anywhere: Readonly<Record<ShortcutId, Effect | null>> = {
  switcher: { then: () => focusIs('[aria-label="Stream, topic or person"]') },
  search: { then: () => focusIs('[aria-label="Search messages"]') },
  searchHere: { then: () => page.getByRole('button', { name: 'Remove stream: design' }).waitFor() },
  shortcuts: { then: () => dialog('Keyboard shortcuts') },
  nextUnreadTopic: { then: isElsewhere },
  nextUnreadPrivate: { then: isElsewhere },
  next: { then: isElsewhere },
  previous: { then: isElsewhere },
  nextUnread: { then: isElsewhere },
  previousUnread: { then: isElsewhere },
  back: { from: fromInbox, then: () => heading(SHELF) },
  forward: {
    from: async () => {
      await fromInbox();
      await page.keyboard.press('Alt+ArrowLeft');
      await heading(SHELF);
    },
    then: () => heading('Inbox'),
  },
  inbox: { then: () => heading('Inbox') },
  recent: { then: () => heading('Recent conversations') },
  feed: { then: () => heading('Combined feed') },
  mentions: { then: () => heading('Mentions') },
  starred: { then: () => heading('Starred messages') },
  drafts: { then: () => heading('Drafts') },
  write: { then: () => focusIs('textarea') },
  newPrivate: { then: () => dialog('New private message') },
  writing: { then: () => focusIs('textarea') },
  filter: { then: () => focusIs('[aria-label="Filter conversations"]') },
  filterPeople: { then: () => focusIs('[aria-label="Filter people"]') },
  nextRegion: { then: () => regionHas('messages') },
  previousRegion: { then: () => regionHas('messages') },
  leftColumn: {
    then: () =>
      page.getByRole('navigation', { name: 'Conversations' }).waitFor({ state: 'hidden' }),
    isToggle: true,
  },
  rightColumn: {
    then: () => page.getByRole('complementary').waitFor(),
    isToggle: true,
  },
  organization: null,
  nextOrganization: null,
  previousOrganization: null,
  markAllRead: { then: () => page.getByRole('alertdialog').waitFor() },
  doNotDisturb: {
    then: () => page.getByTitle('Do not disturb is on').waitFor(),
    isToggle: true,
  },
  settings: { then: () => dialog('Settings') },
};

describe('anywhere', () => {
  test.each(keysOf<ShortcutId>('anywhere').filter(({ id }) => anywhere[id] !== null))(
    '$chord: $id',
    async ({ id, chord }) => {
      const effect = anywhere[id];
      if (effect !== null) await check(chord, effect);
    },
  );
});

/** The message with the focus is another one, on this side of where it was. */
const moved = (isLater: boolean, key: string) => (): Promise<unknown> =>
  page.waitForFunction(
    ([later, from]) => {
      const id = Number(document.activeElement?.getAttribute('data-message-id') ?? Number.NaN);
      return later ? id > from : id < from;
    },
    [isLater, idOf(key)] as const,
  );
const at = (key: string) => (): Promise<unknown> => onMessage(stage, key);
const inFeed = async (): Promise<void> => {
  await read(page, 'View', 'Combined feed', 'Then let us show both');
  await message(stage, 'question').focus();
};
const onOwn = async (): Promise<void> => {
  await read(page, 'Topic', 'Band saw', 'the saw is off');
  await message(stage, 'own').focus();
};
const written = (text: string) => (): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => document.querySelector('textarea')?.value.includes(wanted),
    text,
  );
const shows = (key: string, text: string) => (): Promise<void> =>
  message(stage, key).filter({ hasText: text }).waitFor();

const onMessages: Readonly<Record<ListShortcutId, Effect>> = {
  nextMessage: { then: moved(true, 'question') },
  previousMessage: { then: moved(false, 'question') },
  pageDown: { from: at('photo'), then: moved(true, 'photo') },
  pageUp: { from: at('last'), then: moved(false, 'last') },
  firstMessage: { then: () => page.getByText('This is the beginning.').waitFor() },
  newestMessage: { from: at('photo'), then: () => message(stage, 'last').waitFor() },
  firstUnread: {
    from: at('last'),
    then: () =>
      page.waitForFunction(
        (id) => document.activeElement?.matches(id),
        `[data-message-id="${String(idOf('question'))}"]`,
      ),
  },
  reply: { then: () => focusIs('textarea') },
  quote: { then: written('quote') },
  replyPrivately: { then: () => heading('Inés Caldera') },
  mentionSender: { then: written('@**Inés Caldera') },
  openTopic: { then: isElsewhere },
  openConversation: { from: inFeed, then: () => heading(SHELF) },
  openInContext: { from: inFeed, then: () => heading(SHELF) },
  edit: { from: onOwn, then: () => focusIs('[aria-label="Text of the message"]') },
  react: { then: () => page.getByRole('grid').waitFor() },
  thumbsUp: { then: () => asks(/reactions/), isToggle: true },
  repeatReaction: { from: at('photo'), then: () => asks(/reactions/), isToggle: true },
  star: { then: shows('question', 'starred'), isToggle: true },
  muteTopic: {
    then: () => page.getByRole('button', { name: 'Unmute topic' }).waitFor(),
    isToggle: true,
  },
  markUnread: { from: at('photo'), then: () => asks(/flags/) },
  history: { from: at('price'), then: () => dialog('What was changed') },
  senderCard: { then: () => dialog('About Inés Caldera') },
  menu: { then: () => page.getByRole('menu').waitFor() },
  markRead: {
    from: async () => {
      await onQuestion();
      await page.keyboard.press('Escape');
    },
    then: () => asks(/mark_topic_as_read|flags/),
  },
};

describe('on a message', () => {
  test.each(keysOf<ListShortcutId>('list'))('$chord: $id', async ({ id, chord }) => {
    // Opened anew, at its first unread message.
    await go(page, 'View', 'Inbox');
    await check(chord, onMessages[id]);
    await calm(page);
    const writes = box(page);
    if (await writes.isVisible()) await writes.fill('');
  });
});

const inBox = async (): Promise<void> => {
  await read(page, 'Topic', 'Handles', 'Leather or brass');
  await box(page).fill('');
  await box(page).focus();
};
const value = (): Promise<string> => box(page).inputValue();

async function formats(chord: string, expected: string): Promise<void> {
  await inBox();
  await page.keyboard.type('oak');
  await page.keyboard.press('Control+a');
  await page.keyboard.press(pressed(chord));
  expect(await value()).toContain(expected);
  await box(page).fill('');
}

const whileWriting: Readonly<Record<ComposeShortcutId, (chord: string) => Promise<void>>> = {
  send: async (chord) => {
    await inBox();
    await page.keyboard.type(`Brass, said by ${chord}`);
    await page.keyboard.press(pressed(chord));
    await page
      .locator('[data-message-id]')
      .filter({ hasText: `said by ${chord}` })
      .waitFor();
  },
  newLine: async (chord) => {
    await inBox();
    await page.keyboard.type('one');
    await page.keyboard.press(pressed(chord));
    await page.keyboard.type('two');
    expect(await value()).toBe('one\ntwo');
    await box(page).fill('');
  },
  bold: (chord) => formats(chord, '**oak**'),
  italic: (chord) => formats(chord, '*oak*'),
  link: (chord) => formats(chord, '[oak]('),
  preview: async (chord) => {
    await inBox();
    await page.keyboard.type('**oak**');
    await page.keyboard.press(pressed(chord));
    await page.getByLabel('Preview of the message').getByText('oak', { exact: true }).waitFor();
    await page.keyboard.press(pressed(chord));
    await box(page).fill('');
  },
  pastePlain: async (chord) => {
    await inBox();
    await stage.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(async () => {
      const part = (type: string, text: string): Blob => new Blob([text], { type });
      const html = part('text/html', '<b>oak</b>');
      const text = part('text/plain', 'oak');
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/html': html, 'text/plain': text }),
      ]);
    });
    await page.keyboard.press('Control+v');
    await expect.poll(value).toBe('**oak**');
    await box(page).fill('');
    await page.keyboard.press(pressed(chord));
    await expect.poll(value).toBe('oak');
    await box(page).fill('');
  },
  editLast: async (chord) => {
    await onOwn();
    await box(page).focus();
    await page.keyboard.press(pressed(chord));
    await focusIs('[aria-label="Text of the message"]');
  },
  goThere: async (chord) => {
    await inBox();
    await page.getByRole('combobox', { name: 'Topic' }).fill('Hinges');
    await box(page).focus();
    await page.keyboard.type('Steel');
    await page.keyboard.press(pressed(chord));
    await heading('Hinges');
    expect(await value()).toBe('Steel');
    await box(page).fill('');
  },
  leave: async (chord) => {
    await inBox();
    await page.keyboard.type('to be continued');
    await page.keyboard.press(pressed(chord));
    await focusIs(':not(textarea)');
    expect(await value()).toBe('to be continued');
    await box(page).fill('');
  },
};

describe('while writing', () => {
  test.each(keysOf<ComposeShortcutId>('compose'))('$chord: $id', ({ id, chord }) =>
    whileWriting[id](chord),
  );
});
