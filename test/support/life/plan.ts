/** Who is in the office, and its streams. */
import { type Name, names } from './talk.ts';

interface StreamPlan {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly members: readonly Name[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly isPinned?: boolean;
  readonly isMuted?: boolean;
}

export const everybody = Object.keys(names) as readonly Name[];
export const others: readonly Name[] = everybody.filter((name) => name !== 'mara');
/** Those who stay, in an office of three. */
export const remaining: readonly Name[] = ['mara', 'petra', 'oskar'];

export const streams: readonly StreamPlan[] = [
  {
    name: 'general',
    description: 'What concerns all of us',
    color: '#c8643c',
    members: everybody,
    isPinned: true,
  },
  {
    name: 'announcements',
    description: 'Dates and decisions',
    color: '#b8860b',
    members: everybody,
    settings: { is_announcement_only: true },
  },
  {
    name: 'design',
    description: 'Drawings, proportions, photos',
    color: '#6b5bd2',
    members: ['mara', 'ines', 'samir', 'tobias', 'yuki'],
  },
  {
    name: 'workshop',
    description: 'Machines, wood and who needs what',
    color: '#2f7d6b',
    members: ['mara', 'tobias', 'samir', 'oskar', 'ines'],
  },
  {
    name: 'website',
    description: 'The shop and everything on it',
    color: '#1f77b4',
    members: ['mara', 'yuki', 'petra', 'ines'],
  },
  {
    name: 'orders',
    description: 'One topic for each order',
    color: '#a33b6b',
    members: ['mara', 'petra', 'samir', 'leonie'],
  },
  {
    name: 'leads',
    description: 'Budget and people',
    color: '#7a6a58',
    members: ['mara', 'petra'],
    settings: { invite_only: true },
  },
  {
    name: 'kitchen',
    description: 'Lunch, coffee and cake',
    color: '#5c8f3a',
    members: everybody,
    isMuted: true,
  },
  {
    name: 'photography',
    description: 'Lamps, backdrops and dates with the camera',
    color: '#888888',
    members: ['ines', 'yuki', 'leonie'],
  },
  {
    name: 'trade fairs',
    description: 'Where we show what we make',
    color: '#888888',
    members: ['petra', 'oskar'],
  },
];
