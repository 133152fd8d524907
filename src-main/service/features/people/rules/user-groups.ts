/** What groups of people are called (API decisions 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import { checkLine, checkVisible } from '#service/core/rules/names.ts';

const MAX_NAME_CHARACTERS = 100;

/** @throws BAD_REQUEST unless one line of 1 to 100 characters that are seen and that `@*name*` can hold */
export function checkGroupName(name: string): string {
  const checked = checkLine(name, 'user_group_name', MAX_NAME_CHARACTERS);
  if (checked.includes('*')) throw refusal('group_name_with_asterisk');
  return checkVisible(checked, 'user_group_name');
}
