import type { pointer } from '#shared/api/endpoints/reading/pointer.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { PointerOperations } from '../operations/pointer.ts';

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
