import { isConfirmed } from '../system/confirm.ts';

/** Asks whether the person wants to quit although files are on this computer only. */
export const confirmUnfinishedUploads = (count: () => number) => async (): Promise<boolean> => {
  const unarrived = count();
  if (unarrived === 0) return true;
  const files = unarrived === 1 ? 'A file has' : `${String(unarrived)} files have`;
  const go = unarrived === 1 ? 'It goes' : 'They go';
  return isConfirmed({
    message: 'Quit before everything is uploaded?',
    detail: `${files} not arrived yet. ${go} on when you start Hearth again, and what you wrote is kept as a draft.`,
    button: 'Quit',
  });
};
