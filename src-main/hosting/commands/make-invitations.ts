/** Invitations from the command line: links, and the text that goes with each. */
import { invitationText, joinLinkText, webLinkText } from '#shared/join-link.ts';
import { KeepingError } from '#backup/collect.ts';
import { askForInvitations } from './command-socket.ts';

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
  /** For the application; null where only browsers reach the organization. */
  readonly link: string | null;
  readonly webLink: string;
  /** To be sent along, with the links in it. */
  readonly text: string;
  readonly expiresAt: Date;
}

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
  const { realmName, inviter, pin, addresses, webAddress, isWarnedOf, made } = answer;
  const invitations = made.map(({ email, token, expires }) => {
    const link = addresses.length === 0 ? null : joinLinkText({ token, addresses, pin, realmName });
    const webLink = webLinkText(webAddress, token);
    const expiresAt = new Date(expires * 1000);
    const text = invitationText(realmName, { own: link, web: webLink, isWarnedOf });
    return { email, link, webLink, text, expiresAt };
  });
  return { inviter, invitations };
}
