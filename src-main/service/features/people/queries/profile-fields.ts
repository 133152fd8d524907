/** What an organization asks its people about themselves, and what they answer (API decisions 7.3). */
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

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
  /** The name as the service folds it for comparison. */
  readonly nameKey: string;
  readonly type: number;
  readonly hint: string;
  readonly fieldData: string;
}

/** One answer of an account: null takes it away. */
export interface ProfileAnswer {
  readonly fieldId: number;
  readonly value: string | null;
  readonly rendered: string | null;
}

const COLUMNS = 'id, name, type, hint, field_data, position';
const LIST = `SELECT ${COLUMNS} FROM profile_field ORDER BY position, id`;
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
  /** @param nameKey  the name as the service folds it for comparison */
  *findProfileFieldId(nameKey: string): Operation<number | undefined> {
    return (yield* findOne<{ id: number }>(FIND_BY_NAME, { nameKey }))?.id;
  },
  /** The answers to one field. */
  *listAnswersTo(id: number): Operation<readonly GivenAnswer[]> {
    return yield* list<GivenAnswer>(LIST_GIVEN, { id });
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

export interface GivenAnswer {
  readonly account_id: number;
  readonly value: string;
  readonly email: string;
}

export const profileWrites = {
  /** Adds a field after the others; answers its id. Nobody else may have its name. */
  *insertProfileField(field: NewProfileField): Operation<number> {
    return yield* insert(INSERT, { ...field });
  },
  *updateProfileField(id: number, field: Omit<NewProfileField, 'type'>): Operation<void> {
    const { name, nameKey, hint, fieldData } = field;
    yield* run(UPDATE, { id, name, nameKey, hint, fieldData });
  },
  /** With all answers to it. */
  *deleteProfileField(id: number): Operation<void> {
    yield* run(DELETE_VALUES, { id });
    yield* run(DELETE, { id });
  },
  /** @param ids  of all fields, in the order in which they are shown from now on */
  *orderProfileFields(ids: readonly number[]): Operation<void> {
    for (const [index, id] of ids.entries()) yield* run(SET_POSITION, { id, position: index + 1 });
  },
};
