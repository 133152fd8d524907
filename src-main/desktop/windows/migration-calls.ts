/** Moving an organization as the window asks for it; what gives it away is asked outside of the page. */
import type { MigrationCalls } from '#shared/bridge/hosting-calls.ts';
import type { MigrationTarget } from '../hosting/migration-in.ts';
import type { MigrationSource } from '../hosting/migration-out.ts';
import { isConfirmed, notConfirmed } from '../system/confirm.ts';

export function migrationCalls(out: MigrationSource, into: MigrationTarget): MigrationCalls {
  return {
    migrationSource: out.status,
    createTransferCode: out.offer,
    cancelMigration: out.callOff,
    confirmMigration: async (number) => {
      const isAgreed = await isConfirmed({
        message: 'Let the other computer have the organization?',
        detail: `It gets everything: messages, files and keys. Agree only if that computer shows the number ${number} now.`,
        button: 'Hand it over',
      });
      return isAgreed ? out.confirm(number) : notConfirmed;
    },
    migrationTarget: into.status,
    startMigration: into.begin,
    stopMigration: into.stop,
  };
}
