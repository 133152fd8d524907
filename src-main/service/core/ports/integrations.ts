/** Incoming webhooks as lists and the documentation show them (API decisions 12). */
import { integrationSubjects } from '#shared/api/integration-subjects.ts';

export { integrationSubjects };
export type IntegrationSubject = (typeof integrationSubjects)[number];

export interface IntegrationDescription {
  /** As it stands in the address: `/external/{name}`. */
  readonly name: string;
  /** As its maker writes it. */
  readonly title: string;
  /** What is posted, in one sentence. */
  readonly about: string;
  readonly subject: IntegrationSubject;
  /** Where the name of the event stands; null where all deliveries are of one kind. */
  readonly eventSource: string | null;
  /** What `only_events` and `exclude_events` select from; with `*` where a service names many alike. */
  readonly events: readonly string[];
  /** Whether it can verify deliveries by the bot's secret. */
  readonly isSigned: boolean;
  /** Whether GET and HEAD are answered: the service asks so before it delivers. */
  readonly answersProbes: boolean;
  /** What to do at the other side, in order. */
  readonly steps: readonly string[];
}
