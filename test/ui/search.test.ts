import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { MessagePageRequest } from '#shared/bridge/models/client.ts';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, inTopic, withPeople } from '../support/window/bridge-double.ts';
import { heading, messageList, open, openWindow } from './open-window.ts';

let bridge: BridgeDouble;
let isComplete = true;
let isOwnComplete = false;
beforeEach(() => {
  isComplete = true;
  isOwnComplete = false;
  bridge = new BridgeDouble();
  for (let i = 0; i < 3; i += 1) bridge.store(inTopic(1, 'lunch'), `noodles ${String(i)}`);
  bridge.store(withPeople(9), 'hello Ada');
  const plainly = bridge.messages;
  const search = async (id: string, request: MessagePageRequest): ReturnType<typeof plainly> => {
    if (request.view.kind !== 'search') {
      bridge.restore('messages');
      const answer = await plainly(id, request);
      bridge.answer('messages', search);
      return answer;
    }
    const words = request.view.terms.find(({ operator }) => operator === 'search')?.operand;
    const all = bridge.messageList.filter(({ rendered }) => rendered.includes(String(words)));
    // The oldest ones fit best here, and one fits worse than all that there is room for.
    const isRanked = request.view.order === 'relevance';
    const found = isRanked ? all.slice(0, -1) : all;
    return success({
      messages: found.map((message) => ({
        ...message,
        match: {
          rendered: message.rendered.replace(
            String(words),
            `<span class="highlight">${String(words)}</span>`,
          ),
          topic: '',
        },
      })),
      anchorId: null,
      hasOldest: !isRanked,
      hasNewest: true,
      isComplete,
      isOwnComplete,
    });
  };
  bridge.answer('messages', search);
});

const field = () => page.getByRole('combobox', { name: 'Search messages' });
const option = (name: string | RegExp) => page.getByRole('option', { name });
const searched = (): unknown =>
  bridge
    .argsOf('messages')
    .map(([, request]) => (request as MessagePageRequest).view)
    .findLast(({ kind }) => kind === 'search');

/** The field of the search, in a window that shows the inbox. */
async function openSearch(): Promise<void> {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('/');
  await expect.element(field()).toHaveFocus();
}

test('what is typed right after the key for searching stands in the field', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}noodles');
  await expect.element(field()).toHaveValue('noodles');
});

test('a search everywhere finds words, says how many, and highlights them', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('noodles{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  await expect.element(page.getByText(/3 results\. End of results\./)).toBeVisible();
  expect(searched()).toEqual({
    kind: 'search',
    terms: [{ operator: 'search', operand: 'noodles' }],
  });
  expect(messageList().element().querySelectorAll('.highlight')).toHaveLength(3);
});

test('a search in a conversation begins with it as filters, which can be removed', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await userEvent.keyboard('{Control>}f{/Control}');
  await expect.element(page.getByRole('button', { name: 'Remove stream: general' })).toBeVisible();
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('noodles{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  expect(searched()).toEqual({
    kind: 'search',
    terms: [
      { operator: 'stream', operand: 1 },
      { operator: 'search', operand: 'noodles' },
    ],
  });
  await page.getByRole('button', { name: 'Remove stream: general' }).click();
  await expect.element(field()).toHaveFocus();
});

test('filters complete themselves, and a minus turns them around', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('/');
  await expect.element(option(/^stream:/)).toBeVisible();
  await userEvent.keyboard('-send{Tab}');
  await expect.element(option(/-sender:Ben Member/)).toBeVisible();
  await userEvent.keyboard('zurch{Enter}');
  await expect
    .element(page.getByRole('button', { name: 'Remove not sender: Cleo Zürcher' }))
    .toBeVisible();
  await userEvent.keyboard('is:unr{Enter}noodles{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  expect(searched()).toEqual({
    kind: 'search',
    terms: [
      { operator: 'sender', operand: 10, negated: true },
      { operator: 'is', operand: 'unread' },
      { operator: 'search', operand: 'noodles' },
    ],
  });
});

test('days are typed, become chips that can be read, and come back with going back', async () => {
  await openSearch();
  await userEvent.keyboard('noodles after:2025-11-03 bef{Tab}');
  const chip = page.getByRole('button', { name: /^Remove after: Mon.*2025$/ });
  await expect.element(chip).toBeVisible();
  await expect.element(option(/^before:yesterday/)).toBeVisible();
  await userEvent.keyboard('2026-02-30{Enter}');
  await expect.element(field()).toHaveAccessibleDescription('There is no such day as 2026-02-30.');
  await userEvent.keyboard('{Backspace>2/}01{Enter}');
  await expect
    .element(page.getByRole('button', { name: /^Remove before: Sun.*2026$/ }))
    .toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  const terms = [
    { operator: 'sent-after', operand: new Date(2025, 10, 4).getTime() / 1000 },
    { operator: 'sent-before', operand: new Date(2026, 1, 1).getTime() / 1000 },
    { operator: 'search', operand: 'noodles' },
  ];
  expect(searched()).toEqual({ kind: 'search', terms });
  await open(/^general/, 'general');
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(heading('Search')).toBeVisible();
  await expect.element(chip).toBeVisible();
  await expect.element(field()).toHaveValue('noodles');
  // It is what the shell keeps, and what a window that is made anew opens with.
  const kept = bridge.argsOf('savePlace').at(-1)?.[0] as { readonly place: string };
  expect(JSON.parse(kept.place)).toMatchObject({ place: { kind: 'search', terms } });
});

test('a filter that means nothing is explained at the field', async () => {
  await openSearch();
  await userEvent.keyboard('stream:nowhere{Enter}');
  await expect
    .element(field())
    .toHaveAccessibleDescription(/There is no stream called nowhere here\./);
  await expect.element(heading('Inbox')).toBeVisible();
});

test('a result opens in its conversation, and going back returns to it', async () => {
  await openSearch();
  await userEvent.keyboard('noodles{Enter}');
  await expect.element(page.getByText(/3 results/)).toBeVisible();
  const second = bridge.messageList[1]?.id ?? 0;
  const message = (id: number) =>
    document.querySelector<HTMLElement>(`[data-message-id="${String(id)}"]`);
  await expect.poll(() => message(second)).not.toBeNull();
  message(second)?.focus();
  await userEvent.keyboard('z');
  await expect.element(heading(/lunch/)).toBeVisible();
  expect(bridge.argsOf('messages').at(-1)?.[1]).toMatchObject({ anchor: second });
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(heading('Search')).toBeVisible();
  await expect.element(field()).toHaveValue('noodles');
  await expect.poll(() => message(second)).not.toBeNull();
});

test('results are put in the order of relevance, which stays from search to search', async () => {
  const texts = (): readonly string[] =>
    [...messageList().element().querySelectorAll('[data-message-id] .highlight')].map(
      (mark) => mark.closest('[data-message-id]')?.textContent ?? '',
    );
  const order = (name: string) =>
    page.getByRole('group', { name: 'Order of the results' }).getByRole('button', { name });
  const asked = (): unknown =>
    bridge
      .argsOf('messages')
      .map(([, request]) => request as MessagePageRequest)
      .findLast(({ view }) => view.kind === 'search');
  await openSearch();
  await userEvent.keyboard('noodles{Enter}');
  await expect.element(page.getByText(/3 results\. End of results\./)).toBeVisible();
  await expect.element(order('Newest')).toHaveAttribute('aria-pressed', 'true');

  await order('Most relevant').click();
  await expect.element(order('Most relevant')).toHaveAttribute('aria-pressed', 'true');
  const line = page.getByText('The 2 results that fit best, out of the newest.');
  await expect.element(line).toBeVisible();
  const terms = [{ operator: 'search', operand: 'noodles' }];
  const ranked = { kind: 'search', terms, order: 'relevance' };
  expect(asked()).toEqual({ view: ranked, anchor: 'newest', before: 100, after: 0 });
  await expect
    .poll(texts)
    .toEqual([expect.stringContaining('noodles 0'), expect.stringContaining('noodles 1')]);
  // Each by itself: with its sender, below its day and its conversation.
  const first = bridge.messageList[0]?.id ?? 0;
  expect(messageList().element().querySelectorAll('.message .name')).toHaveLength(2);
  await expect.element(messageList().getByRole('button', { name: /lunch/ }).first()).toBeVisible();

  // One that fits is opened where it was written, and going back leads to the same order.
  const message = (id: number) =>
    document.querySelector<HTMLElement>(`[data-message-id="${String(id)}"]`);
  message(first)?.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading(/lunch/)).toBeVisible();
  expect(bridge.argsOf('messages').at(-1)?.[1]).toMatchObject({ anchor: first });
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(order('Most relevant')).toHaveAttribute('aria-pressed', 'true');

  await field().click();
  await userEvent.keyboard('{Control>}a{/Control}hello{Enter}');
  await expect
    .poll(() => (asked() as MessagePageRequest).view)
    .toMatchObject({
      terms: [{ operator: 'search', operand: 'hello' }],
      order: 'relevance',
    });
  await order('Newest').click();
  await expect
    .poll(() => (asked() as MessagePageRequest).view)
    .toEqual({
      kind: 'search',
      terms: [{ operator: 'search', operand: 'hello' }],
    });

  // Elsewhere a search begins with the newest.
  await order('Most relevant').click();
  await open(/^general/, 'general');
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('noodles{Enter}');
  await expect.element(order('Newest')).toHaveAttribute('aria-pressed', 'true');
});

test('a search without words has no order of relevance', async () => {
  await openSearch();
  await userEvent.keyboard('is:starred{Enter}{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  await expect
    .element(page.getByRole('group', { name: 'Order of the results' }))
    .not.toBeInTheDocument();
});

test('offline a search says what it could not look through, and nothing found says so', async () => {
  isComplete = false;
  bridge.connectionState = {
    state: 'offline',
    liveUntilSeconds: 1_767_600_000,
    reason: 'No network.',
  };
  await openSearch();
  await userEvent.keyboard('nowhere{Enter}');
  const line = page.getByText(/Only messages that are on this computer were searched\. As of/);
  await expect.element(line).toBeVisible();
  await expect.element(page.getByText('No results')).toBeVisible();
});

test('offline a search of all that one is in says that other streams were not looked through', async () => {
  isComplete = false;
  isOwnComplete = true;
  bridge.connectionState = { state: 'offline', liveUntilSeconds: null, reason: 'No network.' };
  await openSearch();
  await userEvent.keyboard('nowhere{Enter}');
  const line = page.getByText(/Public streams that you are not in can only be searched/);
  await expect.element(line).toBeVisible();
  const hint = 'Public streams that you are not in are searched when the connection is back.';
  await expect.element(page.getByText(hint)).toBeVisible();
  await expect.element(page.getByText(/on this computer/)).not.toBeInTheDocument();
});

test('Escape closes the list first, then the field, and gives the focus back', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(page.getByText('noodles 2')).toBeVisible();
  await userEvent.keyboard('{Control>}f{/Control}');
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('x{Backspace}');
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).not.toBeInTheDocument();
});

test('Enter searches as soon as what is typed is whole, and the cross empties the field', async () => {
  await openSearch();
  await userEvent.keyboard('has:image{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  expect(searched()).toEqual({ kind: 'search', terms: [{ operator: 'has', operand: 'image' }] });
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect.element(field()).toHaveFocus();
  await expect.element(page.getByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Close the search' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test.each(['/', '{Control>}f{/Control}', '{Control>}{Shift>}f{/Shift}{/Control}'])(
  'typing after %s takes the place of the words that stand there',
  async (key) => {
    await openSearch();
    await userEvent.keyboard('noodles{Enter}');
    await expect.element(heading('Search')).toBeVisible();
    await expect.element(page.getByText(/3 results/)).toBeVisible();
    await page.getByRole('listitem', { name: /noodles 2/ }).click();
    await userEvent.keyboard(key);
    await expect.element(field()).toHaveFocus();
    await expect.element(field()).toHaveValue('noodles');
    await userEvent.keyboard('pizza');
    await expect.element(field()).toHaveValue('pizza');
  },
);

test('a search that was cleared stays cleared, and filters are selected and taken away with the text', async () => {
  await openSearch();
  await userEvent.keyboard('is:unread noodles{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  const chips = page.getByRole('button', { name: /^Remove/ });
  await expect.element(chips).toBeVisible();
  await userEvent.keyboard('{Control>}a{/Control}{Delete}');
  await expect.element(chips).not.toBeInTheDocument();
  await expect.element(field()).toHaveValue('');
  await userEvent.keyboard('{Escape}{Escape}');
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue('');
  await expect.element(chips).not.toBeInTheDocument();
  await userEvent.keyboard('has:image soup{Enter}');
  await expect.element(chips).toBeVisible();
  (field().element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}a{/Control}tea');
  await expect.element(chips).not.toBeInTheDocument();
  await expect.element(field()).toHaveValue('tea');
});

test('the header of a conversation jumps to a day', async () => {
  const day = (n: number) => new Date(2026, 2, n, 12).getTime() / 1000;
  const deploys = inTopic(1, 'deploys');
  for (let n = 1; n <= 6; n += 1)
    bridge.store(deploys, `of day ${String(n)}`, { sentAtSeconds: day(n * 2), isRead: true });
  const since = new Date(2026, 2, 5).getTime() / 1000;
  const answer = async (
    id: string,
    request: MessagePageRequest,
  ): ReturnType<BridgeDouble['messages']> => {
    const { view } = request;
    if (view.kind !== 'search') {
      bridge.restore('messages');
      const plainly = await bridge.messages(id, request);
      bridge.answer('messages', answer);
      return plainly;
    }
    expect(view.terms).toEqual([
      { operator: 'stream', operand: 1 },
      { operator: 'sent-after', operand: since },
    ]);
    const found = bridge.messageList.filter(({ rendered }) => /of day [3-6]/.test(rendered));
    const whole = { hasOldest: true, hasNewest: false, isComplete: true };
    return success({ messages: found.slice(0, 1), anchorId: null, ...whole });
  };
  bridge.answer('messages', answer);
  await openWindow(bridge);
  await open(/^general/, 'general');
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  await page.getByLabelText('Day').fill('2026-03-05');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('listitem', { name: /of day 3/ })).toHaveFocus();
});

test('the days that are offered to jump to say why', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  for (const reason of ['today', 'yesterday', 'a week ago']) {
    const offered = page.getByRole('button', { name: new RegExp(`^${reason}.*\\d{4}$`, 'i') });
    await expect.element(offered).toBeVisible();
  }
});

describe('while the index of searches is being made', () => {
  /** The oldest message that is in it. */
  let from = Infinity;
  beforeEach(() => {
    from = Infinity;
    bridge.answer('messages', async (_, { view, anchor, before }) => {
      const at = typeof anchor === 'number' ? anchor : Infinity;
      const first = bridge.messageList[0]?.id ?? 0;
      const hits = bridge.messageList.filter(
        ({ rendered, id }) => rendered.includes('noodles') && id >= from && id < at,
      );
      const isWhole = from <= first || view.kind !== 'search';
      return success({
        messages: hits.slice(-before).map((each) => ({ ...each, match: null })),
        ...{ anchorId: null, hasOldest: isWhole, hasNewest: true, isComplete: true },
        ...(isWhole ? {} : { isIndexing: true }),
      });
    });
  });

  test('a search says that older messages are missing, and completes its list by itself', async () => {
    const status = page.getByRole('status').filter({ hasText: 'prepared for search' });
    const more = 'Older messages are still being prepared for search.';
    await openSearch();
    await userEvent.keyboard('noodles{Enter}');
    await expect.element(heading('Search')).toBeVisible();
    await expect.element(status).toHaveTextContent(`No results yet. ${more}`);
    await expect.element(page.getByText('Nothing was found yet')).toBeVisible();
    from = bridge.messageList[1]?.id ?? 0;
    await expect.element(status).toHaveTextContent(`2 results. ${more}`);
    // At the end of the list too, where scrolling asks for nothing.
    await expect.element(messageList().getByText(more)).toBeVisible();
    from = 0;
    await expect.element(page.getByText(/3 results\. End of results\./)).toBeVisible();
    await expect.element(status).not.toBeInTheDocument();
  });
});
