/** The own account and its settings (API decisions 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import { canChangeOwn } from '#shared/policies/people.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import { displaySettings } from '#shared/api/models/settings.ts';
import type {
  AccountRow,
  NewEntry,
  NewEvent,
  Operation,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { change, untilCurrent } from '#service/core/change.ts';
import { type AccountChange, changeAccount, getFacts } from './account-changes.ts';
import { userUpdated } from './account-events.ts';
import { renewAll } from './devices.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { ownPasswordCheck, stillOwn } from './own-password.ts';
import { fold } from '#shared/text/fold.ts';
import { checkEmail, checkFullName, checkPassword } from '#service/core/rules/names.ts';
import { type RealmSettings, realmSettings } from '#service/core/rules/organization-settings.ts';
import { avatarShape } from '#service/core/rules/shapes.ts';
import {
  changedSettings,
  checkSettings,
  languageName,
  type SettingName,
  storedSettings,
  type UserSettings,
  type Wanted,
} from '#service/core/rules/user-settings.ts';

export interface OwnAccountChange {
  readonly fullName: string | undefined;
  readonly email: string | undefined;
  readonly oldPassword: string | undefined;
  readonly newPassword: string | undefined;
}

export interface OwnAccountResult {
  readonly full_name?: string;
  readonly email?: string;
  /** With another password: the new key of the device that asks. */
  readonly api_key?: string;
}

export interface SettingsOperations {
  /** Answers what changed, a password never. @throws BAD_REQUEST */
  readonly updateOwnAccount: (
    source: CallerActionSource,
    change: OwnAccountChange,
  ) => Promise<OwnAccountResult>;
  /** Answers what changed. @throws BAD_REQUEST */
  readonly updateSettings: (caller: Caller, wanted: Wanted) => Promise<Partial<UserSettings>>;
}

/** What was checked of a request before it is written. */
interface CheckedChange {
  readonly fullName: string | undefined;
  readonly email: string | undefined;
  readonly passwordHash: string | undefined;
}

/** Events of one changed setting: the older kind, and the one that newer clients list by name. */
function settingEvents(
  user: AccountRow,
  name: string,
  value: UserSettings[SettingName],
): readonly NewEvent[] {
  const audience = { kind: 'users', userIds: [user.id] } as const;
  const isDisplay = name in displaySettings.settings;
  const language = name === 'default_language' ? languageName(String(value)) : undefined;
  const named = language === undefined ? {} : { language_name: language };
  const shown = { user: user.email, setting_name: name, setting: value, ...named };
  const notified = { user: user.email, notification_name: name, setting: value };
  return [
    isDisplay
      ? { type: 'update_display_settings', audience, payload: shown }
      : { type: 'update_global_notifications', audience, payload: notified },
    { type: 'user_settings', audience, payload: { op: 'update', property: name, value } },
  ];
}

function settingChange(user: AccountRow, changed: Partial<UserSettings>): AccountChange {
  const { timezone } = changed;
  const events = Object.entries(changed).flatMap(([name, value]) =>
    settingEvents(user, name, value),
  );
  if (timezone !== undefined) events.push(userUpdated(user, { timezone }));
  const settings = storedSettings(user, changed);
  return {
    columns: {
      ...(settings === user.settings ? {} : { settings }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    events,
  };
}

function ownChange(user: AccountRow, checked: CheckedChange, gravatarHash: string): AccountChange {
  const { fullName, email, passwordHash } = checked;
  const isRenamed = fullName !== undefined && fullName !== user.full_name;
  const isMoved = email !== undefined && email !== user.email;
  const hasOtherAvatar =
    isMoved && user.avatar_file === null && gravatarHash !== user.gravatar_hash;
  return {
    columns: {
      ...(isRenamed ? { full_name: fullName, full_name_key: fold(fullName) } : {}),
      ...(isMoved ? { email, email_key: fold(email), gravatar_hash: gravatarHash } : {}),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    },
    events: [
      ...(isRenamed ? [userUpdated(user, { full_name: fullName })] : []),
      ...(isMoved ? [userUpdated(user, { new_email: email })] : []),
      ...(hasOtherAvatar ? [avatarChanged({ ...user, email })] : []),
    ],
  };
}

/** Never the password itself. */
function ownEntries(
  note: AuditEntryMaker,
  user: AccountRow,
  { columns }: AccountChange,
): readonly NewEntry[] {
  const { email, full_name: name, password_hash: passwordHash } = columns;
  const userId = user.id;
  return [
    ...(name === undefined
      ? []
      : [note('name_changed', { userId, details: { old: user.full_name, new: name } })]),
    ...(email === undefined
      ? []
      : [note('email_changed', { userId, details: { old: user.email, new: email } })]),
    ...(passwordHash === undefined ? [] : [note('password_changed', { userId })]),
  ];
}

/** What a client may compute itself is left to it, and put in for the others. */
const avatarChanged = (user: AccountRow): NewEvent => userUpdated(user, avatarShape(user, true));

/** @throws BAD_REQUEST for what the organization does not allow; administrators may all the same */
function refuseDisabled(caller: Caller, change: OwnAccountChange, realm: RealmSettings): void {
  if (change.fullName !== undefined && !canChangeOwn(caller, realm.name_changes_disabled)) {
    throw refusal('name_changes_disabled');
  }
  if (change.email !== undefined && !canChangeOwn(caller, realm.email_changes_disabled)) {
    throw refusal('email_changes_disabled');
  }
}

interface CheckedPassword {
  /** Whose password was found right, where one was needed. */
  readonly user: AccountRow | undefined;
  readonly passwordHash: string | undefined;
}

/** @throws BAD_REQUEST for a wrong password where one is needed, or a new one that is none */
function passwordCheck(store: Store, context: DomainContext) {
  const { passwords } = context.credentials;
  const check = ownPasswordCheck(store, context);

  return async (source: CallerActionSource, wanted: OwnAccountChange): Promise<CheckedPassword> => {
    const { oldPassword, newPassword, email } = wanted;
    const user = await store.findUser(source.caller.userId);
    const hash = user?.password_hash ?? null;
    const verify = () => check(source, user, oldPassword ?? '');
    if (newPassword === undefined || newPassword === '') {
      // Whoever has a key alone must not take the account away; only those of a development server have no password.
      const isMoved = email !== undefined && email !== user?.email;
      if (isMoved && hash !== null) await verify();
      return { user, passwordHash: undefined };
    }
    const checked = checkPassword(newPassword, 'new_password');
    await verify();
    if (user?.is_password_given === 1 && newPassword === oldPassword) {
      throw refusal('password_unchanged');
    }
    return { user, passwordHash: await passwords.hash(checked) };
  };
}

function* updateOwn(
  tx: Transaction,
  context: DomainContext,
  source: CallerActionSource,
  checked: CheckedChange,
): Operation<OwnAccountResult> {
  const { userId, deviceId } = source.caller;
  const { user } = yield* getFacts(tx, userId);
  const hash = context.credentials.gravatarHash(checked.email ?? user.email);
  const planned = ownChange(user, checked, hash);
  const events = [
    ...planned.events,
    ...ownEntries(auditEntryMaker(context, source), user, planned),
  ];
  // A key that was stolen, with the password or without it, ends with the password.
  const renewed =
    checked.passwordHash === undefined ? undefined : yield* renewAll(tx, context, user, deviceId);
  const columns = { ...planned.columns, ...renewed?.columns };
  yield* changeAccount(tx, userId, { columns, events });
  const { full_name: newName, email: newEmail } = columns;
  return {
    ...(newName === undefined ? {} : { full_name: newName }),
    ...(newEmail === undefined ? {} : { email: newEmail }),
    ...(renewed === undefined ? {} : { api_key: renewed.key }),
  };
}

function accountUpdater(
  store: Store,
  context: DomainContext,
): SettingsOperations['updateOwnAccount'] {
  const check = passwordCheck(store, context);

  return async (source, wanted) => {
    const { caller: known } = source;
    // Before a password is looked at; asked again where it counts.
    refuseDisabled(known, wanted, realmSettings(await store.findRealm()));
    const fullName = wanted.fullName === undefined ? undefined : checkFullName(wanted.fullName);
    const email = wanted.email === undefined ? undefined : checkEmail(wanted.email);
    const changed = await untilCurrent(async () => {
      const { user, passwordHash } = await check(source, { ...wanted, email });
      return change(store, known, function* (tx, caller) {
        refuseDisabled(caller, wanted, realmSettings(yield* tx.findRealm()));
        yield* stillOwn(tx, user);
        return yield* updateOwn(tx, context, source, { fullName, email, passwordHash });
      });
    });
    if (changed.api_key !== undefined) context.releasePolls(known.userId);
    return changed;
  };
}

export const settingsOperations = (store: Store, context: DomainContext): SettingsOperations => ({
  updateOwnAccount: accountUpdater(store, context),
  updateSettings: async (known, wanted) => {
    checkSettings(wanted);
    return change(store, known, function* (tx, { userId }) {
      const { user } = yield* getFacts(tx, userId);
      const changed = changedSettings(user, wanted);
      yield* changeAccount(tx, userId, settingChange(user, changed));
      return changed;
    });
  },
});
