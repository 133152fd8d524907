/** Invitations from the command line: links, and the text that goes with each. */
import { invitationText, joinLinkText, webLinkText } from '#shared/join-link.ts';
import { requestInvitations } from './command-socket.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface InviteOptions {
  readonly dataDir: string;
  readonly emails: readonly string[];
  readonly as: string | null;
  readonly validDays: number;
  readonly maxUses: number;
}

export interface PreparedInvitation {
  /** Empty where it is for many. */
  readonly email: string;
  /** For the application; null where only browsers reach the organization. */
  readonly link: string | null;
  readonly webLink: string;
  /** To be sent along, with the links in it. */
  readonly text: string;
  readonly expiresAt: Date;
}

/** @throws ExplainedError */
export async function makeInvitations({ dataDir, emails, ...asked }: InviteOptions): Promise<{
  readonly inviter: string;
  readonly invitations: readonly PreparedInvitation[];
}> {
  const answer = await requestInvitations(dataDir, { ...asked, emails: [...emails] });
  if (answer === undefined) {
    throw new ExplainedError(cliWords('invitations_not_served', { folder: dataDir }));
  }
  const {
    realmName,
    inviter,
    pin,
    addresses,
    webAddress,
    isWarnedOf: needsCertificateWarning,
    made,
  } = answer;
  const invitations = made.map(({ email, token, expires }) => {
    const link = addresses.length === 0 ? null : joinLinkText({ token, addresses, pin, realmName });
    const webLink = webLinkText(webAddress, token);
    const expiresAt = new Date(expires * 1000);
    const text = invitationText(realmName, { app: link, web: webLink, needsCertificateWarning });
    return { email, link, webLink, text, expiresAt };
  });
  return { inviter, invitations };
}
