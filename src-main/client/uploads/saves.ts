/** Files that a person saves, on their way to where they said. */
import type { SaveRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { FileTarget, SavePort } from '../ports.ts';
import { inSteps } from './progress-steps.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface Saves {
  /** False where they choose no place, or change their mind. */
  readonly save: (request: SaveRequest) => Promise<Outcome<boolean>>;
  /** One that has ended, or never was, changes nothing. */
  readonly cancelSave: (saveId: string) => void;
}

export interface SaveParts {
  /** Absent where there is nobody who saves any. */
  readonly saving?: SavePort | undefined;
  /** 0 to 1, ascending. */
  readonly saveProgress: (progress: { readonly saveId: string; readonly share: number }) => void;
  readonly write: (
    url: string,
    target: Pick<FileTarget, 'write'>,
    how: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<Outcome<null>>;
}

const notStored = failure('NOT_STORED', clientWords('save_not_stored'));

export function createSaves({ saving, saveProgress, write }: SaveParts): Saves {
  const running = new Map<string, AbortController>();

  async function receiveInto(
    target: FileTarget,
    { saveId, url }: SaveRequest,
    signal: AbortSignal,
  ): Promise<Outcome<boolean>> {
    const onProgress = inSteps((share) => {
      saveProgress({ saveId, share });
    });
    try {
      const written = await write(url, target, { signal, onProgress });
      if (written.ok) {
        await target.finish();
        return success(true);
      }
      await target.remove();
      return written.failure.code === 'CANCELLED' ? success(false) : written;
    } catch {
      await target.remove();
      return notStored;
    }
  }

  return {
    save: async (request) => {
      let target;
      try {
        target = await saving?.choose(request.name);
      } catch {
        return notStored;
      }
      if (target === undefined || target === null) return success(false);
      const cancelling = new AbortController();
      running.set(request.saveId, cancelling);
      const outcome = await receiveInto(target, request, cancelling.signal);
      running.delete(request.saveId);
      return outcome;
    },
    cancelSave: (saveId) => {
      running.get(saveId)?.abort();
    },
  };
}
