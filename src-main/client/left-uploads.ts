/** Uploads that outlive the page that began them: it leaves them, and the next one takes them. */
import type { LeftUpload } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import { failure } from '../contract/outcome.ts';

/** Whoever waits for one that ended asks soon. */
const ENDED_KEPT = 100;

export interface LeftUploads {
  /** From here on it is known how the upload ends, whoever is there then. */
  readonly follow: (
    uploadId: string,
    outcome: Promise<Outcome<string>>,
  ) => Promise<Outcome<string>>;
  /** Told to the page too, whichever is there. */
  readonly progressed: (uploadId: string, share: number) => void;
  /** Those of a page that goes, in place of those that it left before. */
  readonly leave: (uploads: readonly LeftUpload[]) => null;
  /** They belong to whoever takes them. */
  readonly take: () => readonly LeftUpload[];
  /** Settles when it has ended. UPLOAD_GONE where nobody knows of it. */
  readonly outcome: (uploadId: string) => Promise<Outcome<string>>;
}

interface Followed {
  readonly outcome: Promise<Outcome<string>>;
  share: number;
}

const gone = failure('UPLOAD_GONE', 'The upload did not go on. Attach the file again.');

export function createLeftUploads(
  tell: (progress: { readonly uploadId: string; readonly share: number }) => void,
): LeftUploads {
  const followed = new Map<string, Followed>();
  const ended: string[] = [];
  let left: readonly LeftUpload[] = [];

  const forgetOldest = (): void => {
    const oldest = ended.length > ENDED_KEPT ? ended.shift() : undefined;
    if (oldest !== undefined) followed.delete(oldest);
  };

  return {
    follow: (uploadId, outcome) => {
      if (followed.has(uploadId)) return outcome;
      followed.set(uploadId, { outcome, share: 0 });
      void outcome
        .catch(() => undefined)
        .then(() => {
          ended.push(uploadId);
          forgetOldest();
        });
      return outcome;
    },
    progressed: (uploadId, share) => {
      const upload = followed.get(uploadId);
      if (upload !== undefined) upload.share = share;
      tell({ uploadId, share });
    },
    leave: (uploads) => {
      left = uploads;
      return null;
    },
    take: () => {
      const taken = left.map((each) => ({
        ...each,
        share: followed.get(each.uploadId)?.share ?? each.share,
      }));
      left = [];
      return taken;
    },
    outcome: async (uploadId) => followed.get(uploadId)?.outcome ?? gone,
  };
}
