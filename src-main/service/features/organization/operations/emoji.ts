/** The organization's own emoji (API decisions 7.6 and 9.3). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller, CallerActionSource, UploadedFile } from '#service/core/ports/handlers.ts';
import type { RealmEmoji } from '#shared/api/models/emoji.ts';
import type { EmojiRow, Operation, Reading, Store, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { readImage, withImage } from '#service/features/files/operations/images.ts';
import { emojiPlace } from '#service/features/files/operations/file-paths.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { auditEntryMaker } from '../rules/audit.ts';
import { checkEmojiName, realmEmojiShape } from '#service/core/rules/emoji.ts';
import { canAddEmoji, canDeactivateEmoji } from '#shared/policies/emoji.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

export interface EmojiOperations {
  readonly listEmoji: () => Promise<RealmEmoji>;
  /** @throws BAD_IMAGE, or BAD_REQUEST for another reason; then nothing has changed */
  readonly addEmoji: (
    source: CallerActionSource,
    name: string,
    files: readonly UploadedFile[],
  ) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such active emoji or the caller may not */
  readonly deactivateEmoji: (source: CallerActionSource, name: string) => Promise<void>;
}

const taken = (name: string): Error => refusal('emoji_name_taken', { name });

function* findActive(tx: Reading, name: string): Operation<EmojiRow | undefined> {
  const rows = yield* tx.listEmoji();
  return rows.find((row) => row.is_deactivated === 0 && row.name === name);
}

/** @throws BAD_REQUEST */
function* checkMayAdd(tx: Reading, caller: Caller): Operation<void> {
  if (!canAddEmoji(caller, realmSettings(yield* tx.findRealm()))) {
    throw refusal('administrator_adds_emoji');
  }
}

function* announce(tx: Transaction): Operation<void> {
  yield* tx.record({
    type: 'realm_emoji',
    audience: { kind: 'realm' },
    payload: { op: 'update', realm_emoji: realmEmojiShape(yield* tx.listEmoji()) },
  });
}

export const emojiOperations = (store: Store, context: DomainContext): EmojiOperations => ({
  listEmoji: async () => realmEmojiShape(await store.listEmoji()),
  async addEmoji(source, name, files) {
    // Before an image is looked at.
    await store.read((tx) => checkMayAdd(tx, source.caller));
    checkEmojiName(name);
    await withImage(context.files, readImage(files), emojiPlace, (fileName) =>
      change(store, source.caller, function* (tx, caller) {
        yield* checkMayAdd(tx, caller);
        if ((yield* findActive(tx, name)) !== undefined) throw taken(name);
        yield* checkQuota(tx, context.limits, { kind: 'emoji', caller });
        const createdAt = context.nowSeconds();
        yield* tx.insertEmoji({ name, authorId: caller.userId, fileName, createdAt });
        yield* announce(tx);
        yield* tx.record(auditEntryMaker(context, source)('emoji_added', { details: { name } }));
      }),
    );
  },
  deactivateEmoji: (source, name) =>
    change(store, source.caller, function* (tx, caller) {
      const emoji = yield* findActive(tx, name);
      if (emoji === undefined) throw refusal('no_such_emoji', { name: name.slice(0, 100) });
      if (!canDeactivateEmoji(caller, emoji.author_id)) {
        throw refusal('not_emoji_manager');
      }
      yield* tx.deactivateEmoji(emoji.id);
      yield* announce(tx);
      const whose = { userId: emoji.author_id, details: { name } };
      yield* tx.record(auditEntryMaker(context, source)('emoji_removed', whose));
    }),
});
