import { isConfirmed } from '../system/confirm.ts';

export const confirmPasswordLink = (email: string): Promise<boolean> =>
  isConfirmed({
    message: 'Choose a new password without the old one?',
    detail: `It is for ${email}, who is then signed out everywhere. The audit log of the organization tells that this was done on this computer.`,
    button: 'Choose a new password',
  });
