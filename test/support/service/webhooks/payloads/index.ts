import { alarmPayloads } from './alarms.ts';
import { anythingPayloads } from './anything.ts';
import { buildPayloads } from './builds.ts';
import { businessPayloads } from './business.ts';
import { codePayloads } from './code.ts';
import type { Own } from './own.ts';
import { ticketPayloads } from './tickets.ts';

export const allPayloads: readonly Own[] = [
  ...codePayloads,
  ...buildPayloads,
  ...alarmPayloads,
  ...ticketPayloads,
  ...businessPayloads,
  ...anythingPayloads,
];
