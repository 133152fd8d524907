/** The form of a database: its number, the tables of a new one, and how an earlier one becomes one of today. */
import { messageTables } from './message-tables.ts';
import { organizationTables } from './organization-tables.ts';
import { OLDEST_FORM, steps } from './steps.ts';

export { OLDEST_FORM };
/** It never falls: an earlier version of Hearth must not take a database of this one for its own. */
export const FORM = OLDEST_FORM + steps.length;

/** Times are UNIX seconds. Booleans are 0 or 1. Settings are JSON objects of what differs from the defaults. A name that is
 * compared without case stands a second time in a `_key` column, folded by operations. */
export const schema = `${organizationTables}${messageTables}`;

/** What makes a database of today of one of another form; 0 for an empty one. */
export const sqlFrom = (form: number): string =>
  form === 0 ? schema : steps.slice(form - OLDEST_FORM).join('');
