import { expect, test } from 'vitest';
import { HandoverSchema } from '#backup/migration/source-client.ts';
import {
  ASKED_FILE,
  CALL_OFF_FILE,
  CONFIRMED_FILE,
  DEPARTURE_FILE,
  OFFER_FILE,
  SERVING_FILE,
} from '#node/migration/transfer-files.ts';
import { jsonSchemaOf } from '#service/http/documentation/describe.ts';
import { listed } from '#test/support/data-names/listed.ts';
import { namesIn } from '#test/support/data-names/wire-names.ts';

test('files of a move and what is handed over keep their names', () => {
  const files = [OFFER_FILE, CALL_OFF_FILE, ASKED_FILE, CONFIRMED_FILE, DEPARTURE_FILE];
  expect([...files, SERVING_FILE, ...namesIn('', jsonSchemaOf(HandoverSchema))]).toEqual(
    listed('move'),
  );
});
