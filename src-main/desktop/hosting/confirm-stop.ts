import { isConfirmed } from '../system/confirm.ts';
import { stopWarning } from './others-online.ts';

const questions = {
  stop: { message: 'Stop hosting on this computer?', button: 'Stop hosting' },
  quit: { message: 'Quit and stop hosting on this computer?', button: 'Quit' },
} as const;

/** Whether the person wants to stop all the same. */
export async function confirmStop(
  others: number | undefined,
  way: keyof typeof questions,
): Promise<boolean> {
  const detail = stopWarning(others, way);
  return detail === undefined || isConfirmed({ ...questions[way], detail });
}
