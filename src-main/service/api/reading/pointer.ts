import type { pointer } from '../../../contract/api/reading/pointer.ts';
import type { Handlers } from '../../ports/handlers.ts';
import type { PointerOperations } from '../../domain/reading/pointer.ts';

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
