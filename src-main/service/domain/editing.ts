/** Editing and deleting messages (API decisions, sections 7.1 and 7.2). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import {
  type EditPlan,
  MessageMoved,
  type MovePlan,
  type PersonalMessageRow,
  type Store,
  type StreamRow,
} from '../store/port.ts';
import type { Alerts } from './alert-words.ts';
import { getVisibleMessage, type MessageAccessStore } from './message-access.ts';
import { topicLinks } from './markup.ts';
import { editEvents } from './message-events.ts';
import type { DomainContext } from './ports.ts';
import type { RenderingOperations } from './rendering.ts';
import { checkContent } from './rules/content.ts';
import { fold } from '../../contract/fold.ts';
import { checkTopic } from './rules/names.ts';
import {
  canMoveBetweenStreams,
  canSeeStream,
  factsOf,
  mayEditContent,
  mayEditTopic,
  type MessageFacts,
} from './rules/permissions.ts';
import { realmSettings, type RealmSettings } from './rules/realm-settings.ts';
import { type FileAccessStore, sharedPaths } from './uploads.ts';

const NO_TOPIC = '(no topic)';
const DELETED_CONTENT = '(deleted)';
const MAX_ATTEMPTS = 5;

export interface EditRequest {
  readonly messageId: number;
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly propagateMode: MovePlan['propagate'];
  readonly streamId: number | undefined;
}

export interface EditOperations {
  /**
   * Changes a message's content, topic or stream.
   * @throws BAD_REQUEST when the caller may not, and for what may not be said (API decisions, section 7.2)
   */
  readonly editMessage: (caller: Caller, request: EditRequest) => Promise<void>;
  /** The HTML that a text would have as the caller's message. @throws BAD_REQUEST when it is too long */
  readonly renderContent: (caller: Caller, content: string) => Promise<string>;
}

type EditingStore = FileAccessStore &
  MessageAccessStore &
  Pick<Store, 'editMessage' | 'findRealm' | 'listLinkifiers'>;

/** A request against one message as it was found. */
interface Edit {
  readonly caller: Caller;
  readonly request: EditRequest;
  readonly row: PersonalMessageRow;
  readonly settings: RealmSettings;
  readonly nowSeconds: number;
}

export const messageFacts = (
  caller: Caller,
  row: PersonalMessageRow,
  nowSeconds: number,
): MessageFacts => ({
  isOwn: row.sender_id === caller.userId,
  ageSeconds: nowSeconds - row.sent_at,
  hasNoTopic: row.topic === NO_TOPIC,
});

function checkMayEditContent({ caller, row, settings, nowSeconds }: Edit): void {
  const may = mayEditContent(messageFacts(caller, row, nowSeconds), settings);
  if (may === 'not-allowed') throw badRequest('Only the author of a message may edit its content');
  if (may === 'too-late') throw badRequest('The time limit for editing this message has passed');
}

function checkMayEditTopic({ caller, row, settings, nowSeconds }: Edit): void {
  const may = mayEditTopic(caller, messageFacts(caller, row, nowSeconds), settings);
  if (may === 'not-allowed') {
    throw badRequest('You are not allowed to edit the topic of this message');
  }
  if (may === 'too-late') {
    throw badRequest("The time limit for editing this message's topic has passed");
  }
}

/** What of the request concerns this message: a private one has no topic to change. */
function checkSomethingSent({ request, row }: Edit): void {
  const { content, topic, streamId } = request;
  if (streamId !== undefined && row.stream_id === null) {
    throw badRequest('A private message cannot be moved to a stream');
  }
  if (streamId !== undefined && content !== undefined) {
    throw badRequest('The content cannot be changed while the message is moved to another stream');
  }
  const hasTopic = topic !== undefined && row.stream_id !== null;
  if (content === undefined && streamId === undefined && !hasTopic) {
    throw badRequest('Nothing to change: expected content, topic or stream_id');
  }
}

async function openTarget(
  store: EditingStore,
  { caller, request, row }: Edit,
): Promise<StreamRow | undefined> {
  const { streamId } = request;
  if (streamId === undefined || streamId === row.stream_id) return undefined;
  if (!canMoveBetweenStreams(caller)) {
    throw badRequest('Only organization administrators can move messages to another stream');
  }
  const stream = await store.findStream(streamId);
  const isSubscribed =
    stream !== undefined && (await store.isMember(stream.recipient_id, caller.userId));
  if (stream?.is_archived !== 0 || !canSeeStream(caller, factsOf(stream), isSubscribed)) {
    throw badRequest('Invalid stream id');
  }
  return stream;
}

async function checkNotArchived(store: EditingStore, streamId: number): Promise<void> {
  const stream = await store.findStream(streamId);
  if (stream?.is_archived !== 0) {
    throw badRequest('Messages of an archived stream cannot be moved');
  }
}

/** Where the message is to go; null when it stands there already. */
async function planMove(store: EditingStore, edit: Edit): Promise<MovePlan | null> {
  const { request, row } = edit;
  if (row.stream_id === null || row.topic === null) return null;
  const topic = request.topic === undefined ? row.topic : checkTopic(request.topic);
  const target = await openTarget(store, edit);
  if (request.topic !== undefined) checkMayEditTopic(edit);
  if (target === undefined && topic === row.topic) return null;
  await checkNotArchived(store, row.stream_id);
  return {
    propagate: request.propagateMode,
    streamId: target?.id ?? row.stream_id,
    topic,
    topicKey: fold(topic),
  };
}

interface EditParts {
  readonly rendering: RenderingOperations;
  readonly alerts: Pick<Alerts, 'find'>;
}

async function planContent(
  store: EditingStore,
  { rendering, alerts }: EditParts,
  edit: Edit,
): Promise<EditPlan['content']> {
  const { caller, request, row } = edit;
  if (request.content === undefined) return null;
  checkMayEditContent(edit);
  const isBlank = request.content.trim() === '';
  const content = checkContent(isBlank ? DELETED_CONTENT : request.content);
  if (content === row.content) return null;
  const rendered = await rendering.render(caller, content);
  const { html, ...facts } = rendered;
  const attachmentPaths = await sharedPaths(store, caller, rendered);
  const alertedUserIds = await alerts.find(html);
  return { ...facts, content, rendered: html, attachmentPaths, alertedUserIds };
}

export function editOperations(
  store: EditingStore,
  context: DomainContext,
  parts: EditParts,
): EditOperations {
  async function attempt(caller: Caller, request: EditRequest): Promise<void> {
    const settings = realmSettings(await store.findRealm());
    if (!settings.allow_message_editing) {
      throw badRequest('Your organization has turned off message editing');
    }
    const row = await getVisibleMessage(store, caller, request.messageId);
    const nowSeconds = context.nowSeconds();
    const edit: Edit = { caller, request, row, settings, nowSeconds };
    checkSomethingSent(edit);
    const content = await planContent(store, parts, edit);
    const move = await planMove(store, edit);
    if (content === null && move === null) return;
    await store.editMessage(
      {
        messageId: row.id,
        editorId: caller.userId,
        editedAt: nowSeconds,
        seen: row,
        content,
        move,
      },
      editEvents({
        editor: { id: caller.userId, email: caller.email },
        editedAt: nowSeconds,
        isContentEdit: content !== null,
        propagate: request.propagateMode,
        subjectLinks: move === null ? [] : (await topicLinks(store))(move.topic),
      }),
    );
  }

  return {
    async editMessage(caller, request) {
      for (let count = 1; ; count += 1) {
        try {
          await attempt(caller, request);
          return;
        } catch (reason) {
          // Somebody else moved it in between: what is allowed there may be something else.
          if (!(reason instanceof MessageMoved) || count === MAX_ATTEMPTS) throw reason;
        }
      }
    },
    async renderContent(caller, content) {
      if (content.trim() === '') return '';
      return (await parts.rendering.render(caller, checkContent(content))).html;
    },
  };
}
