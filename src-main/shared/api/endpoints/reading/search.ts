import { z } from 'zod';
import { messageIdList } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { NarrowParam } from '#shared/api/narrow.ts';
import { required, wire, withDefault } from '#shared/api/wire.ts';

export const search = {
  matchesNarrow: endpoint({
    method: 'GET',
    path: '/messages/matches_narrow',
    auth: 'user',
    params: wire({ msgIds: required(messageIdList), narrow: withDefault(NarrowParam, []) }),
    result: z.object({
      /** By message id, for those of the given messages that the caller holds and the narrow selects. */
      messages: z.record(
        z.string(),
        z.object({ match_content: z.string(), match_subject: z.string() }),
      ),
    }),
    errors: ['BAD_NARROW'],
    summary: 'Tell which of the given messages match a narrow, with what was found marked.',
    spec: 'API decisions 3.4 and 7.1',
  }),
};
