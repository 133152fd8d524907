import type { Bridge } from '#preload/bridge.ts';

/** So often is said that somebody is still here. */
const TELL_MS = 20_000;
const inputs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const;

/** Whether somebody is at this computer, which the page tells of its own input and is told of everything else. */
export class UserActivity {
  #hereSinceMs: number | null = 0;
  #toldAtMs = 0;
  readonly #listeners = new Set<(isHere: boolean) => void>();

  constructor(bridge: Pick<Bridge, 'on' | 'reportActivity'>) {
    bridge.on('activityChanged', ({ activeSinceMs }) => {
      this.#hereSinceMs = activeSinceMs;
      for (const listener of this.#listeners) listener(activeSinceMs !== null);
    });
    const tell = (): void => {
      const now = Date.now();
      if (this.#hereSinceMs !== null && Math.abs(now - this.#toldAtMs) < TELL_MS) return;
      this.#toldAtMs = now;
      void bridge.reportActivity();
    };
    for (const input of inputs) addEventListener(input, tell, { capture: true, passive: true });
  }

  /** Somebody is here and has the keyboard in this window. */
  readonly isLooking = (): boolean => this.#hereSinceMs !== null && document.hasFocus();

  /** Somebody looks, and was here at that moment, by the clock of this computer. */
  sawSince(atSeconds: number): boolean {
    return this.isLooking() && atSeconds >= Math.floor((this.#hereSinceMs ?? 0) / 1000);
  }

  /** @returns what ends the listening */
  onChange(listener: (isHere: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
