/** The own account and its settings (API decisions, section 7.3). */
import { badRequest, WrongPassword } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { DisplaySettings, NotificationSettings } from '../../contract/models/settings.ts';
import type { AccountChange, AccountRow, NewEvent, Store } from '../store/port.ts';
import { userUpdated } from './account-events.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { checkEmail, checkFullName, checkPassword } from './rules/names.ts';
import { type RealmSettings, realmSettings } from './rules/realm-settings.ts';
import { avatarShape } from './rules/shapes.ts';
import {
  changedSettings,
  checkEmojiset,
  checkLanguage,
  checkSound,
  checkTimezone,
  languageName,
  type SettingName,
  storedSettings,
  type UserSettings,
} from './rules/user-settings.ts';

export interface OwnChange {
  readonly fullName: string | undefined;
  readonly email: string | undefined;
  readonly oldPassword: string | undefined;
  readonly newPassword: string | undefined;
}

/** What a call leaves out stays as it is. */
export type Wanted<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface SettingsOperations {
  /** Answers what changed, a password never. @throws BAD_REQUEST */
  readonly updateOwnAccount: (
    caller: Caller,
    change: OwnChange,
  ) => Promise<{ readonly full_name?: string; readonly email?: string }>;
  /** Answers what changed. @throws BAD_REQUEST */
  readonly updateNotifications: (
    caller: Caller,
    wanted: Wanted<NotificationSettings>,
  ) => Promise<Partial<NotificationSettings>>;
  /** Answers what changed. @throws BAD_REQUEST */
  readonly updateDisplay: (
    caller: Caller,
    wanted: Wanted<DisplaySettings>,
  ) => Promise<Partial<DisplaySettings>>;
}

type SettingsStore = Pick<Store, 'changeAccount' | 'findRealm' | 'findUser'>;

interface Checked {
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
  const isDisplay = name in displayNames;
  const language = name === 'default_language' ? languageName(String(value)) : undefined;
  const payload = isDisplay
    ? {
        user: user.email,
        setting_name: name,
        setting: value,
        ...(language === undefined ? {} : { language_name: language }),
      }
    : { user: user.email, notification_name: name, setting: value };
  return [
    {
      type: isDisplay ? 'update_display_settings' : 'update_global_notifications',
      audience,
      payload,
    },
    { type: 'user_settings', audience, payload: { op: 'update', property: name, value } },
  ];
}

const displayNames: Readonly<Record<keyof DisplaySettings, 0>> = {
  default_language: 0,
  dense_mode: 0,
  emojiset: 0,
  fluid_layout_width: 0,
  high_contrast_mode: 0,
  left_side_userlist: 0,
  night_mode: 0,
  starred_message_counts: 0,
  timezone: 0,
  translate_emoticons: 0,
  twenty_four_hour_time: 0,
  demote_inactive_streams: 0,
};

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

function ownChange(user: AccountRow, checked: Checked, gravatarHash: string): AccountChange {
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

/** What a client may compute itself is left to it, and put in for the others. */
const avatarChanged = (user: AccountRow): NewEvent => userUpdated(user, avatarShape(user, true));

/** @throws BAD_REQUEST for what the organization does not allow; administrators may all the same */
function refuseDisabled(caller: Caller, change: OwnChange, realm: RealmSettings): void {
  if (caller.role === 'admin') return;
  if (change.fullName !== undefined && realm.name_changes_disabled) {
    throw badRequest('Name changes are disabled in this organization');
  }
  if (change.email !== undefined && realm.email_changes_disabled) {
    throw badRequest('E-mail address changes are disabled in this organization');
  }
}

function accountUpdater(
  store: SettingsStore,
  context: DomainContext,
): SettingsOperations['updateOwnAccount'] {
  const { passwords, gravatarHash } = context.credentials;

  /** @throws BAD_REQUEST for a wrong old password, or a new one that is none */
  async function newPasswordHash(
    caller: Caller,
    { oldPassword, newPassword }: OwnChange,
  ): Promise<string | undefined> {
    if (newPassword === undefined || newPassword === '') return undefined;
    const checked = checkPassword(newPassword);
    const hash = (await store.findUser(caller.userId))?.password_hash ?? null;
    if (!(await passwords.verify(hash, oldPassword ?? ''))) throw new WrongPassword();
    return passwords.hash(checked);
  }

  return async (caller, wanted) => {
    refuseDisabled(caller, wanted, realmSettings(await store.findRealm()));
    const fullName = wanted.fullName === undefined ? undefined : checkFullName(wanted.fullName);
    const email = wanted.email === undefined ? undefined : checkEmail(wanted.email);
    const passwordHash = await newPasswordHash(caller, wanted);
    let changed: { full_name?: string; email?: string } = {};
    await store.changeAccount(caller.userId, null, ({ user }) => {
      const hash = gravatarHash(email ?? user.email);
      const change = ownChange(user, { fullName, email, passwordHash }, hash);
      const { full_name: newName, email: newEmail } = change.columns;
      changed = {
        ...(newName === undefined ? {} : { full_name: newName }),
        ...(newEmail === undefined ? {} : { email: newEmail }),
      };
      return change;
    });
    return changed;
  };
}

export function settingsOperations(
  store: SettingsStore,
  context: DomainContext,
): SettingsOperations {
  async function change(
    caller: Caller,
    wanted: Wanted<UserSettings>,
  ): Promise<Partial<UserSettings>> {
    let changed: Partial<UserSettings> = {};
    await store.changeAccount(caller.userId, null, ({ user }) => {
      changed = changedSettings(user, wanted);
      return settingChange(user, changed);
    });
    return changed;
  }

  return {
    updateOwnAccount: accountUpdater(store, context),
    async updateNotifications(caller, wanted) {
      if (wanted.notification_sound !== undefined) checkSound(wanted.notification_sound);
      return change(caller, wanted);
    },
    async updateDisplay(caller, wanted) {
      if (wanted.default_language !== undefined) checkLanguage(wanted.default_language);
      if (wanted.emojiset !== undefined) checkEmojiset(wanted.emojiset);
      if (wanted.timezone !== undefined) checkTimezone(wanted.timezone);
      return change(caller, wanted);
    },
  };
}
