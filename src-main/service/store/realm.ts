import { badRequest } from '../../contract/errors.ts';
import { findOne, type Operation, run } from './operation.ts';
import { insertStream, join, type NewStream } from './streams.ts';
import { insertUser, type NewAccount } from './users.ts';

export interface RealmRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly notifications_stream_id: number | null;
  readonly created_at: number;
  /** JSON of the settings that differ from the defaults. */
  readonly settings: string;
}

const FIND_REALM = 'SELECT * FROM realm WHERE id = 1';
const INSERT_REALM = `INSERT INTO realm (id, name, notifications_stream_id, created_at)
  VALUES (1, :name, :notificationsStreamId, :createdAt)`;

export const realmReads = {
  /** The organization, or undefined while none was created. */
  *findRealm(): Operation<RealmRow | undefined> {
    return yield* findOne<RealmRow>(FIND_REALM);
  },
};

/** A whole organization: what creating one writes. Accounts and streams are named by their position. */
export interface NewRealm {
  readonly name: string;
  /** UNIX seconds. */
  readonly createdAt: number;
  /** An owner comes before its bots. */
  readonly accounts: readonly (Omit<NewAccount, 'ownerId'> & { readonly owner: number | null })[];
  /** The first one takes announcements. */
  readonly streams: readonly { readonly stream: NewStream; readonly members: readonly number[] }[];
  readonly palette: readonly string[];
}

export const realmWrites = {
  /**
   * Creates the organization; answers the ids of its accounts. Nobody can have a queue yet, so nothing is announced.
   * @param keyHashOf  the keyed hash of the API key that belongs to an id
   * @throws BAD_REQUEST when there is one already
   */
  *createRealm(realm: NewRealm, keyHashOf: (id: number) => string): Operation<readonly number[]> {
    if ((yield* findOne(FIND_REALM)) !== undefined) {
      throw badRequest('This service has an organization already');
    }
    const ids: number[] = [];
    for (const { owner, ...account } of realm.accounts) {
      const ownerId = owner === null ? null : (ids[owner] ?? null);
      ids.push(yield* insertUser({ ...account, ownerId }, keyHashOf));
    }
    let notificationsStreamId: number | null = null;
    for (const { stream, members } of realm.streams) {
      const row = yield* insertStream(stream);
      notificationsStreamId ??= row.id;
      for (const member of members) {
        yield* join(row, ids[member] ?? 0, { wished: undefined, palette: realm.palette });
      }
    }
    const { name, createdAt } = realm;
    yield* run(INSERT_REALM, { name, notificationsStreamId, createdAt });
    return ids;
  },
};
