export interface Emitter<Events> {
  readonly on: <E extends keyof Events>(
    event: E,
    listener: (payload: Events[E]) => void,
  ) => () => void;
  readonly emit: <E extends keyof Events>(event: E, payload: Events[E]) => void;
}

export function createEmitter<Events>(): Emitter<Events> {
  const listeners: { [E in keyof Events]?: Set<(payload: Events[E]) => void> } = {};
  return {
    on: (event, listener) => {
      const added = (listeners[event] ??= new Set());
      added.add(listener);
      return () => {
        added.delete(listener);
      };
    },
    emit: (event, payload) => {
      for (const listener of [...(listeners[event] ?? [])]) listener(payload);
    },
  };
}
