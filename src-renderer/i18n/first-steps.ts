/** What the person reads who has just created an organization. */
import { count } from './count.ts';

/** Streams that suit a kind of organization, to begin with. */
interface StreamTemplate {
  readonly name: string;
  /** Small letters, as names of streams are written. */
  readonly streams: readonly (readonly [name: string, description: string])[];
}

export const streamTemplates = {
  workshop: {
    name: 'Workshop',
    streams: [
      ['orders', 'A topic for each order'],
      ['materials', 'What runs low, and what has come'],
      ['machines', 'Repairs, and who needs what when'],
      ['shifts', 'Who works when, and who is away'],
    ],
  },
  agency: {
    name: 'Agency',
    streams: [
      ['clients', 'A topic for each client'],
      ['new business', 'Enquiries, offers and pitches'],
      ['design', 'Drafts to look at and to discuss'],
      ['schedule', 'Deadlines, and who has time'],
    ],
  },
  school: {
    name: 'School',
    streams: [
      ['timetable', 'Changes, substitutes and rooms'],
      ['classes', 'A topic for each class'],
      ['events', 'Trips, parents’ evenings, concerts'],
      ['material', 'Worksheets and ideas to share'],
      ['building', 'Keys, computers, what is broken'],
    ],
  },
  project: {
    name: 'Project',
    streams: [
      ['planning', 'What comes next, and who does it'],
      ['decisions', 'What was decided, and why'],
      ['meetings', 'When they are, and what was said'],
      ['questions', 'Whatever somebody wants to know'],
    ],
  },
} as const satisfies Readonly<Record<string, StreamTemplate>>;

export type TemplateName = keyof typeof streamTemplates;

export const firstStepsWords = {
  intro: (organization: string): string =>
    `Four things help people feel at home in ${organization}. Do them in any order, now or later.`,
  introElsewhere: (organization: string): string =>
    `Three things help people feel at home in ${organization}. Do them in any order, now or later.`,
  progress: (done: number, all: number): string => `${String(done)} of ${String(all)} done`,
  steps: 'First steps',
  isDone: 'done',
  isOpen: 'not done yet',
  later: 'You find this page again in the menu of your account.',
  leave: 'Go to the inbox',
  notAdmin: 'This page is for administrators',
  notAdminHint: 'They let people in, invite them and look after the organization.',

  letIn: {
    title: 'Let others in',
    text: 'So far only this computer can reach the organization. Colleagues in the same network can join as soon as you let them.',
    done: (address: string): string =>
      address === ''
        ? 'Others may join, but this computer is in no network now.'
        : `Colleagues in the same network reach you at ${address}.`,
    page: 'Office settings',
  },
  invite: {
    title: 'Invite your colleagues',
    text: 'Copy an invitation and send it to them by mail or message. It is good for a week and for 50 people.',
    textLater: 'Nobody could use an invitation before you let others in.',
    copy: 'Copy invitation',
    copied: 'The invitation is copied. Paste it into a message to your colleagues.',
    copyByHand: 'The clipboard is closed to this page. Copy the invitation by hand:',
    invitation: 'Invitation',
    more: 'Other ways',
    people: (n: number): string =>
      n === 1 ? 'One colleague is here already.' : `${String(n)} colleagues are here already.`,
  },
  streams: {
    title: 'Make streams for your subjects',
    text: 'A stream is for one subject, such as orders or a project. Begin with some that suit you.',
    open: 'Choose streams',
    count: (n: number): string => `There are ${count(n, 'stream', 'streams')}.`,
  },
  about: {
    title: 'Say who you are',
    text: 'Look over the name, choose a picture, and add a sentence on what the organization is for.',
    open: 'Name and picture',
  },
} as const;

export const templateWords = {
  title: 'Choose streams',
  kind: 'What is your organization like?',
  hint: 'Change the names as you like, and untick what you do not need. You can make more at any time.',
  include: (name: string): string => (name === '' ? 'Create this stream' : `Create ${name}`),
  name: (n: number): string => `Name of stream ${String(n)}`,
  description: (n: number): string => `Description of stream ${String(n)}`,
  isTwice: 'This name is in the list twice.',
  made: 'Created',
  forNew: 'Whoever joins is in these streams from the start',
  forNewFailed: (reason: string): string =>
    `Created, but people who join are not in it by themselves. ${reason}`,
  submit: (n: number): string =>
    n === 0 ? 'Create streams' : `Create ${count(n, 'stream', 'streams')}`,
  busy: 'Creating…',
  nothing: 'Tick at least one stream.',
  someFailed: (names: readonly string[], made: number): string =>
    `Not everything could be done: look at ${names.join(', ')}. ${made === 0 ? 'Nothing is created yet.' : 'The rest is created.'}`,
  allDone: (n: number): string => `${count(n, 'stream is', 'streams are')} created.`,
} as const;
