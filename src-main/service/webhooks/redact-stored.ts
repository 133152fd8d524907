/** Takes the secrets out of what was kept of deliveries before they were taken out at once. */
import type {
  KeptDeliveryOperations,
  UnredactedDelivery,
} from '../features/bots/operations/delivery-log.ts';
import { keptPartOf, keptRequest } from './stored-request.ts';
import { redactedAttempts } from './redaction/redact.ts';

export interface RedactKeptParts {
  readonly kept: Pick<KeptDeliveryOperations, 'secretsOf' | 'listUnredacted' | 'setRedacted'>;
  readonly reportError: (what: string, cause: unknown) => void;
}

function redacted(delivery: UnredactedDelivery, known: readonly string[]): UnredactedDelivery {
  const { content, body } = delivery;
  if (content.kind !== 'telling') {
    return { ...delivery, ...keptPartOf(keptRequest(content, body), delivery, known) };
  }
  return {
    ...delivery,
    content: { ...content, attempts: redactedAttempts(content.attempts, known) },
  };
}

/** Settles when nothing is left to do, or nothing can be done. */
export async function redactKept({ kept, reportError }: RedactKeptParts): Promise<void> {
  try {
    for (;;) {
      const deliveries = await kept.listUnredacted();
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) {
        await kept.setRedacted(redacted(delivery, await kept.secretsOf(delivery.botId)));
      }
    }
  } catch (cause) {
    reportError('kept deliveries could not be redacted', cause);
  }
}
