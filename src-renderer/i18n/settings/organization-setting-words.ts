/** Each setting of the organization, as its page and the audit log name it. */
import type { OrganizationSetting } from '#shared/api/models/organization-settings.ts';
import { count } from '../count.ts';
import { joiningWords } from '../hosting/joining.ts';

type Options = readonly (readonly [value: number | boolean, label: string])[];

export interface SettingWords {
  readonly label: string;
  /** In the audit log, where that is another. */
  readonly logged?: string;
  readonly hint?: string;
  /** What is on by the label is off by the setting. */
  readonly isOpposite?: true;
  /** What can be chosen, where it is no switch. */
  readonly options?: Options;
  /** A value that cannot be chosen. */
  readonly other?: (value: number) => string;
}

const MEMBERS = 'Members and administrators';
const ADMINS = 'Administrators only';
const GIB = 1024 ** 3;

const forMembers: Options = [
  [1, MEMBERS],
  [2, ADMINS],
];
const forAdmins: Options = [
  [false, MEMBERS],
  [true, ADMINS],
];
const limit = {
  options: [
    [0, 'Without limit'],
    [60, '1 minute'],
    [300, '5 minutes'],
    [600, '10 minutes'],
    [3600, '1 hour'],
    [86_400, '1 day'],
    [604_800, '1 week'],
  ],
  other: (seconds: number): string => `${seconds.toLocaleString('en')} seconds`,
} as const;
const mib = (value: number): string =>
  value % 1024 === 0 ? `${String(value / 1024)} GiB` : `${String(value)} MiB`;

export const organizationSettingWords: Readonly<Record<OrganizationSetting, SettingWords>> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  default_language: { label: 'Language of new people' },
  default_code_block_language: { label: 'Language of code blocks' },
  default_twenty_four_hour_time: { label: '24 hours for new people' },
  allow_message_editing: { label: 'People may edit their messages' },
  message_content_edit_limit_seconds: {
    label: 'People may edit their messages: for how long',
    logged: 'How long messages may be edited',
    ...limit,
  },
  allow_edit_history: { label: 'Everybody may see earlier versions of edited messages' },
  allow_community_topic_editing: { label: 'Everybody may change topics' },
  allow_message_deleting: { label: 'People may delete their messages' },
  message_content_delete_limit_seconds: {
    label: 'People may delete their messages: for how long',
    logged: 'How long messages may be deleted',
    ...limit,
  },
  mandatory_topics: { label: 'Messages in streams need a topic' },
  create_stream_policy: {
    label: 'Create streams',
    logged: 'Who may create streams',
    options: forMembers,
  },
  invite_to_stream_policy: {
    label: 'Add others to streams',
    logged: 'Who may add others to streams',
    options: forMembers,
  },
  bot_creation_policy: {
    label: 'Create bots',
    logged: 'Who may create bots',
    options: [
      [1, MEMBERS],
      [2, 'Webhooks: members; generic bots: administrators'],
      [3, ADMINS],
    ],
  },
  private_message_policy: {
    label: 'Write private messages',
    logged: 'Who may write private messages',
    options: [
      [1, 'Everybody'],
      [2, 'Only with bots'],
    ],
  },
  user_group_edit_policy: {
    label: 'Change user groups',
    logged: 'Who may change user groups',
    options: forMembers,
  },
  invite_by_admins_only: {
    label: 'Invite people',
    logged: 'Who may invite people',
    options: forAdmins,
  },
  ask_to_join_policy: {
    label: joiningWords.settings.who,
    options: joiningWords.settings.policies,
  },
  add_emoji_by_admins_only: {
    label: 'Add emoji',
    logged: 'Who may add emoji',
    options: forAdmins,
  },
  name_changes_disabled: { label: 'People may change their name', isOpposite: true },
  email_changes_disabled: { label: 'People may change their e-mail address', isOpposite: true },
  avatar_changes_disabled: { label: 'People may change their picture', isOpposite: true },
  inline_image_preview: { label: 'Messages show images that they link to' },
  presence_disabled: { label: 'People see who is here', isOpposite: true },
  upload_quota: {
    label: 'Room for the files of the organization',
    logged: 'Room for files',
    hint: 'When it is full, nobody can upload anything until files are deleted.',
    options: [
      [-1, 'No limit'],
      [GIB, '1 GiB'],
      [5 * GIB, '5 GiB'],
      [20 * GIB, '20 GiB'],
      [100 * GIB, '100 GiB'],
      [500 * GIB, '500 GiB'],
    ],
    other: (bytes) =>
      `${(bytes / 1024 ** 2).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`,
  },
  max_file_upload_size: {
    label: 'Largest file that can be uploaded',
    logged: 'Largest file',
    options: [5, 10, 25, 50, 100, 250, 500, 1024, 2048, 4096].map(
      (value) => [value, mib(value)] as const,
    ),
    other: mib,
  },
  notifications_stream_id: {
    label: 'Announce new streams in',
    hint: 'Whoever creates a stream is named there, with a link to it.',
    options: [[-1, 'Nowhere']],
    other: () => 'A stream that you do not see',
  },
  audit_log_retention_days: {
    label: 'Days for which the audit log is kept',
    other: (days) => count(days, 'day', 'days'),
  },
};
