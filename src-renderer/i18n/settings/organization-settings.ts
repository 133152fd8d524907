/** What administrators set: the organization, its people and their groups. */
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import type { Refused } from '#shared/bridge/outcome.ts';
import { count } from '../count.ts';
import { size } from '../size.ts';

const refusals: Readonly<Record<string, string>> = {
  invalid: 'is not an e-mail address',
  member: 'is here already',
  deactivated: 'has an account that is deactivated',
  invited: 'is invited already',
};

export const adminWords = {
  organization: {
    general: 'About',
    picture: 'Picture',
    pictureHint: `Shown wherever the organization is named, also to whoever is invited. A PNG, JPEG, GIF or WebP of at most ${PICTURE_MIB} MiB and ${PICTURE_SIDE} × ${PICTURE_SIDE} pixels, shown as a square.`,
    choosePicture: 'Change picture…',
    removePicture: 'Remove',
    pictureSaved: 'The picture is changed.',
    pictureRemoved: 'The picture is removed.',
    sections: { messages: 'Messages', rights: 'Who may', people: 'People', files: 'Files' },
    quotaUsed: (bytes: number): string =>
      `${size(bytes)} used so far. When it is full, nobody can upload anything until files are deleted.`,
  },
  defaultStreams: {
    title: 'Streams for new people',
    hint: 'Whoever joins is subscribed to these from the first moment. Private streams cannot be among them.',
    none: 'New people start without a stream.',
    stream: 'Stream',
    choose: 'Choose a stream…',
    all: 'Every public stream is here',
    add: 'Add',
    remove: (name: string): string => `Do not subscribe new people to ${name}`,
  },
  emoji: {
    title: 'Emoji of the organization',
    hint: 'Everybody can use them in messages and reactions.',
    none: 'There are none yet.',
    name: 'Name',
    nameHint: 'Small letters, digits, - and _, for example party_parrot',
    choose: 'Choose an image and add…',
    nameFirst: 'Write a name first.',
    added: (name: string): string => `:${name}: is added.`,
    remove: (name: string): string => `Deactivate :${name}:`,
  },
  linkifiers: {
    title: 'Linkifiers',
    hint: 'Text that matches a pattern becomes a link in new messages.',
    none: 'There are none yet.',
    pattern: 'Pattern',
    patternHint: 'A regular expression with named groups, for example #(?P<id>[0-9]+)',
    url: 'Address',
    urlHint: 'With the groups, for example https://example.com/issues/%(id)s',
    add: 'Add linkifier',
    remove: (pattern: string): string => `Remove ${pattern}`,
  },
  people: {
    filter: 'Filter people',
    list: 'Accounts',
    add: 'Add a person…',
    show: 'Show',
    kinds: {
      all: 'All',
      admins: 'Administrators',
      members: 'Members',
      guests: 'Guests',
      deactivated: 'Deactivated',
    } as const,
    kindOf: (kind: string, n: number): string => `${kind} (${n.toLocaleString('en')})`,
    sort: 'Sort by',
    orders: { name: 'Name', seen: 'Last seen' } as const,
    here: 'Here now',
    lastSeen: (when: string): string => `Last seen ${when}`,
    never: 'Never seen',
    roles: { 200: 'Administrator', 400: 'Member', 600: 'Guest' } as const,
    roleOf: (name: string): string => `Role of ${name}`,
    you: 'you',
    deactivated: 'Deactivated',
    deactivate: 'Deactivate…',
    deactivateLabel: (name: string): string => `Deactivate ${name}`,
    deactivateTitle: (name: string): string => `Deactivate ${name}?`,
    deactivateText:
      'They are signed out everywhere at once and cannot sign in until you reactivate them.',
    deactivateEffects: [
      'Their messages, files and streams stay as they are.',
      'Their bots are deactivated too.',
      'Invitations that they made are no longer good.',
      'You can reactivate them here whenever you like: they sign in with their password and find everything as it was. Only their bots stay deactivated.',
    ] as readonly string[],
    deactivateRun: 'Deactivate',
    fallSilent: (names: readonly string[]): string =>
      `With them falls silent: ${names.join(', ')}.`,
    handOver: 'Hand their bots over to',
    handOverNobody: 'Nobody',
    handOverHint:
      'Services that deliver to an incoming webhook go on with its key; whoever gets it can renew the key later. Other bots get a new one.',
    reactivate: 'Reactivate',
    reactivateLabel: (name: string): string => `Reactivate ${name}`,
    none: 'Nobody matches.',
    nobody: {
      admins: 'There are no administrators.',
      members: 'There are no members.',
      guests: 'There are no guests.',
      deactivated: 'Nobody is deactivated.',
      all: 'Nobody is here.',
    } as const,
  },
  invitations: {
    title: 'Invitations',
    hint: 'Hearth sends no e-mail: pass each link on yourself.',
    emails: 'E-mail addresses',
    emailsHint: 'Separated by commas or new lines',
    refused: ({ items, isRestDone }: Refused): string =>
      [
        ...items.map(
          ({ value, message, reason = '' }) => `${value} ${refusals[reason] ?? `(${message})`}.`,
        ),
        isRestDone ? 'Everybody else is invited.' : 'Nobody is invited yet.',
      ].join(' '),
    kind: 'Whom to invite',
    kinds: { named: 'People by address', many: 'Everybody with a link' },
    manyHint:
      'Whoever has the link can join, each with an address of their own. Pass it on in a place that only they can read.',
    days: 'Good for',
    dayChoices: { 1: '1 day', 7: '1 week', 14: '2 weeks', 30: '30 days' } as Readonly<
      Record<number, string>
    >,
    uses: 'At most',
    useChoices: (n: number): string => count(n, 'person', 'people'),
    streams: 'Streams',
    streamsOf: (names: readonly string[]): string =>
      names.length === 0 ? 'Streams: as set for new people' : `Streams: ${names.join(', ')}`,
    guestStreams: (names: readonly string[]): string =>
      names.length === 0 ? 'Streams: none yet' : `Streams: ${names.join(', ')}`,
    guestHint: 'Guests see only the streams that they are added to.',
    createLink: 'Create link',
    forMany: 'Link for many',
    many: (uses: number, maxUses: number, until: string): string =>
      `${uses.toLocaleString('en')} of ${maxUses.toLocaleString('en')} joined, good until ${until}`,
    copyMany: 'Copy the link for many',
    revokeMany: 'Revoke the link for many',
    as: 'As',
    roles: { 1: 'Member', 2: 'Administrator', 3: 'Guest' } as Readonly<Record<number, string>>,
    invite: 'Create invitations',
    none: 'No invitation is open.',
    copy: 'Copy link',
    copyLabel: (email: string): string => `Copy link for ${email}`,
    code: {
      show: 'QR code',
      showLabel: (email: string): string => `QR code for ${email}`,
      showMany: 'QR code of the link for many',
      title: (organization: string): string => `Join ${organization}`,
      label: 'QR code of the invitation',
      hint: (isForHearth: boolean): string =>
        isForHearth
          ? 'Whoever scans it has the link, which opens in Hearth on a computer in this network.'
          : 'Whoever scans it has the link, which opens in any browser.',
    },
    revoke: 'Revoke',
    revokeLabel: (email: string): string => `Revoke the invitation of ${email}`,
  },
  groups: {
    title: 'All groups',
    hint: 'Mention a group with @ and everybody in it is told.',
    none: 'There are none yet.',
    members: (n: number): string => (n === 1 ? '1 member' : `${String(n)} members`),
    edit: 'Edit',
    editLabel: (name: string): string => `Edit ${name}`,
    name: 'Name',
    description: 'Description',
    people: 'Members',
    save: 'Save members',
    remove: 'Remove…',
    removeTitle: (name: string): string => `Remove the group ${name}?`,
    removeText: 'People stay; earlier mentions of the group stay as they are.',
    removeRun: 'Remove',
    newTitle: 'New group',
    create: 'Create group',
    created: (name: string): string => `${name} is created.`,
    cannotCreate: 'In this organization only administrators create groups.',
  },
} as const;
