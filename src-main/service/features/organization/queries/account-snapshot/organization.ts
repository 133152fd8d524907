/** Policies, groups and bots of the account snapshot. */
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import {
  type UserGroup,
  userGroupReads,
  userGroupWrites,
} from '#service/features/people/queries/user-groups.ts';

export interface OrganizationSnapshot {
  /** Of the organization, as `settings` of its row holds them, without what names files and streams. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly groups: readonly (UserGroup & { readonly name_key: string })[];
  /** Where bots deliver to, and what they are verified by. */
  readonly bots: readonly BotSnapshot[];
}

interface BotSnapshot {
  readonly id: number;
  /** Null for one that delivers nowhere. */
  readonly payload_url: string | null;
  readonly interface: number | null;
  readonly token: string | null;
  /** By which deliveries to it are verified; null where they are not. */
  readonly secret: string | null;
  /** Null where nobody set it up in the window. */
  readonly is_paused: 0 | 1 | null;
}

/** They name files and streams, which the archive may lack. */
const NAMING: ReadonlySet<string> = new Set([
  'icon_url',
  'icon_source',
  'signup_notifications_stream_id',
]);

const FIND_SETTINGS = 'SELECT settings FROM realm WHERE id = 1';
const SET_SETTINGS = 'UPDATE realm SET settings = :settings WHERE id = 1';
const LIST_KEYS = 'SELECT id, name_key FROM user_group';
const LIST_BOTS = `SELECT a.id, v.payload_url, v.interface, v.token, c.secret, h.is_paused FROM account a
  LEFT JOIN bot_service v ON v.account_id = a.id LEFT JOIN bot_secret c ON c.account_id = a.id
  LEFT JOIN bot_hook h ON h.account_id = a.id
  WHERE a.bot_type IS NOT NULL ORDER BY a.id`;
const INSERT_GROUP = `INSERT INTO user_group (id, name, name_key, description)
  VALUES (:id, :name, :nameKey, :description)`;
const INSERT_MEMBERS = `INSERT INTO user_group_member (group_id, account_id)
  SELECT :id, a.id FROM account a JOIN json_each(:members) e ON e.value = a.id`;
const IS_BOT = 'SELECT id FROM account WHERE id = :id AND bot_type IS NOT NULL';
const SET_SERVICE = `UPDATE bot_service SET payload_url = :payloadUrl, interface = :interface, token = :token
  WHERE account_id = :id`;
const DELETE_SECRET = 'DELETE FROM bot_secret WHERE account_id = :id';
const INSERT_SECRET = 'INSERT INTO bot_secret (account_id, secret) VALUES (:id, :secret)';
const SET_PAUSED = 'UPDATE bot_hook SET is_paused = :isPaused WHERE account_id = :id';

type Settings = Readonly<Record<string, unknown>>;

/** Those settings of which `isNaming` says the same. */
const only = (settings: Settings, isNaming: boolean): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => NAMING.has(key) === isNaming));

function* currentSettings(): Operation<Settings> {
  const realm = yield* findOne<{ settings: string }>(FIND_SETTINGS);
  return JSON.parse(realm?.settings ?? '{}') as Settings;
}

/** Step: as it is now. */
export function* listOrganization(): Operation<OrganizationSnapshot> {
  const keys = yield* list<{ id: number; name_key: string }>(LIST_KEYS);
  const keyOf = new Map(keys.map(({ id, name_key }) => [id, name_key]));
  const groups = yield* userGroupReads.listUserGroups();
  return {
    settings: only(yield* currentSettings(), false),
    groups: groups.map((group) => ({ ...group, name_key: keyOf.get(group.id) ?? '' })),
    bots: yield* list<BotSnapshot>(LIST_BOTS),
  };
}

function* applyGroups(groups: OrganizationSnapshot['groups']): Operation<void> {
  for (const { id } of yield* userGroupReads.listUserGroups()) {
    yield* userGroupWrites.deleteUserGroup(id);
  }
  for (const { id, name, name_key: nameKey, description, members } of groups) {
    yield* run(INSERT_GROUP, { id, name, nameKey, description });
    yield* run(INSERT_MEMBERS, { id, members: JSON.stringify(members) });
  }
}

function* applyBot(bot: BotSnapshot): Operation<void> {
  const { id, payload_url: payloadUrl, interface: kind, token, secret, is_paused: isPaused } = bot;
  if ((yield* findOne(IS_BOT, { id })) === undefined) return;
  if (payloadUrl !== null) yield* run(SET_SERVICE, { id, payloadUrl, interface: kind, token });
  yield* run(DELETE_SECRET, { id });
  if (secret !== null) yield* run(INSERT_SECRET, { id, secret });
  if (isPaused !== null) yield* run(SET_PAUSED, { id, isPaused });
}

/** Step: lets policies, groups and bots be what they were later; accounts that came later are not here. */
export function* applyOrganization(later: OrganizationSnapshot): Operation<void> {
  const kept = only(yield* currentSettings(), true);
  yield* run(SET_SETTINGS, { settings: JSON.stringify({ ...later.settings, ...kept }) });
  yield* applyGroups(later.groups);
  for (const bot of later.bots) yield* applyBot(bot);
}
