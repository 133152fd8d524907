/** Editing and deleting messages (API decisions 7.1 and 7.2). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type {
  EditFacts,
  MovePlan,
  NewContent,
  Operation,
  PersonalMessageRow,
  Reading,
  Store,
  StreamRow,
  Transaction,
} from '#service/db/port.ts';
import type { Rendered } from '#service/markdown/render.ts';
import { callerNow } from '#service/core/callers.ts';
import { change, changeInParts, settled } from '#service/core/change.ts';
import type { Alerts } from '#service/core/text/alert-words.ts';
import { getActableMessage } from './message-access.ts';
import { topicLinks } from '#service/core/text/markup.ts';
import { editEvents } from './message-events.ts';
import { type MoveMacs, type PlannedMove, prepareMoveMacs, macsOf } from './move-macs.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import type { RenderingOperations } from '#service/core/text/rendering.ts';
import { checkContent } from '../rules/content.ts';
import { fold } from '#shared/text/fold.ts';
import { checkTopic } from '#service/core/rules/names.ts';
import { openTopicName } from './topic-names.ts';
import {
  canMoveBetweenStreams,
  EDIT_GRACE_SECONDS,
  mayEditContent,
  mayEditTopic,
  type MessageFacts,
} from '#shared/policies/messages.ts';
import { realmSettings, type RealmSettings } from '#service/core/rules/organization-settings.ts';
import { type ComputeMac, macFunctionOf } from '#service/core/rules/message-macs.ts';
import { sharedPaths } from '#service/features/files/operations/uploads.ts';
import { announceMuted } from '#service/core/muted-topics.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';

const NO_TOPIC = '(no topic)';
const DELETED_CONTENT = '(deleted)';

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
   * @throws BAD_REQUEST when the caller may not, and for what may not be said (API decisions 7.2)
   */
  readonly editMessage: (caller: Caller, request: EditRequest) => Promise<void>;
}

/** A request against one message as it was found. */
interface EditRequestContext {
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

function checkMayEditContent({ caller, row, settings, nowSeconds }: EditRequestContext): void {
  const facts = messageFacts(caller, row, nowSeconds);
  const may = mayEditContent(facts, settings, EDIT_GRACE_SECONDS);
  if (may === 'not-allowed') throw refusal('not_message_author');
  if (may === 'too-late') throw refusal('edit_limit_passed');
}

function checkMayEditTopic({ caller, row, settings, nowSeconds }: EditRequestContext): void {
  const may = mayEditTopic(caller, messageFacts(caller, row, nowSeconds), settings);
  if (may === 'not-allowed') {
    throw refusal('topic_edit_not_allowed');
  }
  if (may === 'too-late') {
    throw refusal('topic_edit_limit_passed');
  }
}

/** What of the request concerns this message: a private one has no topic to change. */
function checkSomethingSent({ request, row }: EditRequestContext): void {
  const { content, topic, streamId } = request;
  if (streamId !== undefined && row.stream_id === null) {
    throw refusal('private_message_not_movable');
  }
  if (streamId !== undefined && content !== undefined) {
    throw refusal('content_of_moved_message');
  }
  const hasTopic = topic !== undefined && row.stream_id !== null;
  if (content === undefined && streamId === undefined && !hasTopic) {
    throw refusal('message_unchanged');
  }
}

function* openTarget(
  tx: Reading,
  { caller, request, row }: EditRequestContext,
): Operation<StreamRow | undefined> {
  const { streamId } = request;
  if (streamId === undefined || streamId === row.stream_id) return undefined;
  if (!canMoveBetweenStreams(caller)) {
    throw refusal('administrator_moves_to_stream');
  }
  return (yield* getVisibleStream(tx, caller, streamId)).stream;
}

function* checkNotArchived(tx: Reading, streamId: number): Operation<void> {
  const stream = yield* tx.findStream(streamId);
  if (stream?.is_archived !== 0) {
    throw refusal('archived_stream_not_movable');
  }
}

/** The topic that it goes to in that stream; the one that it has where none is asked for. */
function* openTopic(tx: Reading, edit: EditRequestContext, streamId: number): Operation<string> {
  const { request, row } = edit;
  const own = row.topic ?? '';
  if (request.topic === undefined) return own;
  const isRenamed = streamId === row.stream_id && request.propagateMode === 'change_all';
  const topic = checkTopic(request.topic);
  return yield* openTopicName(tx, edit.caller, {
    streamId,
    topic,
    besides: isRenamed ? own : undefined,
  });
}

/** Where the message is to go; null when it stands there already. */
function* planMove(tx: Reading, edit: EditRequestContext): Operation<MovePlan | null> {
  const { request, row } = edit;
  if (row.stream_id === null || row.topic === null) return null;
  const written = request.topic === undefined ? row.topic : checkTopic(request.topic);
  const target = yield* openTarget(tx, edit);
  if (request.topic !== undefined) checkMayEditTopic(edit);
  if (target === undefined && written === row.topic) return null;
  yield* checkNotArchived(tx, row.stream_id);
  const streamId = target?.id ?? row.stream_id;
  const topic = yield* openTopic(tx, edit, streamId);
  if (target === undefined && topic === row.topic) return null;
  return { propagate: request.propagateMode, streamId, topic, topicKey: fold(topic) };
}

interface EditParts {
  readonly rendering: RenderingOperations;
  readonly alerts: Pick<Alerts, 'find'>;
}

/** What the message would say. */
interface PreparedContent {
  readonly content: string;
  readonly rendered: Rendered;
  readonly alertedUserIds: readonly number[];
}

/** Undefined where the content stays; what is wrong with it is told where it is taken. */
type TakeContent = (() => PreparedContent) | undefined;

const prepareContent =
  ({ rendering, alerts }: EditParts) =>
  async (caller: Caller, text: string): Promise<PreparedContent> => {
    const content = checkContent(text.trim() === '' ? DELETED_CONTENT : text);
    const rendered = await rendering.render(caller, content);
    return { content, rendered, alertedUserIds: await alerts.find(rendered.html) };
  };

function* planContent(
  tx: Reading,
  edit: EditRequestContext,
  prepared: TakeContent,
): Operation<NewContent | null> {
  if (prepared === undefined) return null;
  checkMayEditContent(edit);
  const { content, rendered, alertedUserIds } = prepared();
  if (content === edit.row.content) return null;
  const attachmentPaths = yield* sharedPaths(tx, edit.caller, rendered);
  const { html, ...facts } = rendered;
  return { ...facts, content, rendered: html, attachmentPaths, alertedUserIds };
}

interface EditPlanParts {
  readonly content: NewContent | null;
  readonly move: MovePlan | null;
}

/** How MACs of messages are made, and which were made before. */
interface MacParts {
  readonly computeMac: ComputeMac;
  readonly prepared?: MoveMacs | undefined;
}

function* carryOut(
  tx: Transaction,
  { caller, row, nowSeconds }: EditRequestContext,
  { content, move }: EditPlanParts,
  proofs: MacParts,
): Operation<void> {
  const editedAt = nowSeconds;
  const facts = yield* tx.editMessage({
    messageId: row.id,
    editorId: caller.userId,
    editedAt,
    content,
    move,
    firstNumber: proofs.prepared?.firstNumber,
  });
  const editor = { id: caller.userId, email: caller.email };
  yield* recordEdit(tx, facts, { editor, editedAt, content, move }, proofs);
}

interface EditAuthorship extends EditPlanParts {
  readonly editor: { readonly id: number; readonly email: string };
  readonly editedAt: number;
}

/** Step: tells of a change of messages that was made. */
export function* recordEdit(
  tx: Transaction,
  facts: EditFacts,
  { editor, editedAt, content, move }: EditAuthorship,
  { computeMac, prepared }: MacParts,
): Operation<void> {
  const events = editEvents(facts, {
    editor,
    editedAt,
    isContentEdit: content !== null,
    propagate: move?.propagate ?? 'change_one',
    subjectLinks: move === null ? [] : (yield* topicLinks(tx))(move.topic),
    proofs: yield* macsOf(tx, facts, computeMac, prepared),
  });
  yield* tx.recordAll(events);
  for (const [messageIds, accounts] of Map.groupBy(facts.moved?.readNow ?? [], ([, ids]) => ids)) {
    const userIds = accounts.map(([userId]) => userId);
    yield* tx.recordFlags(userIds, { op: 'add', flag: 'read', messageIds });
    yield* tx.pause();
  }
  for (const userId of facts.moved?.mutedBy ?? []) {
    yield* announceMuted(tx, userId);
    yield* tx.pause();
  }
}

function* openEdit(
  tx: Reading,
  { caller, request, nowSeconds }: Pick<EditRequestContext, 'caller' | 'request' | 'nowSeconds'>,
): Operation<EditRequestContext> {
  const settings = realmSettings(yield* tx.findRealm());
  if (!settings.allow_message_editing) {
    throw refusal('message_editing_disabled');
  }
  const row = yield* getActableMessage(tx, caller, request.messageId);
  const edit = { caller, request, row, settings, nowSeconds };
  checkSomethingSent(edit);
  return edit;
}

/** What would move now; undefined where nothing would, or all of it is only spelled otherwise. */
function* planMoving(tx: Reading, edit: EditRequestContext): Operation<PlannedMove | undefined> {
  const { row } = edit;
  const move = yield* planMove(tx, edit);
  const isSame = move?.streamId === row.stream_id && move.topicKey === fold(row.topic ?? '');
  return move === null || isSame ? undefined : { messageId: row.id, move };
}

export function editOperations(
  store: Store,
  context: DomainContext,
  parts: EditParts,
): EditOperations {
  const prepare = prepareContent(parts);
  const computeMac = macFunctionOf(context.credentials.apiKeys.messageMac);

  /** What is wrong with the request is told by the change itself. */
  const prepareMove = (known: Caller, request: EditRequest): Promise<MoveMacs | undefined> =>
    prepareMoveMacs(
      store,
      function* (tx) {
        const caller = yield* callerNow(tx, known);
        const edit = yield* openEdit(tx, { caller, request, nowSeconds: context.nowSeconds() });
        return yield* planMoving(tx, edit);
      },
      computeMac,
    ).catch(() => undefined);

  return {
    async editMessage(known, request) {
      const { content: text } = request;
      const prepared = text === undefined ? undefined : await settled(prepare(known, text));
      const isLong = request.propagateMode !== 'change_one';
      const proofs = isLong ? await prepareMove(known, request) : undefined;
      await (isLong ? changeInParts : change)(store, known, function* (tx, caller) {
        const edit = yield* openEdit(tx, { caller, request, nowSeconds: context.nowSeconds() });
        const content = yield* planContent(tx, edit, prepared);
        const move = yield* planMove(tx, edit);
        if (content === null && move === null) return;
        yield* carryOut(tx, edit, { content, move }, { computeMac, prepared: proofs });
      });
    },
  };
}
