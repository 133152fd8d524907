/** What the settings of one stream say. */
const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export const streamWords = {
  title: (name: string): string => `Settings of ${name}`,
  gone: 'This stream is no longer there, or you may no longer see it.',
  tabs: { about: 'About', personal: 'For me', members: 'Members', actions: 'Actions' },

  name: 'Name',
  description: 'Description',
  noDescription: 'None',
  privacy: 'Private',
  privacyHint: 'Only people who are added can find and read it.',
  sharedHistory: 'New members read earlier messages',
  announcementOnly: 'Only administrators write here',
  isPublic: 'Everybody but guests can find, join and read it.',
  isPrivate: 'Only its members can find and read it.',
  isAnnouncementOnly: 'Only administrators write here.',
  traffic: (n: number): string => `${count(n, 'message', 'messages')} a week`,
  adminsOnly: 'Administrators can change this.',

  color: 'Colour',
  colorHint: 'Lightened or darkened where it would be hard to see.',
  otherColor: 'Another colour',
  mute: 'Mute',
  muteHint: 'Neither counted nor shown as unread, and silent unless somebody mentions you by name.',
  pin: 'Pin to the top of the list',
  notify: 'Every message here',
  desktop: 'Notification',
  sound: 'Sound',
  push: 'Phone notification',
  email: 'E-mail',
  asAccount: (isOn: boolean): string =>
    isOn ? 'On, as for all streams.' : 'Off, as for all streams.',
  unlikeAccount: (isOn: boolean): string =>
    isOn ? 'For all streams it is off.' : 'For all streams it is on.',
  useAccount: 'As for all streams',
  notSentHint:
    'Hearth sends no e-mails and nothing to phones; other applications may follow these.',

  filterMembers: 'Filter members',
  members: 'Members',
  memberCount: (n: number): string => count(n, 'member', 'members'),
  noMembers: 'Nobody matches.',
  startAdding: 'Add people…',
  addMembers: 'People to add',
  add: 'Add',
  added: (n: number): string => `${count(n, 'person is', 'people are')} added.`,
  removeLabel: (name: string): string => `Remove ${name} from the stream`,
  removed: (name: string): string => `${name} is removed.`,
  remove: 'Remove',
  you: 'you',

  link: 'Link to the stream',
  copyLink: 'Copy link',
  open: 'Open the stream',
  goThere: 'Open',
  join: 'Join the stream',
  joinHint: 'Its messages appear on the left from then on.',
  joinRun: 'Join',
  leave: 'Leave the stream',
  leaveHint: 'Its messages stay; you can join it again.',
  leavePrivateHint: 'It is private: to come back, somebody in it has to add you.',
  leaveRun: 'Leave…',
  archive: 'Archive the stream',
  archiveHint: 'For everybody. Messages stay on the service but nobody is subscribed any more.',
  archiveRun: 'Archive…',
  archiveTitle: (name: string): string => `Archive ${name}?`,
  archiveText: (name: string): string =>
    `Everybody is removed from ${name}, and nobody can write there any more. Its name is free again. This cannot be undone here.`,
  archiveConfirm: 'Archive',
} as const;
