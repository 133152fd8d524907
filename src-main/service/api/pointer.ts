import type { pointer } from '../../contract/api/pointer.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { PointerOperations } from '../domain/pointer.ts';

export function pointerHandlers(domain: PointerOperations): Handlers<typeof pointer> {
  const move: Handlers<typeof pointer>['put'] = async ({ caller }, params) => {
    await domain.movePointer(caller, params.pointer);
    return {};
  };
  return {
    get: async ({ caller }) => ({ pointer: await domain.getPointer(caller) }),
    put: move,
    post: move,
  };
}
