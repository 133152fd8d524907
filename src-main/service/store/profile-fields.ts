/** What an organization asks its people about themselves, and what they answer (API decisions, section 7.3). */
import { badRequest } from '../../contract/errors.ts';
import { findOne, insert, list, type NewEvent, type Operation, record, run } from './operation.ts';

export interface ProfileFieldRow {
  readonly id: number;
  readonly name: string;
  /** 1 short text, 2 long text, 3 choice, 4 date, 5 URL, 6 accounts. */
  readonly type: number;
  readonly hint: string;
  /** JSON of the choices; empty for other types. */
  readonly field_data: string;
  readonly position: number;
}

export interface ProfileValueRow {
  readonly account_id: number;
  readonly field_id: number;
  readonly value: string;
  /** HTML of a long text, else null. */
  readonly rendered: string | null;
}

export interface NewProfileField {
  readonly name: string;
  /** The name as the domain folds it for comparison. */
  readonly nameKey: string;
  readonly type: number;
  readonly hint: string;
  readonly fieldData: string;
}

/** A field as it is to be, and what becomes of the answers to it. */
export interface ProfileFieldChange {
  readonly name: string;
  readonly nameKey: string;
  readonly hint: string;
  readonly fieldData: string;
  /** Answers that the field no longer takes are taken away. */
  readonly isKept: (value: string) => boolean;
}

/** One answer of an account: null takes it away. */
export interface ProfileAnswer {
  readonly fieldId: number;
  readonly value: string | null;
  readonly rendered: string | null;
}

/** How the domain writes the whole list of fields in an event. */
export type FieldsShape = (rows: readonly ProfileFieldRow[]) => Readonly<Record<string, unknown>>[];
/** How the domain tells that an answer is gone. */
export type AnswerGone = (
  who: { readonly id: number; readonly email: string },
  fieldId: number,
) => NewEvent;

const COLUMNS = 'id, name, type, hint, field_data, position';
const LIST = `SELECT ${COLUMNS} FROM profile_field ORDER BY position, id`;
const FIND = `SELECT ${COLUMNS} FROM profile_field WHERE id = :id`;
const FIND_BY_NAME = 'SELECT id FROM profile_field WHERE name_key = :nameKey';
const INSERT = `INSERT INTO profile_field (name, name_key, type, hint, field_data, position)
  VALUES (:name, :nameKey, :type, :hint, :fieldData,
    (SELECT COALESCE(MAX(position), 0) + 1 FROM profile_field))`;
const UPDATE = `UPDATE profile_field
  SET name = :name, name_key = :nameKey, hint = :hint, field_data = :fieldData WHERE id = :id`;
const SET_POSITION = 'UPDATE profile_field SET position = :position WHERE id = :id';
const DELETE = 'DELETE FROM profile_field WHERE id = :id';
const DELETE_VALUES = 'DELETE FROM profile_value WHERE field_id = :id';

const VALUE = 'account_id, field_id, value, rendered';
const LIST_VALUES = `SELECT ${VALUE} FROM profile_value ORDER BY account_id, field_id`;
const LIST_OWN_VALUES = `SELECT ${VALUE} FROM profile_value WHERE account_id = :userId ORDER BY field_id`;
const LIST_GIVEN = `SELECT v.account_id, v.value, a.email FROM profile_value v
  JOIN account a ON a.id = v.account_id WHERE v.field_id = :id ORDER BY v.account_id`;
const DELETE_VALUE = 'DELETE FROM profile_value WHERE account_id = :userId AND field_id = :fieldId';
const INSERT_VALUE = `INSERT INTO profile_value (account_id, field_id, value, rendered)
  VALUES (:userId, :fieldId, :value, :rendered)`;

export const profileReads = {
  /** In the order in which they are shown. */
  *listProfileFields(): Operation<readonly ProfileFieldRow[]> {
    return yield* list<ProfileFieldRow>(LIST);
  },
  /** What everybody answered. */
  *listProfileValues(): Operation<readonly ProfileValueRow[]> {
    return yield* list<ProfileValueRow>(LIST_VALUES);
  },
  *listProfileValuesOf(userId: number): Operation<readonly ProfileValueRow[]> {
    return yield* list<ProfileValueRow>(LIST_OWN_VALUES, { userId });
  },
};

/** Step: writes answers of an account; the caller has checked them against the fields as they are. */
export function* setAnswers(userId: number, answers: readonly ProfileAnswer[]): Operation<void> {
  for (const { fieldId, value, rendered } of answers) {
    yield* run(DELETE_VALUE, { userId, fieldId });
    if (value !== null) yield* run(INSERT_VALUE, { userId, fieldId, value, rendered });
  }
}

function* announce(shape: FieldsShape): Operation<void> {
  yield* record({
    type: 'custom_profile_fields',
    audience: { kind: 'realm' },
    payload: { op: 'add', fields: shape(yield* list<ProfileFieldRow>(LIST)) },
  });
}

function* keepNameUnique(nameKey: string, id: number | null): Operation<void> {
  const taken = yield* findOne<{ id: number }>(FIND_BY_NAME, { nameKey });
  if (taken !== undefined && taken.id !== id) {
    throw badRequest('A field with that name already exists');
  }
}

function* dropAnswers(
  id: number,
  isKept: (value: string) => boolean,
  gone: AnswerGone,
): Operation<void> {
  interface Given {
    readonly account_id: number;
    readonly value: string;
    readonly email: string;
  }
  for (const { account_id: userId, value, email } of yield* list<Given>(LIST_GIVEN, { id })) {
    if (isKept(value)) continue;
    yield* run(DELETE_VALUE, { userId, fieldId: id });
    yield* record(gone({ id: userId, email }, id));
  }
}

export const profileWrites = {
  /**
   * Adds a field after the others; answers its id.
   * @throws BAD_REQUEST when the name is taken, whatever the letter case
   */
  *addProfileField(field: NewProfileField, shape: FieldsShape): Operation<number> {
    yield* keepNameUnique(field.nameKey, null);
    const id = yield* insert(INSERT, { ...field });
    yield* announce(shape);
    return id;
  },
  /**
   * Changes a field as `decide` says about it as it is now.
   * @throws BAD_REQUEST when there is no such field or its new name is taken, and what `decide` throws
   */
  *changeProfileField(
    id: number,
    decide: (field: ProfileFieldRow) => ProfileFieldChange,
    events: { readonly shape: FieldsShape; readonly gone: AnswerGone },
  ): Operation<void> {
    const field = yield* findOne<ProfileFieldRow>(FIND, { id });
    if (field === undefined) throw badRequest(`Field id ${String(id)} not found`);
    const { name, nameKey, hint, fieldData, isKept } = decide(field);
    yield* keepNameUnique(nameKey, id);
    if (name === field.name && hint === field.hint && fieldData === field.field_data) return;
    yield* run(UPDATE, { id, name, nameKey, hint, fieldData });
    yield* announce(events.shape);
    yield* dropAnswers(id, isKept, events.gone);
  },
  /** Removes a field with all answers to it. @throws BAD_REQUEST when there is no such field */
  *removeProfileField(id: number, shape: FieldsShape): Operation<void> {
    yield* run(DELETE_VALUES, { id });
    if ((yield* run(DELETE, { id })) === 0) throw badRequest(`Field id ${String(id)} not found`);
    yield* announce(shape);
  },
  /**
   * Puts the fields into an order.
   * @param ids  of all fields
   * @throws BAD_REQUEST when it does not name every field once
   */
  *orderProfileFields(ids: readonly number[], shape: FieldsShape): Operation<void> {
    const current = (yield* list<ProfileFieldRow>(LIST)).map((row) => row.id);
    const isComplete = ids.length === current.length && current.every((id) => ids.includes(id));
    if (!isComplete) throw badRequest('The order must name every field once');
    if (current.every((id, index) => ids[index] === id)) return;
    for (const [index, id] of ids.entries()) yield* run(SET_POSITION, { id, position: index + 1 });
    yield* announce(shape);
  },
};
