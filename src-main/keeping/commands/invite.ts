/** Invitations from the command line: links, and the text that goes with each. */
import { joinLinkText } from '../../bridge/join-link.ts';
import { KeepingError } from '../gather.ts';
import { askForInvitations } from './socket.ts';

export interface InviteAsk {
  readonly dataDir: string;
  readonly emails: readonly string[];
  readonly as: string | null;
  readonly validDays: number;
  readonly maxUses: number;
}

export interface PassedOn {
  /** Empty where it is for many. */
  readonly email: string;
  readonly link: string;
  /** To be sent along with the link in it. */
  readonly text: string;
  readonly expiresAt: Date;
}

const textOf = (realmName: string, link: string): string =>
  [
    `You are invited to ${realmName} on Hearth.`,
    '1. Get Hearth and open it. Be in the same network as the computer of the organization, not in the one for guests.',
    '2. Choose “Connect to an organization” and paste this whole text:',
    '',
    link,
  ].join('\n');

/** @throws KeepingError, in one sentence */
export async function makeInvitations({ dataDir, emails, ...asked }: InviteAsk): Promise<{
  readonly inviter: string;
  readonly invitations: readonly PassedOn[];
}> {
  const answer = await askForInvitations(dataDir, { ...asked, emails: [...emails] });
  if (answer === undefined) {
    throw new KeepingError(
      `The organization in ${dataDir} is not served now: start it, or name its folder with --data-dir.`,
    );
  }
  const { realmName, inviter, pin, addresses, made } = answer;
  const invitations = made.map(({ email, token, expires }) => {
    const link = joinLinkText({ token, addresses, pin, realmName });
    const expiresAt = new Date(expires * 1000);
    return { email, link, text: textOf(realmName, link), expiresAt };
  });
  return { inviter, invitations };
}
