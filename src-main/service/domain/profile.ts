/** Profile fields, and what accounts answer to them (API decisions, section 7.3). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type {
  ProfileAnswers,
  ProfileChoices,
  ProfileField,
} from '../../contract/models/profile.ts';
import { renderProfileText } from '../markdown/render.ts';
import type {
  AccountFacts,
  AnswerGone,
  NewEvent,
  ProfileAnswer,
  ProfileFieldRow,
  Store,
} from '../store/port.ts';
import { userUpdated } from './account-events.ts';
import { fold } from '../../contract/fold.ts';
import {
  checkAnswer,
  checkFieldName,
  checkHint,
  fieldDataOf,
  fieldsShape,
  keepsAnswer,
  LONG_TEXT,
} from './rules/profile.ts';

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
  readonly addField: (request: FieldRequest) => Promise<number>;
  /** Answers that are no longer possible are taken away. @throws BAD_REQUEST */
  readonly changeField: (change: FieldChange) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such field */
  readonly removeField: (fieldId: number) => Promise<void>;
  /** @throws BAD_REQUEST unless the ids are those of all fields */
  readonly orderFields: (ids: readonly number[]) => Promise<void>;
  /** Blank answers are taken away. @throws BAD_REQUEST */
  readonly answer: (caller: Caller, answers: ProfileAnswers) => Promise<void>;
}

type IsPerson = (userId: number) => boolean;

/** Whether an id is a person's; asked only where answers may name people. */
export async function peopleIn(
  store: Pick<Store, 'listUsers'>,
  answers: ProfileAnswers,
): Promise<IsPerson> {
  if (answers.length === 0) return () => false;
  const people = (await store.listUsers()).filter((user) => user.bot_type === null);
  const ids = new Set(people.map((user) => user.id));
  return (id) => ids.has(id);
}

function getField(fields: readonly ProfileFieldRow[], id: number): ProfileFieldRow {
  const field = fields.find((row) => row.id === id);
  if (field === undefined) throw badRequest(`Field id ${String(id)} not found`);
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
  if (wanted.length > 0 && user.bot_type !== null) throw badRequest('A bot has no profile');
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

const gone: AnswerGone = (who, fieldId) => ({
  type: 'realm_user',
  audience: { kind: 'realm' },
  payload: {
    op: 'update',
    person: {
      user_id: who.id,
      email: who.email,
      custom_profile_field: { id: fieldId, value: null },
    },
  },
});

type ProfileStore = Pick<
  Store,
  | 'addProfileField'
  | 'changeAccount'
  | 'changeProfileField'
  | 'listProfileFields'
  | 'listUsers'
  | 'orderProfileFields'
  | 'removeProfileField'
>;

export const profileOperations = (store: ProfileStore): ProfileOperations => ({
  listFields: async () => fieldsShape(await store.listProfileFields()),
  async addField({ name, hint, fieldData, fieldType: type }) {
    const checked = checkFieldName(name);
    const field = {
      name: checked,
      nameKey: fold(checked),
      type,
      hint: checkHint(hint ?? ''),
      fieldData: fieldDataOf(type, fieldData),
    };
    return store.addProfileField(field, fieldsShape);
  },
  async changeField({ fieldId, name, hint, fieldData }) {
    await store.changeProfileField(
      fieldId,
      (field) => {
        const checked = name === undefined ? field.name : checkFieldName(name);
        const data =
          fieldData === undefined ? field.field_data : fieldDataOf(field.type, fieldData);
        return {
          name: checked,
          nameKey: fold(checked),
          hint: hint === undefined ? field.hint : checkHint(hint),
          fieldData: data,
          isKept: keepsAnswer(field.type, data),
        };
      },
      { shape: fieldsShape, gone },
    );
  },
  removeField: (fieldId) => store.removeProfileField(fieldId, fieldsShape),
  orderFields: (ids) => store.orderProfileFields(ids, fieldsShape),
  async answer(caller, answers) {
    const isPerson = await peopleIn(store, answers);
    await store.changeAccount(caller.userId, null, (facts) => ({
      columns: {},
      ...answersAfter(facts, answers, isPerson),
    }));
  },
});
