/** Messages that the organization has lost and this computer still has. */
import { count } from './count.ts';

const messages = (number: number): string => count(number, 'message', 'messages');

export const lostMessageWords = {
  waiting: (number: number, organization: string): string =>
    number === 1
      ? `A message that this computer still has was lost with the old computer of ${organization}.`
      : `${messages(number)} that this computer still has were lost with the old computer of ${organization}.`,
  giving: (number: number): string => `Giving back ${messages(number)}…`,
  back: (number: number): string =>
    number === 1
      ? 'One message is back where it was.'
      : `${messages(number)} are back where they were.`,
  refused: (number: number): string =>
    number === 1
      ? 'One could not be given back: somebody deleted it, or its place or author is gone.'
      : `${String(number)} could not be given back: somebody deleted them, or their place or author is gone.`,
  look: 'Look',
  giveBack: 'Give back',
  notNow: 'Not now',

  title: 'Messages that were lost',
  about:
    'They return to their places with their authors and times, marked as recovered. Everybody who could read them can read them again.',
  list: 'Lost messages',
  privately: (names: string): string => `Private: ${names}`,
  forget: 'Forget them',
  forgetAbout: 'Forgetting removes them from this computer too. Nobody else loses anything.',
};
