/** What is said in and around a search. */
const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export const searchWords = {
  label: 'Search messages',
  placeholder: 'Search messages',
  placeholderMore: 'Words, or another filter',
  suggestions: 'Filters and words',
  chips: 'Filters of this search',
  submit: 'Search',
  close: 'Close the search',
  removeChip: (chip: string): string => `Remove ${chip}`,
  searchFor: (text: string): string => `Search for “${text}”`,
  hereHint: (where: string): string => `in ${where}`,
  operators: {
    stream: 'in one stream',
    topic: 'in one topic',
    sender: 'written by somebody',
    'pm-with': 'in one private conversation',
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
    'pm-with': (name: string): string => `with: ${name}`,
  },
  unknownStream: (name: string): string => `There is no stream called ${name} here.`,
  unknownPerson: (name: string): string => `Nobody here is called ${name}.`,
  unknownOperand: (term: string): string =>
    `${term} is no filter. Choose one from the list, or put it in quotes to search for the words.`,
  unknownLink: (term: string): string =>
    `This link cannot be followed: ${term} is nothing that Hearth can show.`,
  count: (n: number): string => count(n, 'result', 'results'),
  atLeast: (n: number): string =>
    `The newest ${count(n, 'result', 'results')}; older ones follow as you scroll up`,
  none: 'No results',
  searching: 'Searching…',
  end: 'End of results.',
  offline: 'Only messages that are on this computer were searched.',
  indexedUntil: (time: string): string => `As of ${time}.`,
  keys: 'Enter on a result opens it in its conversation; going back returns here.',
} as const;
