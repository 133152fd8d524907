/** What the organization adds to the markup of messages: linkifiers, emoji, settings. */
import { compileLinkifier, type Linkifier } from '#service/markdown/syntax/linkifiers.ts';
import { type OrganizationMarkup, subjectLinks } from '#service/markdown/render.ts';
import type {
  EmojiRow,
  LinkifierRow,
  Operation,
  Reading,
  RealmRow,
  Store,
} from '#service/db/port.ts';
import { memoized } from '../cache/attached.ts';
import { emojiUrl } from '../rules/emoji.ts';
import { realmSettings } from '../rules/organization-settings.ts';

function compileRow(row: LinkifierRow): readonly Linkifier[] {
  try {
    return [compileLinkifier(row.pattern, row.url_format)];
  } catch {
    // Accepted by an earlier version and no longer: messages go on without it.
    return [];
  }
}

// The store answers with the same objects until they change.
const compileAll = memoized((rows: readonly LinkifierRow[]) => rows.flatMap(compileRow));

const activeImages = memoized(
  (rows: readonly EmojiRow[]): ReadonlyMap<string, string> =>
    new Map(
      rows
        .filter((row) => row.is_deactivated === 0)
        .map((row) => [row.name, emojiUrl(row.file_name)]),
    ),
);

const codeAndImages = memoized((realm: RealmRow) => {
  const settings = realmSettings(realm);
  return {
    defaultCodeLanguage: settings.default_code_block_language,
    showsLinkedImages: settings.inline_image_preview,
  };
});

async function loadMarkup(store: Store): Promise<OrganizationMarkup> {
  const linkifiers = compileAll(await store.listLinkifiers());
  const customEmoji = activeImages(await store.listEmoji());
  const realm = await store.findRealm();
  const settings =
    realm === undefined
      ? { defaultCodeLanguage: null, showsLinkedImages: false }
      : codeAndImages(realm);
  return { linkifiers, customEmoji, ...settings };
}

/** Answers the markup as it is now; it is put together again only after something about the organization has changed. */
export function markupOf(store: Store): () => Promise<OrganizationMarkup> {
  let version: number | undefined;
  let known: Promise<OrganizationMarkup> | undefined;
  return () => {
    const current = store.directoryVersion();
    if (known === undefined || version !== current) {
      version = current;
      known = loadMarkup(store);
      known.catch(() => (known = undefined));
    }
    return known;
  };
}

/** Answers what the linkifiers and bare URLs of a topic lead to, with the linkifiers of now. */
export function* topicLinks(tx: Reading): Operation<(topic: string) => string[]> {
  const linkifiers = compileAll(yield* tx.listLinkifiers());
  return (topic) => subjectLinks(topic, linkifiers);
}
