import { expect, test } from 'vitest';
import { HandoverSchema } from '../../../../src-main/keeping/moving/old-host.ts';
import {
  ASKED_FILE,
  CALL_OFF_FILE,
  CONFIRMED_FILE,
  DEPARTURE_FILE,
  OFFER_FILE,
  SERVING_FILE,
} from '../../../../src-main/platform/office/move-files.ts';
import { jsonSchemaOf } from '../../../../src-main/service/http/documentation/describe.ts';
import { listed } from '../listed.ts';
import { namesIn } from '../wire-names.ts';

test('files of a move and what is handed over keep their names', () => {
  const files = [OFFER_FILE, CALL_OFF_FILE, ASKED_FILE, CONFIRMED_FILE, DEPARTURE_FILE];
  expect([...files, SERVING_FILE, ...namesIn('', jsonSchemaOf(HandoverSchema))]).toEqual(
    listed('move'),
  );
});
