import { expect, test } from 'vitest';
import { HandoverSchema } from '#backup/migration/source-client.ts';
import {
  PENDING_TARGET_FILE,
  CANCEL_FILE,
  CONFIRMED_TARGET_FILE,
  SOURCE_STATE_FILE,
  TRANSFER_OFFER_FILE,
  SERVING_FILE,
} from '#node/migration/transfer-files.ts';
import { jsonSchemaOf } from '#service/http/documentation/describe.ts';
import { listed } from '#test/support/data-names/listed.ts';
import { namesIn } from '#test/support/data-names/wire-names.ts';

test('files of a move and what is handed over keep their names', () => {
  const files = [
    TRANSFER_OFFER_FILE,
    CANCEL_FILE,
    PENDING_TARGET_FILE,
    CONFIRMED_TARGET_FILE,
    SOURCE_STATE_FILE,
  ];
  expect([...files, SERVING_FILE, ...namesIn('', jsonSchemaOf(HandoverSchema))]).toEqual(
    listed('move'),
  );
});
