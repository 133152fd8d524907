/** The operators of narrows (API decisions 3.2): the API, event queues, links and the search box take them from here. */

interface Operator {
  /** In the API, in links and in the search box. */
  readonly names: readonly [string, ...string[]];
  /** What else it is called in the search box. */
  readonly boxNames?: readonly string[];
  /** What else it is called in links and in the search box. */
  readonly windowNames?: readonly string[];
  readonly operand:
    'stream' | 'senders' | 'people' | 'person' | 'message' | 'text' | 'moment' | 'word';
  /** The words that it takes, each with what it means. */
  readonly words?: Readonly<Record<string, string>>;
  /** More of them in links. */
  readonly linkWords?: Readonly<Record<string, string>>;
  /** Where it can be used besides the API. */
  readonly also: readonly ('box' | 'link' | 'queue')[];
}

export const operators = {
  stream: {
    names: ['stream', 'channel'],
    boxNames: ['in'],
    operand: 'stream',
    also: ['box', 'link', 'queue'],
  },
  topic: { names: ['topic', 'subject'], operand: 'text', also: ['box', 'link', 'queue'] },
  sender: { names: ['sender', 'from'], operand: 'senders', also: ['box', 'link', 'queue'] },
  'pm-with': {
    names: ['pm-with', 'dm'],
    boxNames: ['pm'],
    operand: 'people',
    also: ['box', 'link'],
  },
  'group-pm-with': { names: ['group-pm-with', 'dm-including'], operand: 'person', also: ['link'] },
  is: {
    names: ['is'],
    operand: 'word',
    words: {
      private: 'private',
      dm: 'private',
      mentioned: 'mentioned',
      starred: 'starred',
      unread: 'unread',
      alerted: 'alerted',
    },
    also: ['box', 'link', 'queue'],
  },
  has: {
    names: ['has'],
    operand: 'word',
    words: { link: 'link', image: 'image', attachment: 'attachment' },
    linkWords: { links: 'link', images: 'image', attachments: 'attachment' },
    also: ['box', 'link'],
  },
  /** Selects nothing: the message that a window opens at, in the conversation that it is in. */
  near: { names: ['near'], windowNames: ['with'], operand: 'message', also: ['box', 'link'] },
  id: { names: ['id'], operand: 'message', also: ['link'] },
  in: { names: ['in'], operand: 'word', words: { home: 'home', all: 'all' }, also: ['link'] },
  streams: {
    names: ['streams', 'channels'],
    operand: 'word',
    words: { public: 'public' },
    also: ['link'],
  },
  search: { names: ['search'], operand: 'text', also: ['link'] },
  'sent-after': { names: ['sent-after'], operand: 'moment', also: [] },
  'sent-before': { names: ['sent-before'], operand: 'moment', also: [] },
  'sent-within': { names: ['sent-within'], operand: 'moment', also: [] },
} as const satisfies Readonly<Record<string, Operator>>;

type Operators = typeof operators;
export type OperatorName = keyof Operators;

/** Those that can be used in a place. */
export type OperatorIn<P extends 'box' | 'link' | 'queue'> = {
  [K in OperatorName]: P extends Operators[K]['also'][number] ? K : never;
}[OperatorName];

/** Names are the same in every case, with `-` or `_`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '-');

type Place = 'api' | 'queue' | 'box' | 'link';

function namesIn(place: Place, { names, boxNames = [], windowNames = [] }: Operator) {
  switch (place) {
    case 'api':
      return names;
    case 'queue':
      return names.slice(0, 1);
    case 'box':
      return [...names, ...boxNames, ...windowNames];
    case 'link':
      return [...names, ...windowNames];
  }
}

const table: readonly [string, Operator][] = Object.entries(operators);

/** Every name that an operator has in a place, with the one that it has in the API. */
export const operatorNames = <P extends Place>(
  place: P,
): ReadonlyMap<string, P extends 'api' ? OperatorName : OperatorIn<Exclude<P, 'api'>>> =>
  new Map(
    table
      .filter(([, { also }]) => place === 'api' || also.includes(place))
      .flatMap(([operator, each]) =>
        namesIn(place, each).map((name) => [name, operator as never] as const),
      ),
  );
