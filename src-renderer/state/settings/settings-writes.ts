import { PICTURE_MIB } from '#shared/api/bounds.ts';
import type { DisplaySettings, NotificationSettings } from '#shared/api/models/settings.ts';
import { failure, type Outcome } from '#shared/bridge/outcome.ts';
import type { RequestArguments, RequestName, RequestResult } from '#shared/bridge/requestable.ts';
import { explained } from '#shared/i18n/explain.ts';
import { composeWords } from '#renderer/i18n/compose.ts';
import { settled } from '../calls.ts';
import type { Workspace } from '../workspace.ts';

const MIB = 1024 * 1024;

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
    if (file.size > PICTURE_MIB * MIB) {
      const size = (file.size / MIB).toFixed(1);
      const reason = explained('upload_too_large', { limit: PICTURE_MIB });
      return failure('FILE_TOO_LARGE', composeWords.fileTooLarge(size, reason));
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const uploadId = `${name} ${String(performance.now())}`;
    const upload = { uploadId, name: file.name, type: file.type, bytes };
    return settled(() => bridge.requestWithFile(account.id, name, args, upload));
  }
}
