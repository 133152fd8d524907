/** Moving an organization as the window asks for it; what gives it away is asked outside of the page. */
import type { MovingCalls } from '#shared/bridge/bridge.ts';
import { failure } from '#shared/bridge/outcome.ts';
import type { MovingIn } from '../hosting/migration-in.ts';
import type { MovingOut } from '../hosting/migration-out.ts';
import { isConfirmed } from '../system/confirm.ts';

export function movingCalls(out: MovingOut, into: MovingIn): MovingCalls {
  return {
    moveOut: out.status,
    offerMove: out.offer,
    callOffMove: out.callOff,
    confirmMove: async (number) => {
      const isAgreed = await isConfirmed({
        message: 'Let the other computer have the organization?',
        detail: `It gets everything: messages, files and keys. Agree only if that computer shows the number ${number} now.`,
        button: 'Hand it over',
      });
      return isAgreed ? out.confirm(number) : failure('NOT_CONFIRMED', 'Nothing was changed.');
    },
    moveIn: into.status,
    beginMoveIn: into.begin,
    stopMoveIn: into.stop,
  };
}
