import { PICTURE_MIB } from '#shared/api/bounds.ts';
import type { DisplaySettings, NotificationSettings } from '#shared/api/models/settings.ts';
import { failure, type Outcome } from '#shared/bridge/outcome.ts';
import type { RequestArguments, RequestName, RequestResult } from '#shared/bridge/requestable.ts';
import { nextPageId } from '#renderer/lib/page-id.ts';
import { fileTooLarge } from '#renderer/lib/writing/problems.ts';
import { settled } from '../calls.ts';
import type { Workspace } from '../workspace.ts';

export type SubscriptionProperty =
  | 'color'
  | 'is_muted'
  | 'pin_to_top'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications';

/** What settings write, each as one call of the API that says in its failure why nothing was changed. */
export class SettingsWrites {
  readonly #parts: Pick<Workspace, 'bridge' | 'account'>;

  constructor(parts: Pick<Workspace, 'bridge' | 'account'>) {
    this.#parts = parts;
  }

  request<N extends RequestName>(
    name: N,
    args: RequestArguments<N>,
  ): Promise<Outcome<RequestResult<N>>> {
    const { bridge, account } = this.#parts;
    return settled(() => bridge.request(account.id, name, args));
  }

  notification<K extends keyof NotificationSettings>(
    key: K,
    value: NotificationSettings[K],
  ): Promise<Outcome<unknown>> {
    return this.request('settings.notifications', { [key]: value });
  }

  display<K extends keyof DisplaySettings>(
    key: K,
    value: DisplaySettings[K],
  ): Promise<Outcome<unknown>> {
    return this.request('settings.display', { [key]: value });
  }

  subscription(
    streamId: number,
    property: SubscriptionProperty,
    value: boolean | string,
  ): Promise<Outcome<unknown>> {
    const subscriptionData = [{ stream_id: streamId, property, value }];
    return this.request('subscriptions.setProperties', { subscriptionData });
  }

  async withFile(
    name: 'avatars.set' | 'emoji.add' | 'realmIcon.set',
    args: RequestArguments<'emoji.add'>,
    file: File,
  ): Promise<Outcome<unknown>> {
    const { bridge, account } = this.#parts;
    // It is read whole.
    const problem = fileTooLarge(file, PICTURE_MIB);
    if (problem !== undefined) return failure('FILE_TOO_LARGE', problem);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const upload = { uploadId: nextPageId(), name: file.name, type: file.type, bytes };
    return settled(() => bridge.requestWithFile(account.id, name, args, upload));
  }
}
