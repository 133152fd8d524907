import type { BridgeEvents } from '#shared/bridge/bridge.ts';
import type { Emitter } from '../emitter.ts';
import type { SessionListener } from '../session/session-listener.ts';

type Forwarded =
  'arrived' | 'changed' | 'removed' | 'cache' | 'uploadProgress' | 'saveProgress' | 'reset';

/** What a session tells goes to the window as it is. */
export const forwardedEvents = (
  emit: Emitter<BridgeEvents>['emit'],
  accountId: string,
): Pick<SessionListener, Forwarded> => ({
  arrived: (messages) => {
    emit('messagesArrived', { accountId, messages });
  },
  changed: (messages) => {
    emit('messagesChanged', { accountId, messages });
  },
  removed: (ids) => {
    emit('messagesRemoved', { accountId, ids });
  },
  cache: (status) => {
    emit('cacheChanged', { accountId, status });
  },
  uploadProgress: (progress) => {
    emit('uploadProgress', progress);
  },
  saveProgress: (progress) => {
    emit('saveProgress', progress);
  },
  reset: () => {
    emit('messagesReset', { accountId });
  },
});
