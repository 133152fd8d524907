/** While the computer of the service goes to sleep nothing is begun any more (API decisions 15.19). */
import type { FastifyInstance } from 'fastify';
import type { ServiceError } from '#shared/api/errors.ts';
import { isApiPath, pathOf } from './routes.ts';
import type { HttpServer } from './server.ts';
import { sendText } from './static.ts';

/** The computer waits for some seconds. */
const LIMIT_MS = 1500;

/** @param refusal  undefined while it is awake */
export function refuseAsleep(app: FastifyInstance, refusal: () => ServiceError | undefined): void {
  app.addHook('onRequest', (request, reply, done) => {
    const error = refusal();
    if (error === undefined || isApiPath(pathOf(request.raw.url ?? ''))) done(error);
    else sendText(reply, error.status, `${error.message}.\n`);
  });
}

export const withSettling = (
  { setAsleep }: { readonly setAsleep: (isAsleep: boolean) => void },
  { settle }: Pick<HttpServer, 'settle'>,
): { readonly setAsleep: (isAsleep: boolean) => Promise<void> } => ({
  /** Settles when everybody has an answer, or soon. */
  setAsleep: async (isAsleep) => {
    setAsleep(isAsleep);
    if (isAsleep) await settle(LIMIT_MS);
  },
});
