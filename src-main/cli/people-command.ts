/** What the commands of `commands/people-commands.ts` do. */
import { counted, timeText } from '#node/wording.ts';
import { requestPasswordLink, requestTargetChange } from '#hosting/commands/command-socket.ts';
import { makeInvitations } from '#hosting/commands/make-invitations.ts';
import type {
  InviteCommand,
  ResetPasswordCommand,
  WebhookTargetsCommand,
} from './command-kinds.ts';
import type { CommandOutput } from './command-output.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export async function runResetPassword({
  dataDir,
  email,
}: ResetPasswordCommand): Promise<CommandOutput> {
  const asked = await requestPasswordLink(dataDir, email);
  const isServed = asked !== undefined;
  const link = asked ?? (await makeLinkOffline(dataDir, email));
  const when = isServed ? '' : ', once the service runs again,';
  const lines = [
    `password link: ${link}`,
    `Open it in a browser${when} or paste it in Hearth under "Connect to an existing one". It is good once, and for a day; whoever has it signs in as ${email}.`,
  ];
  return { lines, warnings: [], fields: { email, link, is_served: isServed }, exitCode: 0 };
}

async function makeLinkOffline(dataDir: string, email: string): Promise<string> {
  const { makeLinkWithoutService } = await import('#hosting/commands/offline-commands.ts');
  return makeLinkWithoutService(dataDir, email);
}

export async function runInvite(command: InviteCommand): Promise<CommandOutput> {
  const { inviter, invitations } = await makeInvitations(command);
  const lines = invitations.flatMap(({ email, text, expiresAt }) => [
    email === ''
      ? `for everybody who has it, ${counted(command.maxUses, 'time')} at most, until ${timeText(expiresAt)}:`
      : `for ${email}, until ${timeText(expiresAt)}:`,
    ...['', ...text.split('\n'), ''],
  ]);
  const fields = {
    invited_by: inviter,
    invitations: invitations.map(({ email, link, webLink, text, expiresAt }) => ({
      ...(email === '' ? {} : { email }),
      link,
      web_link: webLink,
      text,
      expires_at: expiresAt.toISOString(),
    })),
  };
  return { lines, warnings: [], fields, exitCode: 0 };
}

export async function runWebhookTargets({
  dataDir,
  targets: given,
  isRemoved,
}: WebhookTargetsCommand): Promise<CommandOutput> {
  const change = isRemoved ? { allow: [], remove: given } : { allow: given, remove: [] };
  const targets = await requestTargetChange(dataDir, change);
  if (targets === undefined) {
    throw new ExplainedError(cliWords('invitations_not_served', { folder: dataDir }));
  }
  const nothing = 'outgoing bots reach nothing inside of this network';
  const lines = targets.length === 0 ? [nothing] : targets;
  return { lines, warnings: [], fields: { targets }, exitCode: 0 };
}
