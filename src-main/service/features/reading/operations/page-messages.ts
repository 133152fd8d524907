/** Rows of messages as GET /messages answers them. */
import type { EventMessage, Message } from '#shared/api/models/message.ts';
import { createObjectCache } from '#service/core/cache/attached.ts';
import { createHighlighter, type MatchFields, matchFields } from '#shared/search/highlight.ts';
import type { MessageExtras, MessageRow, PersonalMessageRow, Store } from '#service/db/port.ts';
import { loadEditKeys } from '#service/features/messages/operations/edit-history.ts';
import { reactionShapes } from '#service/features/messages/operations/reactions.ts';
import type { ComputeMac } from '#service/core/rules/message-macs.ts';
import {
  flagsOf,
  type MessagePeople,
  messageShape,
  type RenderOptions,
  renderVariant,
} from '#service/core/rules/shapes.ts';
import type { ResolvedNarrow } from './narrow.ts';
import { peopleOf } from './people-in-messages.ts';

/** What of a message is told to its reader alone. */
type PersonalFields = Omit<Message, keyof EventMessage>;

/**
 * A message of a page. What is told to every reader alike is there as JSON, without its last brace, and kept until it may have
 * changed; `own` is the rest of it without braces then, and the whole message where nothing is kept.
 */
export type PageMessage =
  | { readonly shared: string; readonly own: string }
  | { readonly shared: null; readonly own: Message };

/** Rows with the reader's flags (API decisions 5). */
export type ShapeRows = (rows: readonly PersonalMessageRow[]) => Promise<readonly PageMessage[]>;

/** For one request. */
export type Shaping = (options: RenderOptions) => ShapeRows;

/** What there is of a page beside its rows. */
interface PageExtras {
  readonly edits: Awaited<ReturnType<typeof loadEditKeys>>;
  readonly reactions: ReturnType<typeof reactionShapes>;
  readonly submessages: MessageExtras['submessages'];
}

async function loadExtras(
  store: Store,
  rows: readonly PersonalMessageRow[],
  options: RenderOptions,
): Promise<PageExtras> {
  const edits = await loadEditKeys(store, rows, options);
  // What others do to a message belongs to those who may read it now.
  const shownIds = rows.filter((row) => row.is_lost === 0).map((row) => row.id);
  const { reactions, submessages } = await store.listAdded(shownIds);
  return { edits, reactions: reactionShapes(reactions), submessages };
}

/** A message with what was attached to it or changed is read more seldom than it changes. */
const isPlain = ({ id, edited_at: editedAt }: MessageRow, attached: PageExtras): boolean =>
  editedAt === null && !attached.reactions.has(id) && !attached.submessages.has(id);

const READ = '"flags":["read"]';
const UNREAD = '"flags":[]';

/** What `flagsOf` answers, as JSON; nearly all messages have one of two answers. */
function flagsText(row: PersonalMessageRow): string {
  const isPlainlyHeld = row.is_held === 1 && row.flags === null && row.has_wildcard_mention === 0;
  if (isPlainlyHeld) return row.is_read === 1 ? READ : UNREAD;
  return `"flags":${JSON.stringify(flagsOf(row))}`;
}

/** Keeps the texts of kept rows, by their rendering, for as long as these are kept. */
export function createShaping(store: Store, computeMac: ComputeMac): Shaping {
  const texts = createObjectCache<MessageRow, string[]>();

  function keepText(row: MessageRow, variant: number, shape: EventMessage): string {
    const text = JSON.stringify(shape).slice(0, -1);
    const known = texts.get(row) ?? [];
    known[variant] = text;
    texts.set(row, known);
    return text;
  }

  return (options) => {
    const people = peopleOf(store);
    const variant = renderVariant(options);
    const ownOf = (row: PersonalMessageRow): PersonalFields => ({
      flags: flagsOf(row),
      ...(options.withSource === true ? { is_held: row.is_held === 1 } : {}),
    });
    const ownText = (row: PersonalMessageRow): string =>
      options.withSource === true
        ? `${flagsText(row)},"is_held":${String(row.is_held === 1)}`
        : flagsText(row);

    function wholeOf(row: PersonalMessageRow, named: MessagePeople, attached: PageExtras): Message {
      const shape = messageShape(row, named, options, computeMac);
      shape.submessages = [...(attached.submessages.get(row.id) ?? [])];
      shape.reactions = attached.reactions.get(row.id) ?? [];
      return Object.assign(shape, ownOf(row), attached.edits.get(row.id));
    }

    /** At once where whom the message names is known: a page has many messages and names few people. */
    function shaped(
      row: PersonalMessageRow,
      attached: PageExtras,
    ): PageMessage | Promise<PageMessage> {
      const kept = isPlain(row, attached) ? row.shared : undefined;
      const text = kept === undefined ? undefined : texts.get(kept)?.[variant];
      if (text !== undefined) return { shared: text, own: ownText(row) };
      const make = (named: MessagePeople): PageMessage => {
        if (kept === undefined) return { shared: null, own: wholeOf(row, named, attached) };
        const shape = messageShape(kept, named, options, computeMac);
        return { shared: keepText(kept, variant, shape), own: ownText(row) };
      };
      const named = people(row);
      return named instanceof Promise ? named.then(make) : make(named);
    }

    return async (rows) => {
      const attached = await loadExtras(store, rows, options);
      const messages: PageMessage[] = [];
      for (const row of rows) {
        const message = shaped(row, attached);
        messages.push(message instanceof Promise ? await message : message);
      }
      return messages;
    };
  };
}

/** With what a search has found in them. */
export function markingMatches(shape: ShapeRows, { search }: ResolvedNarrow): ShapeRows {
  if (search === null) return shape;
  const highlighter = createHighlighter(search.wanted);
  const fieldsText = (found: MatchFields): string =>
    `"match_content":${JSON.stringify(found.match_content)},"match_subject":${JSON.stringify(found.match_subject)}`;
  return async (rows) => {
    const messages = await shape(rows);
    return messages.map((message, index): PageMessage => {
      const row = rows[index];
      if (row === undefined) return message;
      const { shared, own } = message;
      const found = matchFields(row, highlighter);
      return shared === null
        ? { shared, own: { ...own, ...found } }
        : { shared, own: `${own},${fieldsText(found)}` };
    });
  };
}
