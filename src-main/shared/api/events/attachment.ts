/** Events about uploaded files (API decisions 8.2). */
import { z } from 'zod';
import { Attachment } from '../models/attachment.ts';

const AttachmentEvent = z.object({
  id: z.int(),
  type: z.literal('attachment'),
  op: z.enum(['add', 'update']),
  attachment: Attachment,
  upload_space_used: z.int(),
});

const AttachmentRemoveEvent = z.object({
  id: z.int(),
  type: z.literal('attachment'),
  op: z.literal('remove'),
  attachment: z.object({ id: z.int() }),
  upload_space_used: z.int(),
});

export const attachmentEvents = [AttachmentEvent, AttachmentRemoveEvent] as const;
