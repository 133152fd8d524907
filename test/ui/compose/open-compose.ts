import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Place } from '#renderer/state/places/places.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import '#renderer/style/base.css';
import '#renderer/style/message.css';
import { account, type BridgeDouble } from '#test/support/window/bridge-double.ts';
import ComposeHost from './compose-host.svelte';

/** The compose box alone, in a place of the organization in memory. */
export async function openCompose(
  bridge: BridgeDouble,
  first: Place,
  size: { readonly width: number; readonly height: number } = { width: 844, height: 720 },
): Promise<Workspace> {
  await page.viewport(size.width, size.height);
  document.documentElement.lang = 'en';
  document.title = 'Hearth';
  const target = document.createElement('div');
  target.id = 'app';
  document.body.append(target);
  const ready = Promise.withResolvers<Workspace>();
  await render(ComposeHost, { target, props: { bridge, account, first, onready: ready.resolve } });
  return ready.promise;
}

export const textBox = () => page.getByRole('textbox', { name: 'Message', exact: true });
export const topicBox = () => page.getByRole('combobox', { name: 'Topic' });
export const option = (name: string | RegExp) => page.getByRole('option', { name });
export const button = (name: string | RegExp) => page.getByRole('button', { name });

export const field = (): HTMLTextAreaElement => textBox().element() as HTMLTextAreaElement;

/** Something is pasted into the box as the clipboard would hold it. */
export function paste(
  data: Readonly<Record<string, string>>,
  files: readonly File[] = [],
): boolean {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  return field().dispatchEvent(event);
}
