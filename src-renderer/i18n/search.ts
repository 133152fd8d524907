/** What is said in and around a search. */
import { count } from './count.ts';

export const searchWords = {
  label: 'Search messages',
  placeholder: 'Search messages',
  placeholderMore: 'Words, or another filter',
  suggestions: 'Filters and words',
  chips: 'Filters of this search',
  submit: 'Search',
  clear: 'Clear the search',
  close: 'Close the search',
  removeChip: (chip: string): string => `Remove ${chip}`,
  searchFor: (text: string): string => `Search for “${text}”`,
  hereHint: (where: string): string => `in ${where}`,
  operators: {
    stream: 'in one stream',
    topic: 'in one topic',
    sender: 'written by somebody',
    'pm-with': 'in one private conversation',
    before: 'sent before a day, such as 2026-11-03, today, yesterday',
    after: 'sent after a day',
    date: 'sent on a day',
    'is:private': 'private messages',
    'is:mentioned': 'where you are mentioned',
    'is:starred': 'starred messages',
    'is:unread': 'unread messages',
    'is:alerted': 'with one of your alert words',
    'has:link': 'with a link',
    'has:image': 'with an image',
    'has:attachment': 'with a file',
    near: 'around the message with a number',
  },
  not: 'not',
  notHint: 'Put - before a filter to leave those messages out.',
  chip: {
    stream: (name: string): string => `stream: ${name}`,
    topic: (name: string): string => `topic: ${name}`,
    sender: (name: string): string => `sender: ${name}`,
    'pm-with': (name: string): string => `dm: ${name}`,
    before: (day: string): string => `before: ${day}`,
    after: (day: string): string => `after: ${day}`,
    since: (moment: string): string => `since: ${moment}`,
    date: (day: string): string => `date: ${day}`,
    between: (from: string, until: string): string => `sent: ${from} – ${until}`,
  },
  weekAgo: 'a week ago',
  firstOfMonth: 'the first of this month',
  firstOfYear: 'the first of this year',
  noDate: (text: string): string =>
    `${text === '' ? 'Nothing' : text} is no date. Type year-month-day, such as 2026-11-03, or today or yesterday.`,
  tooEarly: 'Nothing was sent before 1970.',
  noDay: (text: string): string => `There is no such day as ${text}.`,
  unknownStream: (name: string): string => `There is no stream called ${name} here.`,
  unknownPerson: (name: string): string => `Nobody here is called ${name}.`,
  severalStreams: (name: string): string =>
    `Several streams are called ${name}. Choose one from the list.`,
  severalPeople: (name: string): string =>
    `Several people are called ${name}. Choose from the list.`,
  everybodyCalled: (name: string, people: number): string =>
    `everybody called ${name} (${String(people)})`,
  andMore: (names: string, more: number): string =>
    more > 0 ? `${names} and ${String(more)} more` : names,
  noMessage: (text: string): string =>
    `${text === '' ? 'Nothing' : text} is not the number of a message. For messages with a person, type dm: and their name.`,
  unknownOperand: (term: string): string =>
    `${term} is no filter. Choose one from the list, or put it in quotes to search for the words.`,
  unknownLink: (term: string): string =>
    `This link cannot be followed: ${term} is nothing that Hearth can show.`,
  count: (n: number): string => count(n, 'result', 'results'),
  atLeast: (n: number): string =>
    `The newest ${count(n, 'result', 'results')}; older ones follow as you scroll up`,
  best: (n: number): string =>
    `The ${count(n, 'result', 'results')} that fit best, out of the newest`,
  order: 'Order of the results',
  byTime: 'Newest',
  byRelevance: 'Most relevant',
  none: 'No results',
  noneYet: 'No results yet',
  searching: 'Searching…',
  end: 'End of results.',
  offline: 'Only messages that are on this computer were searched.',
  offlineElsewhere: 'Public streams that you are not in can only be searched with a connection.',
  indexedUntil: (time: string): string => `As of ${time}.`,
  keys: 'Enter on a result opens it in its conversation; going back returns here.',
} as const;
