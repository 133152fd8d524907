/** Messages as events need them, the most recent ones kept. */
import type { LoggedEvent } from '../ports/log.ts';
import {
  type MessagePeople,
  messageShape,
  type RenderOptions,
  renderVariant,
} from '../domain/rules/shapes.ts';
import type { Prove } from '../domain/rules/messages/proofs.ts';
import {
  type AppendedMessage,
  bytesOfMessage,
  type MessageRow,
  type Store,
} from '../store/port.ts';

/** A message as far as events need it. */
export interface Material {
  readonly row: MessageRow;
  readonly people: MessagePeople;
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly alertedUserIds: ReadonlySet<number>;
  /** It was made when the message was sent, and not read later on. */
  readonly isAsSent: boolean;
  /** The `message` object as JSON, by rendering. */
  readonly json: (options: RenderOptions) => string;
}

/** Every queue asks for the same few messages: what is in memory is answered without a promise. */
export type Loaded = Material | undefined;

export const messageIdOf = (event: LoggedEvent): number => Number(event.payload['message_id']);

/** Nearly everybody has none of nearly every message: one list for all. */
export const noFlags: readonly string[] = [];

const isPlainFor = ({ row, mentionedUserIds, alertedUserIds }: Material, userId: number): boolean =>
  row.sender_id !== userId &&
  row.has_wildcard_mention === 0 &&
  !mentionedUserIds.has(userId) &&
  !alertedUserIds.has(userId);

/** The reader's flags of a new message (API decisions 5). */
export function newMessageFlags(material: Material, userId: number): readonly string[] {
  if (isPlainFor(material, userId)) return noFlags;
  const flags: string[] = [];
  if (material.row.sender_id === userId) flags.push('read');
  if (material.mentionedUserIds.has(userId)) flags.push('mentioned');
  if (material.row.has_wildcard_mention === 1) flags.push('wildcard_mentioned');
  if (material.alertedUserIds.has(userId)) flags.push('has_alert_word');
  return flags;
}

/** Hardly any message names anybody, and each of the most recent ones is kept: one set for all of those. */
const nobody: ReadonlySet<number> = new Set();
const setOf = (userIds: readonly number[]): ReadonlySet<number> =>
  userIds.length === 0 ? nobody : new Set(userIds);

function createMaterial(
  row: MessageRow,
  people: MessagePeople,
  about: {
    readonly mentioned: readonly number[];
    readonly alerted: readonly number[];
    readonly isAsSent: boolean;
  },
  prove: Prove | undefined,
): Material {
  const variants: string[] = [];
  return {
    row,
    people,
    mentionedUserIds: setOf(about.mentioned),
    alertedUserIds: setOf(about.alerted),
    isAsSent: about.isAsSent,
    json(options) {
      return (variants[renderVariant(options)] ??= JSON.stringify(
        messageShape(row, people, options, prove),
      ));
    },
  };
}

/** The message as one account sees it. */
export const withRow = (material: Material, row: MessageRow, people: MessagePeople): Material => ({
  ...material,
  row,
  people,
  json: (options) => JSON.stringify(messageShape(row, people, options)),
});

const bytesOf = (loaded: Loaded | Promise<Loaded>): number =>
  bytesOfMessage(
    loaded === undefined || loaded instanceof Promise ? { content: '', rendered: '' } : loaded.row,
  );

export interface Materials {
  /** Undefined when the message was deleted since. */
  readonly get: (messageId: number) => Loaded | Promise<Loaded>;
  /** Settles when it is there, or could not be made. */
  readonly add: (appended: AppendedMessage) => Promise<void>;
  readonly forget: (messageId: number) => void;
}

export interface MaterialSources {
  readonly peopleOf: (row: MessageRow) => Promise<MessagePeople>;
  /** For our own clients, which can give messages back. */
  readonly prove?: Prove;
}

/** What messages are made of, the most recent ones kept. */
export function createMaterials(
  store: Store,
  { peopleOf, prove }: MaterialSources,
  maxBytes: number,
): Materials {
  const materials = new Map<number, Loaded | Promise<Loaded>>();
  let bytes = 0;

  async function read(messageId: number): Promise<Loaded> {
    const row = await store.findMessage(messageId);
    if (row === undefined) return undefined;
    const mentioned = await store.listFlaggedUserIds(messageId, 'mentioned');
    const alerted = await store.listFlaggedUserIds(messageId, 'has_alert_word');
    const about = { mentioned, alerted, isAsSent: false };
    return createMaterial(row, await peopleOf(row), about, prove);
  }

  function put(messageId: number, loaded: Loaded | Promise<Loaded>): void {
    drop(messageId);
    materials.set(messageId, loaded);
    bytes += bytesOf(loaded);
    for (const oldest of materials.keys()) {
      if (bytes <= maxBytes || oldest === messageId) return;
      drop(oldest);
    }
  }

  function drop(messageId: number): void {
    if (!materials.has(messageId)) return;
    bytes -= bytesOf(materials.get(messageId));
    materials.delete(messageId);
  }

  /** What was forgotten while it was read may be out of date, and is read anew the next time. */
  async function keep(messageId: number, loading: Promise<Loaded>): Promise<void> {
    const isCurrent = (): boolean => materials.get(messageId) === loading;
    try {
      const found = await loading;
      if (isCurrent()) put(messageId, found);
    } catch {
      // Whoever asked is told; it is not kept.
      if (isCurrent()) drop(messageId);
    }
  }

  function load(messageId: number, loading: Promise<Loaded>): Promise<void> {
    put(messageId, loading);
    return keep(messageId, loading);
  }

  function readAndKeep(messageId: number): Promise<Loaded> {
    const loading = read(messageId);
    void load(messageId, loading);
    return loading;
  }

  const make = async ({ row, ...flagged }: AppendedMessage): Promise<Material> =>
    createMaterial(
      row,
      await peopleOf(row),
      { mentioned: flagged.mentionedUserIds, alerted: flagged.alertedUserIds, isAsSent: true },
      prove,
    );

  return {
    get: (messageId) => materials.get(messageId) ?? readAndKeep(messageId),
    add: (appended) => load(appended.row.id, make(appended)),
    forget: drop,
  };
}
