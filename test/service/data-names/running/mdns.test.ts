import { expect, test } from 'vitest';
import { recordsOf } from '#node/discovery/announcer.ts';
import { listed } from '#test/support/data-names/listed.ts';

const fingerprint = 'a'.repeat(52);

test('what networks are told stays', () => {
  const place = { address: '10.0.0.5', subnet: '10.0.0.0/24', port: 9981 };
  const records = recordsOf({ ...place, name: 'Team', fingerprint, host: 'desk' });
  const lines = records.flatMap(({ type, name, ...rest }) => {
    const data: unknown = 'data' in rest ? rest.data : undefined;
    if (type === 'TXT') return (data as readonly string[]).map((text) => `TXT ${text}`);
    return [`${type} ${name}${type === 'PTR' ? ` ${String(data)}` : ''}`];
  });
  expect(lines).toEqual(listed('mdns'));
});
