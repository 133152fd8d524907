/** What somebody reads in their first minute in an organization. */
export const introductionWords = {
  title: (organization: string): string => `Welcome to ${organization}`,
  intro: 'Three pictures, then you know your way around.',
  pictures: {
    streams: {
      title: 'Streams are for subjects',
      text: 'Whoever is in a stream reads along. You are in some already; under All streams you find the rest.',
      picture:
        'A list of three streams, called general, orders and machines. One of them is chosen.',
    },
    topics: {
      title: 'Topics keep talks apart',
      text: 'A message in a stream has a topic, as a mail has a subject. Answers stay together, however many people talk at once.',
      picture:
        'A stream with two topics, Oak table and Door handles, each with its own messages below it.',
    },
    inbox: {
      title: 'The inbox says what is new',
      text: 'Each topic with the number of its unread messages. Open what concerns you, and skip the rest.',
      picture:
        'An inbox with a private message and two topics, each with the number of its unread messages.',
    },
  },
  /** In the pictures. */
  examples: {
    streams: ['general', 'orders', 'machines'],
    topics: ['Oak table', 'Door handles'],
    person: 'Mara',
  },
  start: 'Start',
  startHint: 'Escape does the same. Under Keyboard shortcuts (?) you find this page again.',
} as const;
