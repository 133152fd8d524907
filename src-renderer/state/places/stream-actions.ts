import type { Account } from '#shared/bridge/models/client.ts';
import type { View } from '#shared/bridge/models/conversation.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { RequestArguments, RequestName } from '#shared/bridge/requestable.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';
import { conversationLink, streamLink } from '#renderer/lib/links/links.ts';
import type { Overlays } from '../overlays.svelte.ts';
import type { OrganizationState } from '../organization.svelte.ts';

export interface StreamActionParts {
  readonly bridge: Bridge;
  readonly account: Account;
  readonly organization: OrganizationState;
  readonly overlays: Overlays;
}

/** What a person does with streams as a whole. What cannot be done says why in a notice. */
export class StreamActions {
  readonly #parts: StreamActionParts;

  constructor(parts: StreamActionParts) {
    this.#parts = parts;
  }

  togglePin(streamId: number): Promise<boolean> {
    const value = this.#parts.organization.findStream(streamId)?.isPinned !== true;
    return this.#set(streamId, [['pin_to_top', value]]);
  }

  toggleNotifications(streamId: number): Promise<boolean> {
    const value = this.#parts.organization.findStream(streamId)?.desktopNotifications !== true;
    return this.#set(streamId, [
      ['desktop_notifications', value],
      ['audible_notifications', value],
    ]);
  }

  setColor(streamId: number, color: string): Promise<boolean> {
    return this.#set(streamId, [['color', color]]);
  }

  async join(name: string): Promise<boolean> {
    return this.#request('streams.subscribe', { subscriptions: [{ name }] });
  }

  /** Fails with the reason. */
  async leave(name: string): Promise<Outcome<unknown>> {
    const { bridge, account } = this.#parts;
    const args = { subscriptions: [name] };
    return settled(() => bridge.request(account.id, 'subscriptions.unsubscribe', args));
  }

  linkTo(view: View): string | null {
    const { account, organization } = this.#parts;
    const names = {
      ownUserId: organization.ownUserId,
      streamNameOf: (streamId: number) => organization.streamNameOf(streamId),
    };
    if (view.kind === 'private') return conversationLink(account.address, view, names);
    if (view.kind !== 'stream') return null;
    const { streamId, topic } = view;
    return topic === null
      ? streamLink(account.address, streamId, names)
      : conversationLink(account.address, { kind: 'stream', streamId, topic }, names);
  }

  #set(
    streamId: number,
    properties: readonly (readonly [property: string, value: boolean | string])[],
  ): Promise<boolean> {
    const subscriptionData = properties.map(([property, value]) => ({
      stream_id: streamId,
      property,
      value,
    }));
    return this.#request('subscriptions.setProperties', { subscriptionData });
  }

  async #request<N extends RequestName>(name: N, args: RequestArguments<N>): Promise<boolean> {
    const { bridge, account, overlays } = this.#parts;
    const outcome = await settled(() => bridge.request(account.id, name, args));
    if (!outcome.ok) overlays.notify(outcome.failure.message);
    return outcome.ok;
  }
}
