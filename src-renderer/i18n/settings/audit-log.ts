/** What the audit log says, in sentences of who did what. */
import type { AuditEntry, AuditType } from '#shared/api/models/audit.ts';
import { count } from '../count.ts';
import { size } from '../size.ts';
import { organizationSettingWords, type SettingWords } from './organization-setting-words.ts';

const times = (count: number): string => (count > 1 ? `, ${count.toLocaleString('en')} times` : '');

const settingWords: Readonly<Record<string, SettingWords>> = organizationSettingWords;

const valueText = (value: AuditEntry['details']['new']): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === null || value === undefined || value === '' ? 'nothing' : String(value);
};

type ValueText = (value: AuditEntry['details']['new'], names: AuditNames) => string;

/** Values that are told in other words than the page of the settings has for them. */
const settingValues: Readonly<Record<string, ValueText>> = {
  notifications_stream_id: (id, names) =>
    typeof id === 'number' && id > 0 ? names.stream(id) : chosen('notifications_stream_id', -1),
  upload_quota: (bytes) => (typeof bytes === 'number' ? size(bytes) : 'no limit'),
  max_file_upload_size: (mib) =>
    typeof mib === 'number' ? chosen('max_file_upload_size', mib) : 'the default',
};

function chosen(name: string, value: AuditEntry['details']['new']): string {
  const { options = [], other, isOpposite } = settingWords[name] ?? {};
  const label = options.find(([each]) => each === value)?.[1];
  if (label !== undefined) return label;
  if (typeof value === 'number' && other !== undefined) return other(value);
  return valueText(isOpposite === true ? value !== true : value);
}

const roles: Readonly<Record<string, string>> = {
  admin: 'an administrator',
  member: 'a member',
  guest: 'a guest',
};

const failures: Readonly<Record<string, string>> = {
  incorrect_creds: 'wrong password',
  'user disable': 'the account is deactivated',
  'realm deactivated': 'the organization is deactivated',
  'password auth disabled': 'passwords are switched off',
  unregistered: 'no such account',
};

/** How people and streams are called now. */
interface AuditNames {
  readonly person: (id: number) => string;
  readonly stream: (id: number) => string;
}

interface AuditText {
  readonly entry: AuditEntry;
  readonly details: AuditEntry['details'];
  readonly who: string;
  readonly whom: string;
  /** Who did it is whom it was done to. */
  readonly isOwn: boolean;
  readonly names: AuditNames;
}

function failedSignIn({ entry, details, who, whom }: AuditText): string {
  const { reason = '' } = details;
  if (reason === 'old_password') return `${who} gave a wrong password for their own account`;
  if (entry.address === '') return 'Signing in failed from many addresses';
  if (entry.user_id === null) return 'Somebody tried to sign in to an account that there is not';
  return `Somebody tried to sign in as ${whom}: ${failures[reason] ?? reason}`;
}

function deletedMessages({ entry, details, who, whom, names }: AuditText): string {
  const count = details.message_ids?.length ?? 0;
  const messages = count === 1 ? 'a message' : `${count.toLocaleString('en')} messages`;
  const place = entry.stream_id === null ? '' : ` in ${names.stream(entry.stream_id)}`;
  return `${who} deleted ${messages} of ${whom}${place}`;
}

function recoveredMessages({ details, who }: AuditText): string {
  const { messages = 0, forged = 0 } = details;
  const count = (of: number): string =>
    of === 1 ? 'one message' : `${of.toLocaleString('en')} messages`;
  const refused = `${count(forged)} that this organization never had, which ${forged === 1 ? 'was' : 'were'} refused`;
  if (messages === 0) return `${who} offered ${refused}`;
  const gave = `${who} gave back ${count(messages)} that had been lost`;
  return forged === 0 ? gave : `${gave}, and ${refused}`;
}

function changedSetting({ details, who, names }: AuditText): string {
  const { name = '' } = details;
  if (name === 'icon') {
    return `${who} ${details.new === 'U' ? 'set' : 'removed'} the picture of the organization`;
  }
  const textOf = settingValues[name] ?? ((value) => chosen(name, value));
  const [old, now] = [textOf(details.old, names), textOf(details.new, names)];
  const { label, logged = label } = settingWords[name] ?? { label: name };
  return `${who} changed “${logged}” from ${old} to ${now}`;
}

const MAX_NAMES = 3;

/** The first few by name. */
function people({ details, names }: AuditText): string {
  const ids = details.user_ids ?? [];
  const named = ids.slice(0, ids.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES).map(names.person);
  const more = ids.length - named.length;
  const parts = more === 0 ? named : [...named, `${more.toLocaleString('en')} others`];
  return new Intl.ListFormat('en').format(parts.length === 0 ? ['nobody'] : parts);
}

const putInto =
  (what: string) =>
  (said: AuditText): string =>
    `${said.who} added ${people(said)} to the ${what} ${said.details.name ?? ''}`;

const tookOut =
  (what: string) =>
  (said: AuditText): string =>
    `${said.who} took ${people(said)} out of the ${what} ${said.details.name ?? ''}`;

const did =
  (deed: string) =>
  ({ who, details }: AuditText): string =>
    `${who} ${deed} ${details.name ?? ''}`;

const renamed =
  (what: string) =>
  ({ who, details }: AuditText): string =>
    `${who} renamed the ${what} ${valueText(details.old)} to ${valueText(details.new)}`;

function changedField(said: AuditText): string {
  const { who, details } = said;
  const isRenamed = details.new !== undefined;
  return isRenamed
    ? renamed('profile field')({ ...said, details: { ...details, old: details.name } })
    : `${who} changed the profile field ${details.name ?? ''}`;
}

const sentences: Readonly<Record<AuditType, (said: AuditText) => string>> = {
  sign_in: ({ who, details }) =>
    `${who} signed in${details.device === undefined ? '' : ` on ${details.device}`}`,
  sign_in_failed: failedSignIn,
  device_ended: ({ who, whom, isOwn, details }) =>
    isOwn
      ? `${who} signed out of ${details.device ?? ''}`
      : `${who} signed ${whom} out of ${details.device ?? ''}`,
  key_renewed: ({ who, whom, isOwn }) =>
    `${who} renewed ${isOwn ? 'their own API key' : `the API key of ${whom}`}`,
  keys_renewed: ({ who, whom, isOwn }) =>
    isOwn ? `${who} ended all their sign-ins` : `${who} ended all sign-ins of ${whom}`,
  password_changed: ({ who }) => `${who} changed their password`,
  password_link_created: ({ entry, who, whom }) =>
    `${entry.actor_id === null ? 'Somebody at the computer of the service' : who} made a link to a new password for ${whom}`,
  email_changed: ({ who, details }) =>
    `${who} changed their e-mail address from ${valueText(details.old)} to ${valueText(details.new)}`,
  name_changed: ({ who, isOwn, details }) =>
    isOwn
      ? `${who} changed their name from ${valueText(details.old)} to ${valueText(details.new)}`
      : `${who} renamed ${valueText(details.old)} to ${valueText(details.new)}`,
  role_changed: ({ who, whom, details }) =>
    `${who} made ${whom} ${roles[String(details.new)] ?? 'something else'}`,
  user_created: ({ who, whom, isOwn }) => (isOwn ? `${who} joined` : `${who} added ${whom}`),
  user_deactivated: ({ who, whom }) => `${who} deactivated ${whom}`,
  user_reactivated: ({ who, whom }) => `${who} reactivated ${whom}`,
  bot_created: ({ who, whom }) => `${who} created the bot ${whom}`,
  bot_owner_changed: ({ who, whom, details, names }) =>
    `${who} made ${typeof details.new === 'number' ? names.person(details.new) : 'somebody else'} the owner of the bot ${whom}`,
  invitation_created: ({ who, details }) =>
    `${who} ${
      details.email === undefined
        ? `made a link by which ${count(details.max_uses ?? 1, 'person', 'people')} can join`
        : `invited ${details.email}`
    } as ${roles[details.role ?? 'member'] ?? ''}`,
  invitation_revoked: ({ who, details }) =>
    details.email === undefined
      ? `${who} withdrew a link by which many could join`
      : `${who} withdrew the invitation of ${details.email}`,
  invitation_accepted: ({ who, details }) =>
    `${who} accepted the invitation of ${details.email ?? ''}`,
  join_request_accepted: ({ who, details }) =>
    `${who} let ${details.name ?? ''} (${details.email ?? ''}) join, who had asked to`,
  join_request_declined: ({ who, details }) =>
    `${who} declined the request of ${details.name ?? ''} (${details.email ?? ''}) to join`,
  stream_created: ({ who, details }) =>
    `${who} created the ${valueText(details.new)} stream ${details.name ?? ''}`,
  stream_archived: ({ who, details }) => `${who} archived the stream ${details.name ?? ''}`,
  stream_restored: ({ who, details }) =>
    details.new === undefined
      ? `${who} brought back the stream ${details.name ?? ''}`
      : `${who} brought back the stream ${details.name ?? ''} as ${valueText(details.new)}`,
  stream_privacy_changed: ({ who, details }) =>
    `${who} made the stream ${details.name ?? ''} ${valueText(details.new)}`,
  stream_renamed: renamed('stream'),
  stream_posting_changed: ({ who, details }) =>
    `${who} lets ${valueText(details.new)} post in the stream ${details.name ?? ''}`,
  stream_history_changed: ({ who, details }) =>
    `${who} changed what newcomers read in the stream ${details.name ?? ''}: ${details.new === 'open' ? 'everything' : 'what is sent after they joined'}`,
  stream_default_changed: ({ who, details }) =>
    details.new === true
      ? `${who} made ${details.name ?? ''} a stream in which everybody new begins`
      : `${who} took ${details.name ?? ''} out of the streams in which everybody new begins`,
  stream_members_added: putInto('private stream'),
  stream_members_removed: tookOut('stream'),
  group_created: did('created the user group'),
  group_renamed: renamed('user group'),
  group_members_added: putInto('user group'),
  group_members_removed: tookOut('user group'),
  group_removed: did('removed the user group'),
  setting_changed: changedSetting,
  linkifier_added: ({ who, details }) =>
    `${who} added the linkifier ${details.name ?? ''}, which leads to ${valueText(details.new)}`,
  linkifier_removed: ({ who, details }) =>
    `${who} removed the linkifier ${details.name ?? ''}, which led to ${valueText(details.old)}`,
  webhook_target_allowed: ({ details }) =>
    `At the computer of the organization outgoing bots were allowed to reach ${details.name ?? ''}`,
  webhook_target_removed: ({ details }) =>
    `At the computer of the organization outgoing bots were no longer allowed to reach ${details.name ?? ''}`,
  emoji_added: did('added the emoji'),
  emoji_removed: ({ who, whom, isOwn, details }) =>
    `${who} removed the emoji ${details.name ?? ''}${isOwn ? '' : `, which ${whom} had added`}`,
  profile_field_added: did('added the profile field'),
  profile_field_changed: changedField,
  profile_field_removed: did('removed, with all answers to it, the profile field'),
  messages_deleted: deletedMessages,
  messages_recovered: recoveredMessages,
  file_deleted: ({ who, whom, details }) =>
    `${who} deleted a file of ${whom}, ${size(details.bytes ?? 0)}`,
  organization_created: ({ who }) => `${who} created the organization`,
  organization_deactivated: ({ who }) => `${who} deactivated the organization`,
  organization_reactivated: ({ who }) => `${who} reactivated the organization`,
  organization_succeeded: () => 'The organization went on on another computer, and was closed here',
  organization_stolen: () =>
    'The old computer of the organization was said to be stolen: everybody signs in anew',
  log_exported: ({ who }) => `${who} exported the audit log`,
};

/** One entry in a plain sentence. */
export function auditSentence(entry: AuditEntry, names: AuditNames): string {
  const { actor_id: actorId, user_id: userId, details } = entry;
  const said: AuditText = {
    entry,
    details,
    names,
    who: actorId === null ? 'Somebody' : names.person(actorId),
    whom: userId === null ? 'somebody' : names.person(userId),
    isOwn: actorId === userId,
  };
  return `${sentences[entry.type](said)}${times(entry.count)}.`;
}

/** What one looks for, and the types that belong to it. */
export const auditKinds = {
  signIn: {
    label: 'Signing in',
    types: ['sign_in', 'sign_in_failed', 'device_ended', 'key_renewed', 'keys_renewed'],
  },
  failed: { label: 'Failed sign-ins', types: ['sign_in_failed'] },
  accounts: {
    label: 'Accounts and roles',
    types: [
      'role_changed',
      'user_created',
      'user_deactivated',
      'user_reactivated',
      'password_changed',
      'password_link_created',
      'email_changed',
      'name_changed',
    ],
  },
  bots: { label: 'Bots', types: ['bot_created', 'bot_owner_changed'] },
  invitations: {
    label: 'Invitations',
    types: [
      'invitation_created',
      'invitation_revoked',
      'invitation_accepted',
      'join_request_accepted',
      'join_request_declined',
    ],
  },
  streams: {
    label: 'Streams',
    types: [
      'stream_created',
      'stream_archived',
      'stream_restored',
      'stream_privacy_changed',
      'stream_renamed',
      'stream_posting_changed',
      'stream_history_changed',
      'stream_default_changed',
      'stream_members_added',
      'stream_members_removed',
    ],
  },
  groups: {
    label: 'User groups',
    types: [
      'group_created',
      'group_renamed',
      'group_members_added',
      'group_members_removed',
      'group_removed',
    ],
  },
  additions: {
    label: 'Emoji, linkifiers and profile fields',
    types: [
      'emoji_added',
      'emoji_removed',
      'linkifier_added',
      'linkifier_removed',
      'profile_field_added',
      'profile_field_changed',
      'profile_field_removed',
    ],
  },
  messages: {
    label: 'Deleted messages and files',
    types: ['messages_deleted', 'messages_recovered', 'file_deleted'],
  },
  organization: {
    label: 'The organization and its settings',
    types: [
      'setting_changed',
      'webhook_target_allowed',
      'webhook_target_removed',
      'organization_created',
      'organization_deactivated',
      'organization_reactivated',
      'organization_succeeded',
      'organization_stolen',
      'log_exported',
    ],
  },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly types: readonly AuditType[] }>
>;
export type AuditKind = keyof typeof auditKinds;

export const auditWords = {
  title: 'What happened',
  hint: 'Who did what to the organization and its accounts. Nobody can change it.',
  kind: 'What',
  everything: 'Everything',
  person: 'Who',
  everybody: 'Everybody',
  from: 'From',
  to: 'To',
  filter: 'Which entries',
  none: 'Nothing of this kind is in the log.',
  nothing: 'Nothing is in the log yet.',
  more: 'Show more',
  shown: (count: number): string =>
    count === 1 ? '1 entry is shown.' : `${count.toLocaleString('en')} entries are shown.`,
  origin: (address: string, client: string): string =>
    [address, client].filter((each) => each !== '').join(' · '),
  export: 'Export…',
  exporting: 'Exporting…',
  exported: 'The entries are in the file.',
  exportedPart: (count: number): string =>
    `Only the newest ${count.toLocaleString('en')} entries are in the file. Choose a shorter time for the others.`,
  fileName: (day: string): string => `audit-log-${day}.csv`,
  keeping: 'How long',
  keep: 'Entries are kept for',
  keepHint: 'Older ones are deleted. Addresses and times of people are among them.',
  days: 'days',
  account: (id: number): string => `account ${String(id)}`,
  stream: (id: number): string => `stream ${String(id)}`,
};
