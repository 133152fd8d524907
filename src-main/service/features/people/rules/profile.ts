/** Profile fields and the answers to them (API decisions 7.3 and 9). */
import { parseJson } from '#shared/api/codecs.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { ProfileChoices, ProfileData, ProfileField } from '#shared/api/models/profile.ts';
import type { ProfileFieldRow, ProfileValueRow } from '#service/db/port.ts';
import { checkLine, checkVisible, countCharacters } from '#service/core/rules/names.ts';

const MAX_NAME_CHARACTERS = 40;
const MAX_HINT_CHARACTERS = 80;
const MAX_CHOICES = 100;
const MAX_PEOPLE = 100;
const MAX_URL_CHARACTERS = 2000;

const SHORT_TEXT = 1;
export const LONG_TEXT = 2;
const CHOICE = 3;
const DATE = 4;
const URL_FIELD = 5;
const PEOPLE = 6;

/** @throws BAD_REQUEST */
export const checkFieldName = (name: string): string =>
  checkVisible(checkLine(name, 'field_name', MAX_NAME_CHARACTERS), 'field_name');

/** @throws BAD_REQUEST */
export const checkHint = (hint: string): string =>
  hint.trim() === '' ? '' : checkLine(hint, 'field_hint', MAX_HINT_CHARACTERS);

/**
 * What is stored of a field's choices: JSON for a field of choices, nothing for the others.
 * @throws BAD_REQUEST when there are none or too many, or one has no name
 */
export function fieldDataOf(type: number, choices: ProfileChoices | undefined): string {
  if (type !== CHOICE) return '';
  const entries = Object.entries(choices ?? {});
  if (entries.length === 0) throw refusal('choice_missing');
  if (entries.length > MAX_CHOICES) {
    throw refusal('too_many_choices', { limit: MAX_CHOICES });
  }
  const checked = entries.map(([key, { text, order }]) => {
    if (!/^[A-Za-z0-9]{1,30}$/.test(key)) {
      throw refusal('choice_key_invalid');
    }
    if (!/^\d{1,9}$/.test(String(order))) throw refusal('choice_order_invalid');
    return [key, { text: checkLine(text, 'choice', 100), order: String(order) }] as const;
  });
  return JSON.stringify(Object.fromEntries(checked));
}

const choicesOf = (fieldData: string): object =>
  fieldData === '' ? {} : (JSON.parse(fieldData) as object);

/** Whether an answer to a field is still one when the field has these data. */
export const keepsAnswer =
  (type: number, fieldData: string) =>
  (value: string): boolean =>
    type !== CHOICE || Object.hasOwn(choicesOf(fieldData), value);

type AnswerReader = (
  value: string,
  field: ProfileFieldRow,
  isPerson: (userId: number) => boolean,
) => string;

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isWebAddress(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || /\s/.test(text) || !URL.canParse(text)) return false;
  return /^https?:$/.test(new URL(text).protocol);
}

const textOf =
  (limit: number): AnswerReader =>
  (value, field) => {
    if (countCharacters(value) > limit || value.includes('\0')) {
      throw refusal('field_takes_text', { field: field.name, limit });
    }
    return value;
  };

const readings: Readonly<Record<number, AnswerReader>> = {
  [SHORT_TEXT]: (value, field, isPerson) => textOf(50)(value.replace(/\s+/g, ' '), field, isPerson),
  [LONG_TEXT]: textOf(500),
  [CHOICE](value, field) {
    if (!keepsAnswer(CHOICE, field.field_data)(value))
      throw refusal('field_takes_choice', { field: field.name });
    return value;
  },
  [DATE](value, field) {
    if (!isDate(value)) throw refusal('field_takes_date', { field: field.name });
    return value;
  },
  [URL_FIELD](value, field) {
    if (!isWebAddress(value)) throw refusal('field_takes_web_address', { field: field.name });
    return value;
  },
  [PEOPLE](value, field, isPerson) {
    const ids = parseJson(value);
    const isRight =
      Array.isArray(ids) &&
      ids.length <= MAX_PEOPLE &&
      ids.every((id) => typeof id === 'number' && isPerson(id));
    if (!isRight) throw refusal('field_takes_people', { field: field.name, limit: MAX_PEOPLE });
    return JSON.stringify([...new Set(ids)]);
  },
};

const isBlank = (raw: unknown): boolean =>
  raw === undefined ||
  raw === null ||
  (typeof raw === 'string' && raw.trim() === '') ||
  (Array.isArray(raw) && raw.length === 0);

/**
 * An answer as it is stored; null for a blank one.
 * @param isPerson  whether there is such an account, of a person
 * @throws BAD_REQUEST when the field does not take it
 */
export function checkAnswer(
  field: ProfileFieldRow,
  raw: unknown,
  isPerson: (userId: number) => boolean,
): string | null {
  if (isBlank(raw)) return null;
  const isText = typeof raw === 'string' || typeof raw === 'number';
  const isList = field.type === PEOPLE && Array.isArray(raw);
  const read = readings[field.type];
  if ((!isText && !isList) || read === undefined)
    throw refusal('field_takes_another_value', { field: field.name });
  return read(isText ? String(raw).trim() : JSON.stringify(raw), field, isPerson);
}

/** The answers of one account by field id. */
export const profileDataOf = (rows: readonly ProfileValueRow[]): ProfileData =>
  Object.fromEntries(
    rows.map(({ field_id: id, value, rendered }) => [
      String(id),
      { value, ...(rendered === null ? {} : { rendered_value: rendered }) },
    ]),
  );

/** Looks up everybody's answers by user id. */
export function profilesOf(
  rows: readonly ProfileValueRow[],
): (userId: number) => ProfileData | undefined {
  const byUser = new Map<number, ProfileValueRow[]>();
  for (const row of rows) {
    const known = byUser.get(row.account_id);
    if (known === undefined) byUser.set(row.account_id, [row]);
    else known.push(row);
  }
  return (userId) => {
    const own = byUser.get(userId);
    return own === undefined ? undefined : profileDataOf(own);
  };
}

/** The fields in their order, as /register and events list them. */
export const fieldsShape = (rows: readonly ProfileFieldRow[]): ProfileField[] =>
  rows.map(({ id, name, type, hint, field_data: fieldData }, index) => ({
    id,
    name,
    type,
    hint,
    field_data: fieldData,
    order: index + 1,
  }));
