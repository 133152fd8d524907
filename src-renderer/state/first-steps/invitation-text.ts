import { invitationText as textOf, joinLinkIn, joinLinkText } from '#shared/join-link.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { Hosting } from '../hosting/hosting.svelte.ts';

type Inviting = Pick<Account, 'isHosted' | 'pin'>;

/** With where the organization is and who it is; undefined as far as that is not known here. */
export function ownInvitationLink(
  link: string,
  account: Inviting,
  realmName: string,
  { networkAccess }: Pick<Hosting, 'networkAccess'>,
): string | undefined {
  const { token = null, addresses = [] } = joinLinkIn(link) ?? {};
  const { pin, origins } = account.isHosted
    ? { pin: networkAccess?.identity?.fingerprint, origins: networkAccess?.addresses ?? [] }
    : { pin: account.pin, origins: addresses };
  if (token === null || pin === undefined || origins.length === 0) return undefined;
  return joinLinkText({ token, addresses: origins, pin, realmName });
}

/** What is sent to whoever is invited. */
export function invitationText(
  link: string,
  account: Inviting,
  realmName: string,
  hosting: Pick<Hosting, 'networkAccess'>,
): string {
  const app = ownInvitationLink(link, account, realmName, hosting) ?? null;
  // A hosting computer knows its service by an address that means nothing elsewhere.
  const web = app !== null && account.isHosted ? null : link;
  return textOf(realmName, {
    app,
    web,
    needsCertificateWarning: !account.isHosted && account.pin !== undefined,
  });
}
