import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { View } from '#shared/bridge/models/client.ts';
import { Preferences } from '#renderer/state/settings/preferences.svelte.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import { account, type BridgeDouble } from '#test/support/window/bridge-double.ts';
import Conversation from './conversation.svelte';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The message list of a view, with its header and a plain box to write in. */
export async function openConversation(
  bridge: BridgeDouble,
  view: View,
  size: Size = { width: 1000, height: 640 },
): Promise<Workspace> {
  await page.viewport(size.width, size.height);
  document.documentElement.lang = 'en';
  document.title = 'Hearth';
  const preferences = new Preferences(bridge);
  await preferences.load();
  let opened: Workspace | undefined;
  const target = document.createElement('div');
  target.id = 'app';
  document.body.append(target);
  await render(Conversation, {
    target,
    props: { bridge, account, preferences, start: view, onopen: (it: Workspace) => (opened = it) },
  });
  if (opened === undefined) throw new Error('nothing was opened');
  return opened;
}

/** The element that scrolls the messages. */
export function scroller(): HTMLElement {
  const found = document.querySelector<HTMLElement>('[role="list"][aria-label="Messages"]');
  if (found === null) throw new Error('no message list is shown');
  return found;
}

export const isAtEnd = (): boolean => {
  const { scrollHeight, scrollTop, clientHeight } = scroller();
  return scrollHeight - scrollTop - clientHeight < 2;
};

/** Scrolls as the wheel does: what follows is the reader's own. */
export function wheelTo(top: number): void {
  const list = scroller();
  list.dispatchEvent(new WheelEvent('wheel', { deltaY: top - list.scrollTop, bubbles: true }));
  list.scrollTop = top;
}

export const rowCount = (): number => document.querySelectorAll('[data-message-id]').length;

/** Waits until rows that were drawn for the first time are measured, and nothing moves any more. */
export async function settled(): Promise<void> {
  let seen = '';
  for (let stillFrames = 0; stillFrames < 12;) {
    await new Promise(requestAnimationFrame);
    const { scrollTop, scrollHeight } = scroller();
    const now = `${String(scrollTop)} ${String(scrollHeight)} ${String(rowCount())}`;
    stillFrames = now === seen ? stillFrames + 1 : 0;
    seen = now;
  }
}

/** The first message that is visible from its top on. */
export function firstVisible(): HTMLElement {
  const top = scroller().getBoundingClientRect().top;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')];
  const found = rows.find((row) => row.getBoundingClientRect().top >= top);
  if (found === undefined) throw new Error('no message is visible');
  return found;
}
