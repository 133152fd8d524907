/** What a running service does for commands on its computer. */
import { ServiceError } from '#shared/api/errors.ts';
import type { TargetChange } from '#node/network/webhook-targets.ts';
import type { Service } from '#service/service.ts';
import type { InvitationAddresses, CommandHandlers } from './command-socket.ts';
import type { PeopleAnswer, PeopleRequest } from './people-requests.ts';
import { ExplainedError, toldOf } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface CommandHandlerParts {
  readonly service: Pick<Service, 'inviteFromHost' | 'localPeople'>;
  /** What links for others begin with now. */
  readonly sharedOrigin: () => string;
  readonly fingerprint: string;
  /** Origins at which others reach it now. */
  readonly addresses: () => readonly string[];
  /** The one of these that was given by hand, at which a proxy may answer; null where there is none. */
  readonly publicUrl: string | null;
  /** Whether the service shows its own certificate, which no browser knows. */
  readonly isOwnCertificate: boolean;
  readonly makePasswordLink: (email: string, client: string) => Promise<string>;
  readonly changeTargets: (change: TargetChange, client: string) => Promise<readonly string[]>;
}

/** As the audit log names it. */
const CLIENT = 'hearth command';

/** What was refused of a list, as part of the sentence. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ServiceError)) return toldOf(error).message;
  const { errors } = error.data;
  const refused = Array.isArray(errors) ? (errors as readonly (readonly unknown[])[]) : [];
  const details = refused.map(([value, reason]) => `${String(value)} (${String(reason)})`);
  return details.length === 0 ? error.message : `${error.message}: ${details.join(', ')}`;
}

/** Where the application finds an origin: on the port of HTTP a service speaks TLS, too; a proxy does not. */
function overTls(origin: string, publicUrl: string | null): readonly string[] {
  if (origin.startsWith('https:')) return [origin];
  if (origin === publicUrl) return [];
  const { hostname, port } = new URL(origin);
  return [`https://${hostname}:${port === '' ? '80' : port}`];
}

function networkAddressesOf({
  addresses,
  publicUrl,
  isOwnCertificate,
}: CommandHandlerParts): InvitationAddresses {
  const [first, ...others] = addresses();
  if (first === undefined) {
    throw new ExplainedError(cliWords('invitations_without_network'));
  }
  return {
    addresses: [first, ...others].flatMap((origin) => overTls(origin, publicUrl)),
    webAddress: first,
    isWarnedOf: isOwnCertificate && first !== publicUrl && first.startsWith('https:'),
  };
}

async function managePeople(
  { service: { localPeople }, sharedOrigin }: CommandHandlerParts,
  asked: PeopleRequest,
): Promise<PeopleAnswer> {
  const nothing = { unusable: [], known: [] };
  switch (asked.kind) {
    case 'list':
      return { ...nothing, people: [...(await localPeople.listPeople())] };
    case 'add': {
      const made = { origin: sharedOrigin(), client: CLIENT };
      const told = await localPeople.addPeople(asked.people, asked, made);
      const { added, unusable, known } = told;
      return { people: [...added], unusable: [...unusable], known: [...known] };
    }
    default:
      return {
        ...nothing,
        people: [...(await localPeople.changePeople(asked.emails, asked, CLIENT))],
      };
  }
}

export const createCommandHandlers = (parts: CommandHandlerParts): CommandHandlers => ({
  resetPassword: async (email) => {
    try {
      return { link: await parts.makePasswordLink(email, CLIENT) };
    } catch (error) {
      throw new ExplainedError(cliWords('email_refused', { email, reason: sentenceOf(error) }));
    }
  },
  managePeople: async (asked) => {
    try {
      return await managePeople(parts, asked);
    } catch (error) {
      throw new ExplainedError({ ...toldOf(error), message: sentenceOf(error) });
    }
  },
  changeTargets: async ({ allow, remove }) => ({
    targets: [...(await parts.changeTargets({ allow, remove }, CLIENT))],
  }),
  invite: async (asked) => {
    const reach = networkAddressesOf(parts);
    try {
      return {
        ...(await parts.service.inviteFromHost(asked, CLIENT)),
        pin: parts.fingerprint,
        ...reach,
      };
    } catch (error) {
      throw new ExplainedError({ ...toldOf(error), message: sentenceOf(error) });
    }
  },
});
