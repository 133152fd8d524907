import { dialog } from 'electron';
import { stopWarning } from './others-online.ts';

/** Whether the person wants to stop all the same. */
export async function confirmStop(others: number | undefined): Promise<boolean> {
  const detail = stopWarning(others);
  if (detail === undefined) return true;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: 'Stop hosting on this computer?',
    detail,
    buttons: ['Stop hosting', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}
