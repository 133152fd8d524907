/** Whatever is pressed on a page, in a menu or in a dialog, the focus is on something afterwards. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, inTopic, withPeople } from '../support/window/bridge-double.ts';
import { heading, openWindow, row } from './open-window.ts';

const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);

const isNowhere = (): boolean => {
  const { activeElement } = document;
  return activeElement?.matches('body, main') !== false || !activeElement.checkVisibility();
};

const layers = 'dialog:modal, [role="menu"]';

/** What can be pressed in those parts, by what it is called; of those that are called the same, the first. */
function controlsIn(parts: string): ReadonlyMap<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  for (const each of document.querySelectorAll<HTMLElement>(
    `:is(${parts}) :is(button, [role="menuitem"], [role="switch"])`,
  )) {
    const name = each.getAttribute('aria-label') ?? each.textContent.trim();
    if (each.checkVisibility() && !found.has(name)) found.set(name, each);
  }
  return found;
}

/** @returns what it left without the focus */
async function pressIn(parts: string, name: string): Promise<readonly string[]> {
  const control = controlsIn(parts).get(name);
  if (control === undefined) return [];
  control.focus();
  control.click();
  // What follows takes a frame, or as long as a part of the window that is loaded for it.
  for (let frames = 0; frames < 120; frames += 1) {
    await frame();
    if (frames > 2 && !isNowhere()) return [];
  }
  return [name];
}

async function calm(): Promise<void> {
  for (let keys = 0; keys < 5 && document.querySelector(layers) !== null; keys += 1) {
    await userEvent.keyboard('{Escape}');
    await frame();
  }
}

async function goTo(name: string): Promise<void> {
  await calm();
  if (document.querySelector('main h1')?.textContent.trim().startsWith(name) === true) return;
  const entry = row(new RegExp(`^${name}`));
  if (entry.elements().length === 0)
    await userEvent.keyboard('{Control>}{Shift>}s{/Shift}{/Control}');
  (entry.element() as HTMLElement).click();
  await expect.element(heading(new RegExp(`^${name}`))).toBeVisible();
}

test.each([
  ['Inbox', 'nav, main'],
  ['Recent', 'main'],
  ['Starred', 'main'],
  ['Drafts', 'main'],
  ['All streams', 'main'],
  ['general', 'main, aside'],
  ['Ben Member', 'main, aside'],
])('whatever is pressed at %s leaves the focus on something', async (place, parts) => {
  navigator.clipboard.writeText = async () => undefined;
  const bridge = new BridgeDouble();
  bridge.answerRequest('streams.list', () => success({ streams: [] }));
  bridge.store(inTopic(1, 'lunch'), 'noodles', { isStarred: true });
  bridge.store(withPeople(9), 'hello Ada');
  await openWindow(bridge, { width: 1100, height: 900 });
  await expect.element(row(/general/)).toBeVisible();
  await goTo(place);
  const lost: string[] = [];
  const names = [...controlsIn(parts).keys()];
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    await goTo(place);
    lost.push(...(await pressIn(parts, name)));
    const inner = document.querySelector(layers) === null ? [] : [...controlsIn(layers).keys()];
    for (const each of inner.slice(0, 25)) {
      if (document.querySelector(layers) === null) {
        await goTo(place);
        await pressIn(parts, name);
      }
      lost.push(...(await pressIn(layers, each)).map((what) => `${name} › ${what}`));
      if (page.getByRole('main').elements().length === 0) break;
    }
  }
  expect(lost).toEqual([]);
});

test('whatever is pressed in the settings leaves the focus on something', async () => {
  navigator.clipboard.writeText = async () => undefined;
  await openWindow(new BridgeDouble(), { width: 1100, height: 900 });
  await expect.element(row(/general/)).toBeVisible();
  const lost: string[] = [];
  const openPage = async (at: number): Promise<void> => {
    while (document.querySelectorAll('dialog:modal').length > 1)
      await userEvent.keyboard('{Escape}');
    if (document.querySelector('dialog:modal') === null) {
      await userEvent.keyboard('{Control>},{/Control}');
      await expect.element(page.getByRole('tab').first()).toBeVisible();
    }
    (page.getByRole('tab').nth(at).element() as HTMLElement).click();
    await frame();
  };
  await openPage(0);
  for (let at = 0; at < page.getByRole('tab').elements().length; at += 1) {
    await openPage(at);
    for (const name of controlsIn('.settings-page').keys()) {
      await openPage(at);
      lost.push(...(await pressIn('.settings-page', name)));
    }
  }
  expect(lost).toEqual([]);
});
