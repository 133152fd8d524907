/** The pages of the documentation that show endpoints, and which groups of the endpoint table each has. */

export interface Subject {
  /** The last part of its address, `/api/messages`. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Keys of the endpoint table, in the order in which they are shown. */
  readonly groups: readonly string[];
}

export const subjects: readonly Subject[] = [
  {
    id: 'messages',
    title: 'Messages',
    about: 'Send, fetch, edit, move and delete messages; reactions, typing.',
    groups: ['messages', 'lifecycle', 'reactions', 'typing', 'submessages', 'recovery'],
  },
  {
    id: 'reading',
    title: 'Reading and searching',
    about: 'Search, read state and flags, alert words.',
    groups: ['search', 'readState', 'alertWords', 'pointer'],
  },
  {
    id: 'events',
    title: 'Events',
    about: 'Hear of everything as it happens.',
    groups: ['events'],
  },
  {
    id: 'streams',
    title: 'Streams',
    about: 'Find, create and change streams; subscriptions and topics.',
    groups: ['streams', 'subscriptions', 'streamAdmin'],
  },
  {
    id: 'people',
    title: 'People',
    about: 'Accounts, presence, own settings, groups, invitations, signing in.',
    groups: [
      'users',
      'userAdmin',
      'presence',
      'statuses',
      'settings',
      'avatars',
      'profileFields',
      'userGroups',
      'invitations',
      'joinRequests',
      'devices',
      'passwordLinks',
    ],
  },
  {
    id: 'bots',
    title: 'Bots and integrations',
    about: 'Make bots, incoming and outgoing webhooks, what was delivered.',
    groups: ['bots', 'botStorage', 'webhooks', 'integrations', 'deliveries'],
  },
  {
    id: 'files',
    title: 'Files',
    about: 'Upload, list, fetch and delete files.',
    groups: ['uploads'],
  },
  {
    id: 'organization',
    title: 'Organization',
    about: 'Settings, emoji, linkifiers, audit log, health of the service.',
    groups: [
      'server',
      'realm',
      'realmIcon',
      'emoji',
      'linkifiers',
      'auditLog',
      'health',
      'officeFiles',
      'closing',
      'compatibility',
    ],
  },
];

export const groupOrder: readonly string[] = subjects.flatMap(({ groups }) => groups);

export const pathOfSubject = ({ id }: Subject): string => `/api/${id}`;
