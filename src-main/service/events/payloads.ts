/**
 * Events as bytes. A message is serialised once for each way of rendering it; what differs by account (flags, the
 * sender's own local id) is put around the shared text.
 */
import type { LoggedEvent } from '../../contract/log.ts';
import type { RealmUser } from '../../contract/models/user.ts';
import {
  avatarUrl,
  type MessagePeople,
  messageShape,
  type RenderOptions,
} from '../domain/rules/shapes.ts';
import type { MessageRow, Store } from '../store/port.ts';
import type { Pending, Queue, QueueOptions } from './queue.ts';

const MAX_MESSAGES = 2000;

/** A message as far as events need it. */
export interface Material {
  readonly row: MessageRow;
  readonly people: MessagePeople;
  readonly mentionedUserIds: ReadonlySet<number>;
  /** The `message` object as JSON, by rendering. */
  readonly json: (options: RenderOptions) => string;
}

/** Every queue asks for the same few messages: what is in memory is answered without a promise. */
type Loaded = Material | undefined;

export interface Payloads {
  /** Undefined when the message was deleted since. */
  readonly material: (messageId: number) => Loaded | Promise<Loaded>;
  /** What is pending in a queue, each event as JSON; without messages that were deleted since. */
  readonly serialize: (
    queue: Pick<Queue, 'id' | 'options' | 'pending'>,
  ) => Promise<readonly string[]>;
}

export const messageIdOf = (event: LoggedEvent): number => Number(event.payload['message_id']);

/** The reader's flags of a new message (API decisions, section 5). */
export function newMessageFlags(material: Material, userId: number): readonly string[] {
  const flags: string[] = [];
  if (material.row.sender_id === userId) flags.push('read');
  if (material.mentionedUserIds.has(userId)) flags.push('mentioned');
  if (material.row.has_wildcard_mention === 1) flags.push('wildcard_mentioned');
  return flags;
}

function createMaterial(
  row: MessageRow,
  people: MessagePeople,
  mentioned: readonly number[],
): Material {
  const variants: string[] = [];
  return {
    row,
    people,
    mentionedUserIds: new Set(mentioned),
    json(options) {
      const variant = (options.applyMarkdown ? 2 : 0) + (options.clientGravatar ? 1 : 0);
      return (variants[variant] ??= JSON.stringify(messageShape(row, people, options)));
    },
  };
}

interface Echo {
  readonly queueId: string;
  readonly localId: string;
}

const withoutSubscribers = (subscription: unknown): unknown => {
  const { subscribers: _, ...rest } = subscription as { subscribers?: unknown };
  return rest;
};

function messageJson(
  { event, flags }: Pending,
  message: Material,
  queue: Pick<Queue, 'id' | 'options'>,
): string {
  const echo = event.payload['echo'] as Echo | null;
  const local =
    echo?.queueId === queue.id ? `,"local_message_id":${JSON.stringify(echo.localId)}` : '';
  const flagsJson = flags.length === 0 ? '[]' : JSON.stringify(flags);
  return (
    `{"id":${String(event.id)},"type":"message","message":${message.json(queue.options)},` +
    `"flags":${flagsJson}${local}}`
  );
}

type PayloadStore = Pick<Store, 'findMessage' | 'findUser' | 'listFlaggedUserIds'>;

/** What messages are made of, the most recent ones kept. */
function createMaterials(
  store: PayloadStore,
  peopleOf: (row: MessageRow) => Promise<MessagePeople>,
): Payloads['material'] {
  const materials = new Map<number, Loaded | Promise<Loaded>>();

  async function read(messageId: number): Promise<Loaded> {
    const row = await store.findMessage(messageId);
    if (row === undefined) return undefined;
    const mentioned = await store.listFlaggedUserIds(messageId, 'mentioned');
    return createMaterial(row, await peopleOf(row), mentioned);
  }

  async function load(messageId: number): Promise<Loaded> {
    try {
      const found = await read(messageId);
      materials.set(messageId, found);
      return found;
    } catch (reason) {
      materials.delete(messageId);
      throw reason;
    }
  }

  return (messageId) => {
    const known = materials.get(messageId);
    if (known !== undefined) return known;
    const oldest = materials.keys().next();
    if (materials.size >= MAX_MESSAGES && oldest.done !== true) materials.delete(oldest.value);
    const loading = load(messageId);
    materials.set(messageId, loading);
    return loading;
  };
}

export function createPayloads(
  store: PayloadStore,
  peopleOf: (row: MessageRow) => Promise<MessagePeople>,
): Payloads {
  const material = createMaterials(store, peopleOf);

  /** The stored person leaves the gravatar to the client; other clients get its address. */
  async function personFor(person: RealmUser, options: QueueOptions): Promise<RealmUser> {
    if (options.clientGravatar || person.avatar_url !== null) return person;
    const user = await store.findUser(person.user_id);
    return user === undefined ? person : { ...person, avatar_url: avatarUrl(user, false) };
  }

  async function payloadFor(
    event: LoggedEvent,
    options: QueueOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { payload } = event;
    if (event.type === 'realm_user' && payload['op'] === 'add') {
      return { ...payload, person: await personFor(payload['person'] as RealmUser, options) };
    }
    if (event.type === 'subscription' && payload['op'] === 'add' && !options.includeSubscribers) {
      const subscriptions = payload['subscriptions'] as readonly unknown[];
      return { ...payload, subscriptions: subscriptions.map(withoutSubscribers) };
    }
    return payload;
  }

  return {
    material,
    async serialize(queue) {
      const events: string[] = [];
      for (const { event, flags } of queue.pending) {
        if (event.type === 'message') {
          const found = material(messageIdOf(event));
          const message = found instanceof Promise ? await found : found;
          if (message !== undefined) events.push(messageJson({ event, flags }, message, queue));
        } else {
          const payload = await payloadFor(event, queue.options);
          events.push(JSON.stringify({ id: event.id, type: event.type, ...payload }));
        }
      }
      return events;
    },
  };
}
