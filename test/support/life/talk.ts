/** What was said in the office in one week of March, in order. Nobody and nothing in it exists. */
import type { PictureName } from './pictures.ts';

export const names = {
  mara: 'Mara Lindholt',
  tobias: 'Tobias Okwara',
  ines: 'Inés Caldera',
  samir: 'Samir Brandel',
  yuki: 'Yuki Hallam',
  petra: 'Petra Nowell',
  oskar: 'Oskar Vantz',
  leonie: 'Leonie Abar',
} as const;

export type Name = keyof typeof names;

export interface Line {
  readonly key?: string;
  /** Day of March and time of day. */
  readonly at: `${number} ${number}:${number}`;
  readonly who: Name | 'orders-bot';
  /** `stream > topic`, or `@` and the names of the others. */
  readonly to: string;
  /** `{file}` stands for a link to that file. */
  readonly text: string;
  readonly reactions?: Readonly<Record<string, readonly Name[]>>;
  /** What it was changed to, some minutes later. */
  readonly edits?: readonly string[];
  readonly isStarred?: boolean;
}

export type FileName = PictureName | 'list' | 'notes';

const mon: readonly Line[] = [
  {
    at: '9 08:31',
    who: 'petra',
    to: 'general > This week',
    text: 'Good morning all. The timber delivery moved to **Wednesday, 7:30**. Whoever is in early: the side gate has to be open.',
    reactions: { thumbs_up: ['tobias', 'samir', 'mara'] },
    isStarred: true,
  },
  {
    at: '9 08:34',
    who: 'tobias',
    to: 'general > This week',
    text: 'I am in at seven, I take the gate.',
  },
  {
    at: '9 08:52',
    who: 'mara',
    to: 'general > This week',
    text: 'Three things from me:\n\n1. Price list goes out on Thursday\n2. Photos of the shelf by @**Inés Caldera**\n3. Nobody works on Friday afternoon',
    reactions: { tada: ['ines', 'samir', 'yuki', 'tobias'], heart: ['petra'] },
  },
  {
    at: '9 09:05',
    who: 'ines',
    to: 'design > Hallway shelf',
    text: 'New proportions: 120 × 95 cm, boards 18 mm, uprights 22 mm. Slimmer at the front edge.',
  },
  {
    at: '9 09:21',
    who: 'samir',
    to: 'design > Hallway shelf',
    text: 'Works with the joints we have. The back needs 4 mm of play, otherwise it binds when the air is dry.',
  },
  {
    at: '9 09:24',
    who: 'ines',
    to: 'design > Hallway shelf',
    text: 'Agreed, I put it in the drawing.',
  },
  {
    at: '9 10:12',
    who: 'yuki',
    to: 'website > Delivery times',
    text: 'The page still promises *two weeks*. What should it say?',
  },
  {
    at: '9 10:20',
    who: 'petra',
    to: 'website > Delivery times',
    text: 'Three to four weeks, and for oiled oak five.',
  },
  {
    at: '9 11:40',
    who: 'oskar',
    to: 'workshop > Band saw',
    text: 'The new blade is on. Please **no** wet wood for the first week.',
    reactions: { '+1': ['samir'] },
  },
  {
    at: '9 12:02',
    who: 'leonie',
    to: 'kitchen > Lunch',
    text: 'Lentil soup today, enough for eight :stew:',
    reactions: { yum: ['tobias', 'petra', 'yuki'] },
  },
  {
    at: '9 14:30',
    who: 'orders-bot',
    to: 'orders > New orders',
    text: '**Order 2041** · Hallway shelf, oak, oiled · 2 pieces · Rivermouth',
  },
  {
    at: '9 16:45',
    who: 'petra',
    to: 'leads > Budget',
    text: 'The second quarter is in the sheet. Tools are 8 % over, rent stays as it is.',
  },
];

const tue: readonly Line[] = [
  {
    at: '10 08:40',
    who: 'yuki',
    to: 'website > Delivery times',
    text: 'Done. The dates now come out of the order list:\n```python\ndef ready_on(order: Order) -> date:\n    days = 35 if order.finish == "oiled oak" else 24\n    return next_workday(order.placed_on + timedelta(days=days))\n```',
    reactions: { rocket: ['mara', 'petra'] },
  },
  {
    at: '10 08:47',
    who: 'petra',
    to: 'website > Delivery times',
    text: 'Thank you, that saves me an hour a week.',
  },
  {
    at: '10 09:15',
    who: 'samir',
    to: 'workshop > Oil tests',
    text: '| Oil | Coats | Dry after | Scratch |\n| --- | ---: | ---: | --- |\n| Linseed | 3 | 48 h | soft |\n| Hard wax | 2 | 12 h | good |\n| Tung | 4 | 36 h | very good |',
  },
  {
    at: '10 09:22',
    who: 'tobias',
    to: 'workshop > Oil tests',
    text: 'Hard wax for the shelf, tung for table tops?',
    reactions: { '+1': ['samir', 'ines'] },
  },
  {
    at: '10 11:05',
    who: 'ines',
    to: '@mara',
    text: 'Do you have ten minutes for the photos this afternoon?',
  },
  { at: '10 11:07', who: 'mara', to: '@ines', text: 'Yes, three o’clock, by the window.' },
  {
    at: '10 15:48',
    who: 'ines',
    to: '@mara',
    text: 'That went well. I send you the best ones tomorrow.',
    reactions: { heart: ['mara'] },
  },
  {
    at: '10 16:20',
    who: 'orders-bot',
    to: 'orders > New orders',
    text: '**Order 2042** · Stool, ash · 6 pieces · Café Lindenhof',
  },
  {
    at: '10 16:24',
    who: 'petra',
    to: 'orders > 2042 Café Lindenhof',
    text: 'They would like a darker stain. @**Samir Brandel**, is that possible with ash?',
  },
  {
    at: '10 16:39',
    who: 'samir',
    to: 'orders > 2042 Café Lindenhof',
    text: 'Yes, two coats. I make a sample until Thursday.',
  },
];

const wed: readonly Line[] = [
  {
    at: '11 07:44',
    who: 'tobias',
    to: 'general > This week',
    text: 'Timber is here, all of it, and dry: 9 %.',
    reactions: { tada: ['petra', 'mara'] },
  },
  {
    at: '11 08:55',
    who: 'oskar',
    to: 'workshop > New floor plan',
    text: 'This is how it could look with the packing table by the door.\n{plan}',
  },
  {
    at: '11 09:10',
    who: 'tobias',
    to: 'workshop > New floor plan',
    text: 'The lathe needs more light. Otherwise I like it.',
  },
  {
    at: '11 09:31',
    who: 'samir',
    to: 'workshop > New floor plan',
    text: '> The lathe needs more light.\n\nThere is the old lamp from the office, I can hang it.',
  },
  {
    at: '11 10:05',
    who: 'ines',
    to: '@mara,tobias,samir',
    text: 'Shall we surprise Petra on Friday? She has been here ten years.',
  },
  {
    at: '11 10:09',
    who: 'tobias',
    to: '@mara,ines,samir',
    text: 'Cake at three. I ask Leonie.',
    reactions: { birthday: ['mara', 'ines'] },
  },
  {
    at: '11 10:26',
    who: 'mara',
    to: '@ines,tobias,samir',
    text: 'I write a card that everybody signs.',
  },
  {
    at: '11 11:30',
    who: 'mara',
    to: 'announcements > Open workshop',
    text: 'The open workshop is on **Saturday 28 March**, 10 to 16 h. Bring friends.',
    reactions: { calendar: ['ines', 'yuki', 'oskar', 'leonie'] },
  },
  {
    at: '11 13:20',
    who: 'yuki',
    to: 'website > Spring page',
    text: 'Visits since October, the last bar is March *so far*:\n{chart}',
  },
  {
    at: '11 13:26',
    who: 'petra',
    to: 'website > Spring page',
    text: 'That is the shelf, I am sure.',
  },
  {
    at: '11 17:02',
    who: 'leonie',
    to: 'kitchen > Coffee',
    text: 'We are out of beans. I buy two kilos on the way in.',
    reactions: { coffee: ['mara', 'yuki', 'oskar'], heart: ['samir'] },
  },
];

/** Before the reader of the screenshots looked at everything for the last time. */
const thuRead: readonly Line[] = [
  {
    at: '12 08:36',
    who: 'ines',
    to: 'design > Hallway shelf',
    key: 'photo',
    text: 'Here is the best one of the shelf. The light was perfect after three.\n{shelf}',
    reactions: { heart_eyes: ['petra', 'yuki', 'leonie'], '+1': ['tobias', 'mara'] },
    isStarred: true,
  },
  {
    at: '12 08:41',
    who: 'samir',
    to: 'design > Hallway shelf',
    text: 'You can even see the *rounded* front edge.',
  },
  {
    at: '12 08:44',
    who: 'mara',
    to: 'design > Hallway shelf',
    key: 'price',
    text: 'Beautiful. It goes on the front page with the price from the list:',
    edits: [
      'Beautiful. It goes on the front page with the price from the list: **340**, delivery included.',
    ],
  },
  { at: '12 08:45', who: 'mara', to: 'design > Hallway shelf', text: '{list}' },
  {
    at: '12 08:58',
    who: 'tobias',
    to: 'design > Hallway shelf',
    key: 'steps',
    text: 'Steps for the first ten pieces:\n\n- [x] boards cut\n- edges rounded with the `3 mm` cutter\n- sand to **180**, then oil\n- check with the [drying table](https://example.com/oil)',
  },
  {
    at: '12 09:12',
    who: 'yuki',
    to: 'website > Spring page',
    text: 'I take the photo for the top. Text until noon?',
  },
  {
    at: '12 09:20',
    who: 'samir',
    to: '@mara',
    text: 'The sample for the café is dry. I left it on your desk.',
  },
  { at: '12 09:22', who: 'mara', to: '@samir', text: 'Perfect, I show it to them at eleven.' },
];

/** What nobody has read yet. */
const thuNew: readonly Line[] = [
  {
    at: '12 10:04',
    who: 'ines',
    to: 'design > Hallway shelf',
    key: 'question',
    text: '@**Mara Lindholt** do we offer it in walnut as well? Two people have asked.',
  },
  {
    at: '12 10:06',
    who: 'samir',
    to: 'design > Hallway shelf',
    text: 'Walnut would be **420**. I have wood for twelve.',
    reactions: { thinking: ['ines'] },
  },
  {
    at: '12 10:09',
    who: 'ines',
    to: 'design > Hallway shelf',
    key: 'last',
    text: 'Then let us show both and see what happens.',
  },
  {
    at: '12 10:11',
    who: 'ines',
    to: 'design > Handles',
    text: 'Leather or brass? I lean to leather, it is quieter.',
  },
  {
    at: '12 10:15',
    who: 'yuki',
    to: 'website > Spring page',
    text: 'The draft is online for us: `preview.example.com/spring`',
  },
  {
    at: '12 10:18',
    who: 'orders-bot',
    to: 'orders > New orders',
    text: '**Order 2043** · Hallway shelf, oak · 1 piece · Old Harbour',
  },
  {
    at: '12 10:19',
    who: 'orders-bot',
    to: 'orders > New orders',
    text: '**Order 2044** · Hallway shelf, walnut? · 3 pieces · Fernhill',
  },
  {
    at: '12 10:22',
    who: 'petra',
    to: '@mara',
    text: 'Can you look over the price list before it goes out?\n{notes}',
  },
  { at: '12 10:24', who: 'petra', to: '@mara', text: 'Page two is the one I am not sure about.' },
  {
    at: '12 10:27',
    who: 'leonie',
    to: 'kitchen > Lunch',
    text: 'Dumplings today. With or without mushrooms?',
    reactions: { mushroom: ['oskar', 'yuki'] },
  },
  {
    at: '12 10:31',
    who: 'tobias',
    to: '@mara,ines,samir',
    text: 'Leonie bakes. Chocolate, of course :cake:',
  },
  {
    at: '12 10:36',
    who: 'oskar',
    to: 'workshop > Band saw',
    text: '@**all** the saw is off from noon until one, I change the belt.',
  },
  {
    at: '12 10:38',
    who: 'mara',
    to: 'workshop > Band saw',
    key: 'own',
    text: 'Good to know, I tell the visitors to come at one.',
  },
];

export const read: readonly Line[] = [...mon, ...tue, ...wed, ...thuRead];
export const unread: readonly Line[] = thuNew;

/** When the office is looked at. */
export const NOW = '12 10:42';
