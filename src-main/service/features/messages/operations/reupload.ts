/** Taking messages back that only members still have (API decisions 15.15). */
import { ServiceError } from '#shared/api/errors.ts';
import { fold } from '#shared/text/fold.ts';
import type { OfferResult } from '#shared/api/endpoints/messages/reupload.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type {
  AccountRow,
  KnownVersion,
  MessageRow,
  MovePlan,
  NewContent,
  NewMessage,
  Operation,
  Reading,
  Store,
  Transaction,
} from '#service/db/port.ts';
import type { Rendered } from '#service/markdown/render.ts';
import { callerOf } from '#service/core/callers.ts';
import { change } from '#service/core/change.ts';
import { sharedPaths } from '#service/features/files/operations/uploads.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import {
  type MacInput,
  type ComputeMac,
  verifiedEditNumber,
  macFunctionOf,
} from '#service/core/rules/message-macs.ts';
import { accessTo } from '#service/core/stream-access.ts';
import type { Alerts } from '#service/core/text/alert-words.ts';
import type { RenderingOperations } from '#service/core/text/rendering.ts';
import { recordEdit } from './edit-and-move.ts';

export interface ReuploadOffer extends Omit<MacInput, 'editNumber'> {
  readonly proof: string;
}

interface ReuploadAnswer {
  readonly id: number;
  readonly result: OfferResult;
}

export interface ReuploadOperations {
  /** Those versions that are newer than what the caller reads here: what is hidden counts as absent. */
  readonly listLacking: (
    caller: Caller,
    known: readonly KnownVersion[],
  ) => Promise<readonly number[]>;
  /** Takes back what this office has said itself, and what may be read where it belongs. */
  readonly offer: (
    source: CallerActionSource,
    offers: readonly ReuploadOffer[],
  ) => Promise<ReuploadAnswer[]>;
}

/** An offer that is proven, with what it would be here. */
interface VerifiedOffer {
  readonly offer: ReuploadOffer;
  readonly editNumber: number;
  readonly author: AccountRow;
  readonly asAuthor: Caller;
  readonly rendered: Rendered;
  readonly alertedUserIds: readonly number[];
}

/** What is known of an offer before anything is written. */
type PreparedOffer =
  VerifiedOffer | { readonly offer: ReuploadOffer; readonly refusal: OfferResult };

interface ReuploadParts {
  readonly rendering: RenderingOperations;
  readonly alerts: Pick<Alerts, 'find'>;
}

/** Where it was, as far as that is there and the caller reads it. */
function* openTarget(
  tx: Reading,
  caller: Caller,
  { place }: ReuploadOffer,
): Operation<NewMessage['target'] | undefined> {
  if (place.kind === 'private') {
    if (!place.userIds.includes(caller.userId)) return undefined;
    for (const id of place.userIds) if ((yield* tx.findUser(id)) === undefined) return undefined;
    return { kind: 'private', userIds: [...new Set(place.userIds)] };
  }
  const access = yield* accessTo(tx, caller, yield* tx.findStream(place.streamId));
  if (access === undefined || !(access.isSubscribed || access.isHistoryOpen)) return undefined;
  const { streamId, topic } = place;
  return { kind: 'stream', streamId, topic, topicKey: fold(topic) };
}

function* contentOf(
  tx: Reading,
  { offer, asAuthor, rendered, alertedUserIds }: VerifiedOffer,
): Operation<NewContent> {
  const attachmentPaths = yield* sharedPaths(tx, asAuthor, rendered);
  const { html, ...facts } = rendered;
  return { ...facts, content: offer.content, rendered: html, attachmentPaths, alertedUserIds };
}

interface ReuploadWork {
  readonly caller: Caller;
  readonly client: string;
  readonly now: number;
  readonly computeMac: ComputeMac;
  /** Messages that were not here. */
  readonly putBack: number[];
}

function moveTo(target: NewMessage['target'], row: MessageRow): MovePlan | null {
  if (target.kind === 'private') return null;
  const { streamId, topic, topicKey } = target;
  if (streamId === row.stream_id && topic === row.topic) return null;
  return { propagate: 'change_one', streamId, topic, topicKey };
}

/** A change of a message that is here: the text by its author, another place by whoever gives it back. */
function* applyLaterChange(
  tx: Transaction,
  work: ReuploadWork,
  verified: VerifiedOffer,
  { row, target }: { readonly row: MessageRow; readonly target: NewMessage['target'] },
): Operation<OfferResult> {
  const { offer, author, editNumber } = verified;
  if ((row.stream_id === null) !== (target.kind === 'private')) return 'refused';
  const isSaid = offer.content === row.content;
  const move = moveTo(target, row);
  if (isSaid && move === null) {
    yield* tx.setEditNumber(row.id, editNumber);
    return 'present';
  }
  const from = row.stream_id === null ? undefined : yield* tx.findStream(row.stream_id);
  if (move !== null && from?.is_archived !== 0) return 'refused';
  const content = isSaid ? null : yield* contentOf(tx, verified);
  const { userId: callerId, email } = work.caller;
  const editor =
    content === null ? { id: callerId, email } : { id: author.id, email: author.email };
  const [editorId, editedAt] = [editor.id, work.now];
  const facts = yield* tx.editMessage({ messageId: row.id, editorId, editedAt, content, move });
  yield* tx.setEditNumber(row.id, editNumber);
  yield* recordEdit(tx, facts, { editor, editedAt, content, move }, work);
  return 'recovered';
}

/** The change numbers of those messages that the caller reads here, by id. */
function* editNumbersFor(
  tx: Reading,
  caller: Caller,
  ids: readonly number[],
): Operation<ReadonlyMap<number, number>> {
  const open = new Map<number | null, boolean>([[null, false]]);
  const numbers = new Map<number, number>();
  for (const row of yield* tx.listCurrent(ids, caller.userId)) {
    const streamId = row.stream_id;
    if (row.is_held === 0 && streamId !== null && !open.has(streamId)) {
      const access = yield* accessTo(tx, caller, yield* tx.findStream(streamId));
      open.set(streamId, access?.isHistoryOpen === true);
    }
    if (row.is_held === 1 || open.get(streamId) === true) numbers.set(row.id, row.edit_number);
  }
  return numbers;
}

function* take(
  tx: Transaction,
  work: ReuploadWork,
  prepared: PreparedOffer,
): Operation<OfferResult> {
  if ('refusal' in prepared) return prepared.refusal;
  const { offer, editNumber } = prepared;
  const target = yield* openTarget(tx, work.caller, offer);
  if (target === undefined) return 'refused';
  if (yield* tx.isDeleted(offer.id)) return 'deleted';
  const row = yield* tx.findMessage(offer.id);
  if (row !== undefined) {
    // Two restores of one copy have both given this number out.
    if (row.sender_id !== offer.senderId || row.sent_at !== offer.sentAt) return 'refused';
    if (row.edit_number >= editNumber) {
      // What was moved out of sight is answered as what was deleted there.
      const isRead = (yield* editNumbersFor(tx, work.caller, [row.id])).has(row.id);
      return isRead ? 'present' : 'deleted';
    }
  }
  if (yield* tx.isSuperseded(offer.id, editNumber)) return 'deleted';
  if (row !== undefined) return yield* applyLaterChange(tx, work, prepared, { row, target });
  const { id, senderId, sentAt } = offer;
  const { client, now: recoveredAt } = work;
  const content = yield* contentOf(tx, prepared);
  yield* tx.insertReuploaded({
    ...content,
    id,
    editNumber,
    recoveredAt,
    senderId,
    client,
    sentAt,
    target,
  });
  work.putBack.push(id);
  return 'recovered';
}

/** One event for all who are told of the same messages. */
function* tellReaders(tx: Transaction, ids: readonly number[]): Operation<void> {
  const groups = new Map<string, { readonly userIds: readonly number[]; readonly ids: number[] }>();
  for (const id of [...ids].sort((a, b) => a - b)) {
    const userIds = yield* tx.listReaderIds(id);
    const key = userIds.join();
    const group = groups.get(key) ?? { userIds, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  for (const { userIds, ids: messageIds } of groups.values()) {
    yield* tx.record({
      type: 'messages_recovered',
      audience: { kind: 'users', userIds },
      payload: { message_ids: messageIds },
    });
  }
}

/** How often a batch held something that came back, or that was nothing this office has said. */
const countOf = (answers: readonly ReuploadAnswer[], wanted: OfferResult): number =>
  answers.filter(({ result }) => result === wanted).length;

export function reuploadOperations(
  store: Store,
  context: DomainContext,
  { rendering, alerts }: ReuploadParts,
): ReuploadOperations {
  const { messageMac: sign, isEqual } = context.credentials.apiKeys;
  const computeMac = macFunctionOf(sign);

  async function prepare(offer: ReuploadOffer): Promise<PreparedOffer> {
    const editNumber = verifiedEditNumber(offer, offer.proof, { sign, isEqual });
    if (editNumber === undefined) return { offer, refusal: 'unproven' };
    const author = await store.findUser(offer.senderId);
    if (author === undefined) return { offer, refusal: 'refused' };
    const asAuthor = await store.read((tx) => callerOf(tx, author));
    try {
      const rendered = await rendering.render(asAuthor, offer.content);
      const alertedUserIds = await alerts.find(rendered.html);
      return { offer, editNumber, author, asAuthor, rendered, alertedUserIds };
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason;
      return { offer, refusal: 'refused' };
    }
  }

  return {
    listLacking: (caller, known) =>
      store.read(function* (tx) {
        const ids = known.map(([id]) => id);
        const here = yield* editNumbersFor(tx, caller, ids);
        return known
          .filter(([id, number]) => (here.get(id) ?? -1) < number)
          .map(([id]) => id)
          .sort((a, b) => a - b);
      }),
    async offer(source, offers) {
      const all: PreparedOffer[] = [];
      for (const each of offers) all.push(await prepare(each));
      return change(store, source.caller, function* (tx, caller) {
        const putBack: number[] = [];
        const work = {
          caller,
          client: source.client,
          now: context.nowSeconds(),
          computeMac,
          putBack,
        };
        const answers: ReuploadAnswer[] = [];
        for (const each of all) {
          answers.push({ id: each.offer.id, result: yield* take(tx, work, each) });
        }
        yield* tellReaders(tx, putBack);
        const [messages, forged] = [countOf(answers, 'recovered'), countOf(answers, 'unproven')];
        if (messages + forged > 0) {
          yield* tx.record(
            auditEntryMaker(context, source)('messages_recovered', {
              details: { messages, forged },
            }),
          );
        }
        return answers;
      });
    },
  };
}
