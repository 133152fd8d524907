import type { ShownMessage, View } from '#shared/bridge/models/client.ts';
import { type Outcome, success } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';
import { termsOfView } from '../search-box.svelte.ts';

/** The first message of a view that was sent at a moment or later; null where there is none. */
export async function messageSince(
  bridge: Pick<Bridge, 'messages'>,
  accountId: string,
  view: View,
  fromSeconds: number,
): Promise<Outcome<ShownMessage | null>> {
  const first = async (asked: View, anchor: number): Promise<Outcome<ShownMessage | null>> => {
    const request = { view: asked, anchor, before: 0, after: 1 };
    const page = await settled(() => bridge.messages(accountId, request));
    if (!page.ok) return page;
    return success(page.value.messages.find(({ id }) => id >= anchor) ?? null);
  };
  const terms = [...termsOfView(view), { operator: 'sent-after', operand: fromSeconds }];
  const found = await first({ kind: 'search', terms }, 0);
  // A search reaches farther than some views.
  return found.ok && found.value !== null ? await first(view, found.value.id) : found;
}
