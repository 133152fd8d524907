import { createHash } from 'node:crypto';

/** What gravatar URLs are made of; MD5 is their format, nothing is protected by it. */
export const gravatarHash = (email: string): string =>
  createHash('md5').update(email.trim().toLowerCase()).digest('hex');
