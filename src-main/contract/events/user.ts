/** Events about accounts, bots and their settings (API decisions, section 8.2). */
import { z } from 'zod';
import { RealmUser } from '../models/user.ts';

const id = z.int();

const RealmUserAddEvent = z.object({
  id,
  type: z.literal('realm_user'),
  op: z.literal('add'),
  person: RealmUser,
});

export const userEvents = [RealmUserAddEvent] as const;
