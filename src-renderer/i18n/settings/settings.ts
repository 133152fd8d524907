/** What settings say, but for notifications, which have words of their own, and what administrators set. */
import {
  PASSWORD_CHARACTERS,
  PICTURE_MIB,
  PICTURE_SIDE,
  STATUS_CHARACTERS,
} from '#shared/api/bounds.ts';
import type { displaySettings } from '#shared/api/models/settings.ts';
import type { KeysIn } from '#shared/api/setting.ts';
import type { PreferenceSwitch } from '#shared/bridge/models/preference-table.ts';
import { count } from '../count.ts';

interface SwitchWords {
  readonly label: string;
  readonly hint?: string;
}

/** Of the account, on the display page. */
const ofAccount: Readonly<Record<KeysIn<typeof displaySettings.settings, 'reading'>, SwitchWords>> =
  {
    starred_message_counts: {
      label: 'Show how many messages are starred',
      hint: 'Beside “Starred” in the sidebar. Kept in your account, for all your computers.',
    },
  };

/** Of this computer, on the same page. */
const switches: Readonly<Record<PreferenceSwitch, SwitchWords>> = {
  removeCameraData: {
    label: 'Remove where pictures were taken',
    hint: 'Position, time and camera, from JPEG, PNG, WebP and GIF pictures that you send. What they show stays as it is.',
  },
  spellCheck: {
    label: 'Check spelling',
    hint: 'Uses the dictionaries of this computer; nothing you write leaves it.',
  },
  startAtLogin: { label: 'Start when I sign in to the computer' },
  closeToTray: {
    label: 'Keep running when the window is closed',
    hint: 'Notifications go on. Hearth stays in the tray until you quit it.',
  },
};

export const settingsWords = {
  title: 'Settings',
  pages: {
    profile: 'Profile',
    notifications: 'Notifications',
    display: 'Display',
    keys: 'Keys',
    storage: 'Storage',
    organizations: 'Organizations',
    integrations: 'Integrations',
    bots: 'Bots',
    devices: 'Devices',
    'api-key': 'API key',
    organization: 'Organization',
    people: 'People',
    'audit-log': 'Audit log',
    service: 'Service',
    backups: 'Backups',
    groups: 'User groups',
    office: 'Office',
  },
  allPages: 'All settings',
  saved: 'Saved',
  copied: 'Copied.',
  notCopied: 'The clipboard is closed to this page. Select the text and copy it by hand.',
  required: (label: string): string => `${label} is missing.`,
  between: (min: number, max: number): string =>
    `Enter a number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`,
  remove: 'Remove',
  add: 'Add',
  rename: 'Rename',
  refresh: 'Refresh',
  loadFailed: (reason: string): string => `This could not be loaded. ${reason}`,

  takeAlong: {
    title: 'Your messages and files',
    hint: 'Exports a folder that any browser opens, without Hearth.',
    what: 'What you wrote in streams, your private conversations, and the files that you uploaded.',
    save: 'Save a folder…',
    busy: 'Saving…',
    saved: (messages: number, files: number): string =>
      `Saved ${count(messages, 'message', 'messages')} and ${count(files, 'file', 'files')}:`,
    missing: (files: number): string =>
      `${count(files, 'file', 'files')} could not be fetched. The page index.html in the folder lists them.`,
  },

  profile: {
    you: 'You',
    name: 'Name',
    nameFixed: 'Your organization does not let people change their names.',
    email: 'E-mail address',
    emailHint: 'You sign in with it.',
    changeEmail: 'Change…',
    newEmail: 'New e-mail address',
    emailElsewhere:
      'Hearth on your other computers follows by itself. Other programs need the new address.',
    saveEmail: 'Change address',
    emailFixed: 'Your organization does not let people change their addresses.',
    timezone: 'Time zone',
    timezoneHint: 'So that colleagues see what time it is for you.',
    timezoneUnknown: 'Not given',
    timezones: 'Time zones',
    timezoneNone: 'No time zone has this name. Try the next large city.',
    role: 'Role',
    roleHint: 'Administrators can change it.',
    picture: 'Picture',
    pictureHint: `A PNG, JPEG or GIF of at most ${PICTURE_MIB} MiB and ${PICTURE_SIDE} × ${PICTURE_SIDE} pixels. It is shown as a square.`,
    pictureFixed: 'Your organization does not let people change their pictures.',
    choosePicture: 'Choose a picture…',
    removePicture: 'Remove the picture',
    pictureSaved: 'Your picture is changed.',
    pictureRemoved: 'Your picture is removed.',
    status: 'Status',
    statusText: 'What you are doing',
    statusHint: `Colleagues see it beside your name. At most ${STATUS_CHARACTERS} characters.`,
    away: 'Away',
    awayHint: 'Colleagues see you as away, whatever you do here.',
    password: 'Password',
    oldPassword: 'Present password',
    newPassword: 'New password',
    newPasswordHint: `At least ${PASSWORD_CHARACTERS.least} characters.`,
    changePassword: 'Change password',
    passwordChanged: 'Your password is changed.',
  },

  display: {
    look: 'Look',
    theme: 'Theme',
    themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
    density: 'Density',
    densities: { comfortable: 'Comfortable', compact: 'Compact' },
    fontSize: 'Size of the text',
    hours: 'Clock',
    hours12: '12 hours: 3:30 PM',
    hours24: '24 hours: 15:30',
    hoursHint: 'Kept in your account, for all your computers.',
    reading: 'Reading and writing',
    sendKey: 'Send a message with',
    sendKeys: { enter: 'Enter', 'ctrl-enter': 'Ctrl+Enter' },
    sendKeyHint: 'The other one starts a new line. Ctrl+Enter always sends.',
    markRead: 'Messages become read',
    markReads: {
      scroll: 'When I have seen them',
      conversation: 'When seen in their conversation',
      never: 'Only when I say so',
    },
    announce: 'Screen reader says',
    announces: { all: 'Every new message', mentions: 'Mentions only', off: 'Nothing new' },
    ofAccount,
    switches,
    spellLanguages: 'Languages to check',
    spellLanguagesHint:
      'Tags such as en-GB or de, separated by commas. Empty: those of the system.',
    computer: 'This computer',
    zoom: 'Zoom',
  },

  storage: {
    title: 'On this computer',
    notKept: 'Nothing is kept here',
    notKeptHint:
      'In a browser Hearth keeps what you are writing and fetches messages anew each time. The desktop application keeps them for reading and searching offline.',
    messages: (n: number): string => count(n, 'message', 'messages'),
    size: (size: string, limit: string): string => `${size} of at most ${limit}`,
    sizeLabel: 'Room that is used',
    completeSince: (day: string): string => `Nothing is missing since ${day}.`,
    nothingComplete: 'Nothing is here yet.',
    fill: {
      running: 'Older messages are being fetched in the background.',
      paused: 'Fetching older messages is paused.',
      waiting: 'Older messages will be fetched when the connection is quiet.',
      complete: 'Everything in your streams and private conversations is here.',
      full: 'The limit is reached: older messages stay on the service.',
    },
    limit: 'Limit for all organizations together',
    limitUnit: 'MiB',
    isFilling: 'Fetch older messages in the background',
    isFillingHint: 'So that they can be read and searched offline.',
    clear: 'Remove what is kept…',
    clearTitle: 'Remove what is kept on this computer?',
    clearText: (organization: string): string =>
      `The messages of ${organization} are removed from this computer and fetched anew. Drafts and unsent messages stay, and nothing on the service changes.`,
    clearLabel: 'Remove',
    cleared: 'What was kept is removed.',
  },

  organizations: {
    title: 'Your organizations',
    hosted: 'Hosted on this computer',
    shown: 'Shown now',
    show: 'Show',
    showLabel: (name: string): string => `Show ${name}`,
    add: 'Add an organization…',
    signOut: 'Sign out…',
    signOutLabel: (name: string): string => `Sign out of ${name}`,
    address: 'Address for colleagues',
    copy: 'Copy address',
    copyLabel: (name: string): string => `Copy address of ${name}`,
    loopback: 'Only this computer can reach this address.',
    states: {
      connecting: 'Connecting…',
      live: 'Connected',
      offline: 'Offline',
      'signed-out': 'Signed out',
    },
    signOutTitle: (name: string): string => `Sign out of ${name}?`,
    signOutText: (name: string): string =>
      `What is kept of ${name} on this computer is removed, with drafts and unsent messages. Messages stay in the organization; to come back you need your e-mail address and password.`,
    signOutRun: 'Sign out',
  },

  key: {
    label: 'API key',
    copy: 'Copy key',
    file: 'Configuration file',
    fileHint: 'For a program: the same as a configuration file (zuliprc, botserverrc).',
    copyFile: 'Copy file',
    authority: 'Save the certificate…',
    authorityHint:
      'The certificate is the organization’s own, which programs do not trust by themselves. Save it: the file then names it as cert_bundle.',
    authoritySaved: 'The certificate is saved, and the file names it.',
    title: 'Your API key',
    intro:
      'Programs use it to act as you. Whoever has it can read and write everything that you can: give it to nobody.',
    password: 'Your password',
    show: 'Show my API key',
    replace: 'Replace the key…',
    replaceTitle: 'Replace your API key?',
    replaceText:
      'The present key stops working at once: programs that use it need the new one. Where Hearth is signed in, it stays.',
    replaced: 'This is your new key. The old one does not work any more.',
    replaceRun: 'Replace',
  },

  bots: {
    mine: 'Your bots',
    others: 'Bots of others',
    none: 'You have no bots yet.',
    noneOthers: 'Nobody else has a bot.',
    types: {
      1: 'Generic bot',
      2: 'Incoming webhook',
      3: 'Outgoing webhook',
      4: 'Embedded bot',
    } as Readonly<Record<number, string>>,
    deactivated: 'Deactivated',
    ownedBy: (name: string): string => `of ${name}`,
    manage: 'Manage',
    manageLabel: (name: string): string => `Manage ${name}`,
    name: 'Name',
    owner: 'Owner',
    ownerHint:
      'The bot can read and post where its owner can. Another owner gets a new key for it.',
    showKey: 'Show API key',
    hideKey: 'Hide API key',
    keyNotListed: 'Only its owner can see the present key. You can replace it.',
    replaceKey: 'Replace key…',
    replaceTitle: (name: string): string => `Replace the API key of ${name}?`,
    replaceText: 'The present key stops working at once: programs that use it need the new one.',
    replaceRun: 'Replace',
    deactivate: 'Deactivate…',
    deactivateTitle: (name: string): string => `Deactivate ${name}?`,
    deactivateText:
      'Its key stops working at once. Its messages stay. An administrator can reactivate it.',
    deactivateRun: 'Deactivate',
    reactivate: 'Reactivate',
    newTitle: 'New bot',
    newName: 'Name',
    newShortName: 'First part of its e-mail address',
    newShortNameHint:
      'Letters and digits, for example deploys. The service adds “-bot” and its own domain.',
    newType: 'Kind',
    typeHints: {
      1: 'A program that reads and writes with the bot’s key.',
      2: 'Other services post messages through it.',
      3: 'Messages to it are sent on to an address, which may answer.',
    } as Readonly<Record<number, string>>,
    newUrl: 'Address to deliver to',
    newUrlHint: 'For example https://example.com/hook',
    create: 'Create bot',
    creating: 'Creating…',
    created: (name: string): string => `${name} is ready. This is its key.`,
    adminsOnly: 'In this organization only administrators create bots.',
    genericAdminsOnly: 'In this organization only administrators create generic bots.',
  },
} as const;

export type SettingsPage = keyof typeof settingsWords.pages;
