/** What a service says of the office that it is, and what it refuses to say without encryption. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { type ServerIdentity, proofBytes } from '#node/tls/server-identity.ts';
import { apiHeaders, closeUnread } from './failure.ts';
import { isApiPath, pathOf } from './routes.ts';
import { sendText } from './static.ts';

export interface IdentityProof {
  readonly key: ServerIdentity;
  /** The fingerprint of the certificate that it shows now. */
  readonly leafFingerprint: () => string;
  /** The number of the restore generation; 0 before the first one. */
  readonly restoreGeneration: () => Promise<number>;
}

/** The path at which an office proves that it is one (API decisions 15.10). */
const PROOF_PATH = '/api/v1/office';

/** 32 bytes as base64url. */
const NONCE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function nonceOf(request: FastifyRequest): string {
  const { url = '' } = request.raw;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const nonce = new URLSearchParams(query).get('nonce');
  if (nonce === null) {
    throw variableMissing('nonce');
  }
  if (NONCE.test(nonce)) return nonce;
  throw refusal('nonce_invalid', {}, { var_name: 'nonce' });
}

/**
 * The signature holds for one connection: it names the key of the certificate on it. Behind a proxy that is named and
 * that speaks TLS for the public address, it names that address instead.
 */
export function serveIdentityProof(app: FastifyInstance, identityProof: IdentityProof): void {
  app.get(PROOF_PATH, async (request, reply) => {
    const nonce = nonceOf(request);
    const place = app.clientAddresses.placeOf(request);
    if (place === undefined) {
      throw refusal('no_tls_to_prove');
    }
    const leaf = place.isDirect ? identityProof.leafFingerprint() : '';
    const proof = { nonce, host: place.host, epoch: await identityProof.restoreGeneration(), leaf };
    return reply.headers(apiHeaders).send({
      result: 'success',
      msg: '',
      ...proof,
      office_key: Buffer.from(identityProof.key.publicKey).toString('base64url'),
      signature: Buffer.from(identityProof.key.sign('proof', proofBytes(proof))).toString(
        'base64url',
      ),
    });
  });
}

/** Beyond this computer nothing is said without TLS, but where it is to be had. */
export function requireTls(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { clientAddresses } = app;
    if (clientAddresses.isPrivate(request)) {
      done();
      return;
    }
    const address = clientAddresses.originOf(request).replace(/^http:/, 'https:');
    closeUnread(request, reply);
    reply.header('connection', 'close');
    if (isApiPath(pathOf(request.raw.url ?? ''))) {
      done(refusal('tls_required', { address }));
    } else {
      sendText(reply, 400, `Here Hearth is reached over TLS alone: ${address}\n`);
    }
  });
}
