/** What a running service does for commands on its computer. */
import { ServiceError } from '../../contract/errors.ts';
import type { Service } from '../../service/service.ts';
import { KeepingError } from '../gather.ts';
import type { OfficeCommands } from './socket.ts';

export interface AnswerParts {
  readonly service: Pick<Service, 'inviteHere'>;
  readonly pin: string;
  /** Origins at which others reach it now. */
  readonly addresses: () => readonly string[];
  readonly makePasswordLink: (email: string, client: string) => Promise<string>;
}

/** As the audit log names it. */
const CLIENT = 'hearth command';

/** What was refused of a list, as part of the sentence. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ServiceError))
    return error instanceof Error ? error.message : String(error);
  const { errors } = error.data;
  const refused = Array.isArray(errors) ? (errors as readonly (readonly unknown[])[]) : [];
  const details = refused.map(([value, reason]) => `${String(value)} (${String(reason)})`);
  return details.length === 0 ? error.message : `${error.message}: ${details.join(', ')}`;
}

export const officeCommands = ({
  service,
  pin,
  addresses,
  makePasswordLink,
}: AnswerParts): OfficeCommands => ({
  resetPassword: async (email) => {
    try {
      return { link: await makePasswordLink(email, CLIENT) };
    } catch (error) {
      throw new KeepingError(`EMAIL ${email}: ${sentenceOf(error)}`);
    }
  },
  invite: async (asked) => {
    const reachable = addresses().filter((each) => each.startsWith('https:'));
    if (reachable.length === 0) {
      throw new KeepingError(
        'Only this computer can reach the organization, so nobody could use an invitation: let others join in Settings, Office, or serve it with --host.',
      );
    }
    try {
      return { ...(await service.inviteHere(asked, CLIENT)), pin, addresses: [...reachable] };
    } catch (error) {
      throw new KeepingError(sentenceOf(error));
    }
  },
});
