/** How long the body of an upload may be, which an administrator may change while the service runs. */
import { Transform } from 'node:stream';
import type { preParsingAsyncHookHandler } from 'fastify';
import { type Limits, MOST_UPLOAD_MIB, UPLOAD_OVERHEAD_BYTES } from '../../ports/limits.ts';
import { payloadTooLarge } from '../failure.ts';

/** What no upload exceeds, whatever an administrator chooses. */
export const longestUpload = ({ uploadBytes }: Limits): number =>
  Math.max(uploadBytes, MOST_UPLOAD_MIB * 1024 ** 2) + UPLOAD_OVERHEAD_BYTES;

/** Passes bytes on until they are too many, for a body whose length was not announced. */
function counting(most: number): Transform {
  let count = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > most) done(payloadTooLarge());
      else done(null, chunk);
    },
  });
}

/** Refuses a body that is too long before it fills the memory. */
export const limitUpload =
  (mostUploadBytes: () => Promise<number>): preParsingAsyncHookHandler =>
  async (request, _reply, payload) => {
    const most = (await mostUploadBytes()) + UPLOAD_OVERHEAD_BYTES;
    const announced = request.headers['content-length'];
    if (announced === undefined) return payload.pipe(counting(most));
    if (Number(announced) > most) throw payloadTooLarge();
    return payload;
  };
