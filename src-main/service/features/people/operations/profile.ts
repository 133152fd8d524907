/** Profile fields, and what accounts answer to them (API decisions 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type { ProfileAnswers, ProfileChoices, ProfileField } from '#shared/api/models/profile.ts';
import { renderProfileText } from '#service/markdown/render.ts';
import type {
  AccountFacts,
  GivenAnswer,
  NewEvent,
  ProfileAnswer,
  ProfileFieldRow,
  Operation,
  Reading,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { changeAccount, getFacts } from './account-changes.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { userUpdated } from './account-events.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkAnswer,
  checkFieldName,
  checkHint,
  fieldDataOf,
  fieldsShape,
  keepsAnswer,
  LONG_TEXT,
} from '../rules/profile.ts';

export interface FieldRequest {
  readonly name: string;
  readonly hint: string | undefined;
  readonly fieldData: ProfileChoices | undefined;
  readonly fieldType: number;
}

export interface FieldChange {
  readonly fieldId: number;
  readonly name: string | undefined;
  readonly hint: string | undefined;
  readonly fieldData: ProfileChoices | undefined;
}

export interface ProfileOperations {
  /** In the order in which they are shown. */
  readonly listFields: () => Promise<ProfileField[]>;
  /** @returns its id @throws BAD_REQUEST */
  readonly addField: (source: CallerActionSource, request: FieldRequest) => Promise<number>;
  /** Answers that are no longer possible are taken away. @throws BAD_REQUEST */
  readonly changeField: (source: CallerActionSource, change: FieldChange) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such field */
  readonly removeField: (source: CallerActionSource, fieldId: number) => Promise<void>;
  /** @throws BAD_REQUEST unless the ids are those of all fields */
  readonly orderFields: (caller: Caller, ids: readonly number[]) => Promise<void>;
  /** Blank answers are taken away. @throws BAD_REQUEST */
  readonly answer: (caller: Caller, answers: ProfileAnswers) => Promise<void>;
}

type IsPerson = (userId: number) => boolean;

/** Whether an id is a person's; asked only where answers may name people. */
export function* peopleIn(tx: Reading, answers: ProfileAnswers): Operation<IsPerson> {
  if (answers.length === 0) return () => false;
  const people = (yield* tx.listUsers()).filter((user) => user.bot_type === null);
  const ids = new Set(people.map((user) => user.id));
  return (id) => ids.has(id);
}

function getField(fields: readonly ProfileFieldRow[], id: number): ProfileFieldRow {
  const field = fields.find((row) => row.id === id);
  if (field === undefined) throw refusal('no_such_field', { field_id: id });
  return field;
}

const answered = (
  user: AccountFacts['user'],
  { fieldId, value, rendered }: ProfileAnswer,
): NewEvent =>
  userUpdated(user, {
    custom_profile_field: {
      id: fieldId,
      value,
      ...(rendered === null ? {} : { rendered_value: rendered }),
    },
  });

/**
 * What changes in an account's answers, with the events of that; of several answers to one field the last counts.
 * @throws BAD_REQUEST when there is no such field or it does not take the answer, or the account is a bot's
 */
export function answersAfter(
  { user, profile, profileFields }: AccountFacts,
  wanted: ProfileAnswers,
  isPerson: IsPerson,
): { readonly answers: readonly ProfileAnswer[]; readonly events: readonly NewEvent[] } {
  if (wanted.length > 0 && user.bot_type !== null) throw refusal('bot_without_profile');
  const current = new Map(profile.map((row) => [row.field_id, row.value]));
  const after = new Map<number, ProfileAnswer>();
  for (const { id, value: raw } of wanted) {
    const field = getField(profileFields, id);
    const value = checkAnswer(field, raw, isPerson);
    const isRendered = value !== null && field.type === LONG_TEXT;
    after.set(id, { fieldId: id, value, rendered: isRendered ? renderProfileText(value) : null });
  }
  const answers = [...after.values()].filter(
    ({ fieldId, value }) => value !== (current.get(fieldId) ?? null),
  );
  return { answers, events: answers.map((each) => answered(user, each)) };
}

const gone = ({ account_id: user_id, email }: GivenAnswer, fieldId: number): NewEvent => ({
  type: 'realm_user',
  audience: { kind: 'realm' },
  payload: {
    op: 'update',
    person: { user_id, email, custom_profile_field: { id: fieldId, value: null } },
  },
});

function* announce(tx: Transaction): Operation<void> {
  yield* tx.record({
    type: 'custom_profile_fields',
    audience: { kind: 'realm' },
    payload: { op: 'add', fields: fieldsShape(yield* tx.listProfileFields()) },
  });
}

/** @throws BAD_REQUEST when another field has the name, whatever the letter case */
function* checkFree(tx: Reading, name: string, id: number | null): Operation<void> {
  const taken = yield* tx.findProfileFieldId(fold(name));
  if (taken !== undefined && taken !== id) {
    throw refusal('field_name_taken');
  }
}

/** Step: answers that the field no longer takes are taken away. */
function* dropAnswers(
  tx: Transaction,
  fieldId: number,
  isKept: (value: string) => boolean,
): Operation<void> {
  for (const given of yield* tx.listAnswersTo(fieldId)) {
    if (isKept(given.value)) continue;
    yield* tx.setAnswers(given.account_id, [{ fieldId, value: null, rendered: null }]);
    yield* tx.record(gone(given, fieldId));
  }
}

function* changeField(
  tx: Transaction,
  wanted: FieldChange,
  note: AuditEntryMaker,
): Operation<void> {
  const { fieldId: id, fieldData: choices } = wanted;
  const field = getField(yield* tx.listProfileFields(), id);
  const name = wanted.name === undefined ? field.name : checkFieldName(wanted.name);
  const fieldData = choices === undefined ? field.field_data : fieldDataOf(field.type, choices);
  const hint = wanted.hint === undefined ? field.hint : checkHint(wanted.hint);
  yield* checkFree(tx, name, id);
  if (name === field.name && hint === field.hint && fieldData === field.field_data) return;
  yield* tx.updateProfileField(id, { name, nameKey: fold(name), hint, fieldData });
  yield* announce(tx);
  yield* dropAnswers(tx, id, keepsAnswer(field.type, fieldData));
  const details = { name: field.name, ...(name === field.name ? {} : { new: name }) };
  yield* tx.record(note('profile_field_changed', { details }));
}

export const profileOperations = (
  store: Store,
  context: Pick<DomainContext, 'limits' | 'nowSeconds'>,
): ProfileOperations => ({
  listFields: async () => fieldsShape(await store.listProfileFields()),
  addField: (source, { name: given, hint, fieldData, fieldType: type }) =>
    change(store, source.caller, function* (tx, caller) {
      const name = checkFieldName(given);
      const checked = { hint: checkHint(hint ?? ''), fieldData: fieldDataOf(type, fieldData) };
      yield* checkFree(tx, name, null);
      yield* checkQuota(tx, context.limits, { kind: 'profileFields', caller });
      const id = yield* tx.insertProfileField({ name, nameKey: fold(name), type, ...checked });
      yield* announce(tx);
      yield* tx.record(
        auditEntryMaker(context, source)('profile_field_added', { details: { name } }),
      );
      return id;
    }),
  changeField: (source, wanted) =>
    change(store, source.caller, (tx) => changeField(tx, wanted, auditEntryMaker(context, source))),
  removeField: (source, fieldId) =>
    change(store, source.caller, function* (tx) {
      const { name } = getField(yield* tx.listProfileFields(), fieldId);
      yield* tx.deleteProfileField(fieldId);
      yield* announce(tx);
      yield* tx.record(
        auditEntryMaker(context, source)('profile_field_removed', { details: { name } }),
      );
    }),
  orderFields: (known, ids) =>
    change(store, known, function* (tx) {
      const current = (yield* tx.listProfileFields()).map((row) => row.id);
      const isComplete = ids.length === current.length && current.every((id) => ids.includes(id));
      if (!isComplete) throw refusal('field_order_incomplete');
      if (current.every((id, index) => ids[index] === id)) return;
      yield* tx.orderProfileFields(ids);
      yield* announce(tx);
    }),
  answer: (known, answers) =>
    change(store, known, function* (tx, { userId }) {
      const isPerson = yield* peopleIn(tx, answers);
      const facts = yield* getFacts(tx, userId);
      yield* changeAccount(tx, userId, { columns: {}, ...answersAfter(facts, answers, isPerson) });
    }),
});
