import { refusal } from '#shared/api/refusal.ts';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import {
  findOne,
  type NewEntry,
  type Operation,
  type PayloadOf,
  record,
  recordAll,
  run,
} from '#service/db/operation.ts';
import { insertStream, join, type NewStream } from '#service/features/streams/queries/streams.ts';
import { insertUser, type NewAccount } from '#service/features/people/queries/users.ts';

export interface RealmRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly notifications_stream_id: number | null;
  readonly created_at: number;
  readonly is_deactivated: 0 | 1;
  /** The later restore generation, as JSON, under which it goes on elsewhere; null while it lives here. */
  readonly succeeded_by: string | null;
  /** The number with which it is opened to others after a restore; null while it is open. */
  readonly opens_with: string | null;
  /** UNIX seconds: the moment of the backup that was restored last; null where none was. */
  readonly backed_up_at: number | null;
  /** JSON of the settings that differ from the defaults. */
  readonly settings: string;
}

export type RestoreGenerationRow = RestoreGeneration;

const FIND_REALM = `SELECT realm.*, backed_up_at
  FROM realm LEFT JOIN restore_report USING (id) WHERE id = 1`;
const FIND_EPOCH = 'SELECT n, id, parent, signature FROM epoch ORDER BY n DESC LIMIT 1';
const INSERT_REALM = `INSERT INTO realm (id, name, notifications_stream_id, created_at)
  VALUES (1, :name, :notificationsStreamId, :createdAt)`;

const UPDATE_REALM = `UPDATE realm SET name = :name, description = :description,
    notifications_stream_id = :notificationsStreamId, settings = :settings
  WHERE id = 1`;

const SET_DEACTIVATED = `UPDATE realm SET is_deactivated = :isDeactivated
  WHERE id = 1 AND is_deactivated <> :isDeactivated AND succeeded_by IS NULL`;
// A move that has not handed over yet ends where it shows that the organization goes on somewhere else.
const SEAL = `UPDATE realm SET is_deactivated = 1, succeeded_by = :successor
  WHERE id = 1 AND succeeded_by IS NULL`;
const IS_PENDING = `succeeded_by IS NOT NULL AND json_extract(succeeded_by, '$.signature') IS NULL`;
const REPLACE_PENDING = `UPDATE realm SET succeeded_by = :successor WHERE id = 1 AND ${IS_PENDING}`;
const PLACE_SUCCESSOR = `UPDATE realm SET succeeded_by = :successor
  WHERE id = 1 AND json_extract(succeeded_by, '$.id') = :id`;
const UNSEAL = `UPDATE realm SET is_deactivated = 0, succeeded_by = NULL WHERE id = 1 AND ${IS_PENDING}`;
// Nobody is told of anything until the organization is back.
const DELETE_DELIVERIES = 'DELETE FROM bot_delivery';

export const realmReads = {
  /** The organization, or undefined while none was created. */
  *findRealm(): Operation<RealmRow | undefined> {
    return yield* findOne<RealmRow>(FIND_REALM);
  },
  /** Since when nothing is as it was before a restore; undefined for an organization that was never restored. */
  *findRestoreGeneration(): Operation<RestoreGenerationRow | undefined> {
    return yield* findOne<RestoreGenerationRow>(FIND_EPOCH);
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
  readonly entries: (ids: readonly number[]) => readonly NewEntry[];
}

/** A setting's new value; the default one is not stored. Equal values are spelled the same in JSON. */
export interface SettingValue {
  readonly value: Changed[string];
  readonly isDefault: boolean;
}

/** What to change of the organization; absent keys stay as they are. */
export interface RealmChange {
  readonly name?: string;
  readonly description?: string;
  /** Null for none. */
  readonly notificationsStreamId?: number | null;
  readonly settings: Readonly<Record<string, SettingValue>>;
}

type SettingsEvent = PayloadOf<'realm', 'update_dict'>;
type Changed = SettingsEvent['data'];
/** Settings of which one event tells together, by what they are called in it. */
type Groups = Readonly<Partial<Record<SettingsEvent['property'], readonly string[]>>>;

function changeOf(realm: RealmRow, change: RealmChange): { row: RealmRow; changed: Changed } {
  const changed: Record<string, Changed[string]> = {};
  const { name = realm.name, description = realm.description } = change;
  const streamId = change.notificationsStreamId;
  const notificationsStreamId = streamId === undefined ? realm.notifications_stream_id : streamId;
  if (name !== realm.name) changed['name'] = name;
  if (description !== realm.description) changed['description'] = description;
  if (notificationsStreamId !== realm.notifications_stream_id) {
    changed['notifications_stream_id'] = notificationsStreamId ?? -1;
  }
  const settings = new Map(Object.entries(JSON.parse(realm.settings) as Changed));
  for (const [key, { value, isDefault }] of Object.entries(change.settings)) {
    const isSame = isDefault
      ? !settings.has(key)
      : JSON.stringify(settings.get(key)) === JSON.stringify(value);
    if (isSame) continue;
    changed[key] = value;
    if (isDefault) settings.delete(key);
    else settings.set(key, value);
  }
  const text = JSON.stringify(Object.fromEntries(settings));
  const columns = { notifications_stream_id: notificationsStreamId, settings: text };
  return { row: { ...realm, name, description, ...columns }, changed };
}

function* announceTogether(
  property: SettingsEvent['property'],
  changes: readonly (readonly [string, Changed[string]])[],
): Operation<void> {
  if (changes.length === 0) return;
  const payload = { op: 'update_dict', property, data: Object.fromEntries(changes) } as const;
  yield* record({ type: 'realm', audience: { kind: 'realm' }, payload });
}

function* announce(changed: Changed, groups: Groups): Operation<void> {
  const changes = Object.entries(changed);
  const all = Object.values(groups).flat();
  for (const [property, value] of changes) {
    if (all.includes(property)) continue;
    const payload = { op: 'update', property, value } as const;
    yield* record({ type: 'realm', audience: { kind: 'realm' }, payload });
  }
  for (const name of ['default', 'icon'] as const) {
    yield* announceTogether(
      name,
      changes.filter(([property]) => groups[name]?.includes(property)),
    );
  }
}

function* getRealm(): Operation<RealmRow> {
  const realm = yield* findOne<RealmRow>(FIND_REALM);
  if (realm === undefined) throw new Error('there is no organization');
  return realm;
}

function* changeRealm(
  change: RealmChange,
  groups: Groups,
): Operation<{ readonly before: RealmRow; readonly changed: Changed }> {
  const before = yield* getRealm();
  const { row, changed } = changeOf(before, change);
  if (Object.keys(changed).length === 0) return { before, changed };
  const { name, description, notifications_stream_id: notificationsStreamId, settings } = row;
  yield* run(UPDATE_REALM, { name, description, notificationsStreamId, settings });
  yield* announce(changed, groups);
  return { before, changed };
}

/** Step: announcements go nowhere when their stream is archived. */
export function* clearNotificationsStream(streamId: number): Operation<void> {
  const { notifications_stream_id: current } = yield* getRealm();
  if (current !== streamId) return;
  yield* changeRealm({ notificationsStreamId: null, settings: {} }, {});
}

function* announceClosed(entry: NewEntry): Operation<void> {
  yield* run(DELETE_DELIVERIES);
  yield* record(entry);
  const payload = { op: 'deactivated', realm_id: 1 } as const;
  yield* record({ type: 'realm', audience: { kind: 'realm' }, payload });
}

export const realmWrites = {
  /**
   * Changes the organization and tells of it; answers what it was and what really changed, as clients are told it.
   * @param groups  settings of which one event tells together
   */
  updateRealm: changeRealm,
  /** Closes the organization and tells everybody; nothing changes where it is closed already. */
  *deactivateRealm(entry: NewEntry): Operation<void> {
    if ((yield* run(SET_DEACTIVATED, { isDeactivated: 1 })) > 0) yield* announceClosed(entry);
  },
  /** The same for good, because it goes on elsewhere. */
  *sealRealm(successor: RestoreGeneration, entry: NewEntry): Operation<void> {
    const values = { successor: JSON.stringify(successor) };
    if ((yield* run(REPLACE_PENDING, values)) > 0) return;
    if ((yield* run(SEAL, values)) > 0) yield* announceClosed(entry);
  },
  /** The restore generation for which it was closed is signed: from now on it is for good. */
  *signNextHost(successor: RestoreGeneration): Operation<void> {
    yield* run(REPLACE_PENDING, { successor: JSON.stringify(successor) });
  },
  /** Where it is reached there. */
  *setNextHostAddresses(
    successor: RestoreGeneration,
    addresses: readonly string[],
  ): Operation<void> {
    const { id } = successor;
    yield* run(PLACE_SUCCESSOR, { id, successor: JSON.stringify({ ...successor, addresses }) });
  },
  /** Opens it again, where no restore generation was signed under which it goes on elsewhere. Answers whether it did. */
  *unsealRealm(entry: NewEntry): Operation<boolean> {
    if ((yield* run(UNSEAL)) === 0) return false;
    yield* record(entry);
    return true;
  },
  /** Answers false where it is not closed, or goes on elsewhere. */
  *reactivateRealm(entry: NewEntry): Operation<boolean> {
    if ((yield* run(SET_DEACTIVATED, { isDeactivated: 0 })) === 0) return false;
    yield* record(entry);
    return true;
  },
  /**
   * Creates the organization; answers the ids of its accounts. Nobody can have a queue yet, so nothing is announced.
   * @param keyHashOf  the keyed hash of the API key that belongs to an id
   * @throws BAD_REQUEST when there is one already
   */
  *createRealm(realm: NewRealm, keyHashOf: (id: number) => string): Operation<readonly number[]> {
    if ((yield* findOne(FIND_REALM)) !== undefined) {
      throw refusal('organization_exists');
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
    yield* recordAll(realm.entries(ids));
    return ids;
  },
};
