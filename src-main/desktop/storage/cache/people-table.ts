/** Whom messages name, each once. */
import { cachedAvatar } from '#client/cache/cached-message.ts';
import type { RenamedTopic } from '#client/cache/message-changes.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { PersonRow } from './message-codec.ts';
import type { Sql } from './sql.ts';

const FIND_PERSON =
  'SELECT id, email, full_name, short_name, avatar_url FROM person WHERE id = :id';
const PUT_PERSON = `INSERT INTO person (id, email, full_name, short_name, avatar_url)
  VALUES (:id, :email, :full_name, :short_name, :avatar_url)
  ON CONFLICT (id) DO UPDATE SET email = excluded.email, full_name = excluded.full_name,
    short_name = excluded.short_name, avatar_url = excluded.avatar_url`;

const unknownPerson = (id: number): PersonRow => ({
  id,
  email: '',
  full_name: '',
  short_name: '',
  avatar_url: null,
});

type PersonKeys = Partial<Omit<PersonRow, 'id'>>;

export class PeopleTable {
  readonly #sql: Sql;
  /** What is known to be in the table; forgotten when anything is rolled back. */
  readonly #known = new Map<number, PersonRow>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The database may be what it was before. */
  forget(): void {
    this.#known.clear();
  }

  get(id: number): PersonRow {
    return this.#find(id) ?? unknownPerson(id);
  }

  rename(person: RenamedTopic): void {
    const known = this.#find(person.user_id);
    if (known === undefined) return;
    this.#put(person.user_id, {
      email: person.new_email ?? known.email,
      full_name: person.full_name ?? known.full_name,
      avatar_url:
        person.avatar_url === undefined ? known.avatar_url : cachedAvatar(person.avatar_url),
    });
  }

  /** Everybody whom a message names. */
  putAll(message: Message): void {
    for (const { user } of message.reactions) {
      this.#put(user.id, { email: user.email, full_name: user.full_name });
    }
    const { display_recipient: recipient } = message;
    for (const { id, email, full_name, short_name } of typeof recipient === 'string'
      ? []
      : recipient) {
      this.#put(id, { email, full_name, short_name });
    }
    this.#put(message.sender_id, {
      email: message.sender_email,
      full_name: message.sender_full_name,
      short_name: message.sender_short_name,
      avatar_url: cachedAvatar(message.avatar_url),
    });
  }

  #put(id: number, keys: PersonKeys): void {
    const known = this.#find(id);
    const person = { ...(known ?? unknownPerson(id)), ...keys };
    const isSame =
      known?.email === person.email &&
      known.full_name === person.full_name &&
      known.short_name === person.short_name &&
      known.avatar_url === person.avatar_url;
    if (isSame) return;
    this.#sql.run(PUT_PERSON, person);
    this.#known.set(id, person);
  }

  #find(id: number): PersonRow | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const row = this.#sql.get<PersonRow>(FIND_PERSON, { id });
    if (row !== undefined) this.#known.set(id, row);
    return row;
  }
}
