/** Takes the secrets out of what was kept of deliveries before they were taken out at once. */
import type {
  DeliveryLogOperations,
  UnredactedDelivery,
} from '../features/bots/operations/delivery-log.ts';
import { loggedPartOf, redactedRequest } from './stored-request.ts';
import { redactedAttempts } from './redaction/redact.ts';

export interface RedactParts {
  readonly deliveryLog: Pick<DeliveryLogOperations, 'secretsOf' | 'listUnredacted' | 'setRedacted'>;
  readonly reportError: (what: string, cause: unknown) => void;
}

function redacted(delivery: UnredactedDelivery, known: readonly string[]): UnredactedDelivery {
  const { content, body } = delivery;
  if (content.kind !== 'telling') {
    return { ...delivery, ...loggedPartOf(redactedRequest(content, body), delivery, known) };
  }
  return {
    ...delivery,
    content: { ...content, attempts: redactedAttempts(content.attempts, known) },
  };
}

/** Settles when nothing is left to do, or nothing can be done. */
export async function redactDeliveryLog({ deliveryLog, reportError }: RedactParts): Promise<void> {
  try {
    for (;;) {
      const deliveries = await deliveryLog.listUnredacted();
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) {
        await deliveryLog.setRedacted(
          redacted(delivery, await deliveryLog.secretsOf(delivery.botId)),
        );
      }
    }
  } catch (cause) {
    reportError('the delivery log could not be redacted', cause);
  }
}
