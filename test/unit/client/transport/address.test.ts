import { expect, test } from 'vitest';
import { originsFor } from '#client/transport/address.ts';

test.each([
  ['https://chat.example.com', ['https://chat.example.com']],
  ['https://chat.example.com/', ['https://chat.example.com']],
  ['  HTTPS://Chat.Example.com/api/v1?x#y ', ['https://chat.example.com']],
  ['http://chat.example.com', ['http://chat.example.com']],
  ['http://chat.example.com:9981', ['http://chat.example.com:9981']],
  ['chat.example.com', ['https://chat.example.com', 'https://chat.example.com:9981']],
  ['chat.example.com/#narrow', ['https://chat.example.com', 'https://chat.example.com:9981']],
  ['192.168.1.20', ['https://192.168.1.20:9981', 'https://192.168.1.20']],
  ['fd12::1', ['https://[fd12::1]:9981', 'https://[fd12::1]']],
  ['[fd12::1]:8443', ['https://[fd12::1]:8443']],
  [
    'Maras-Laptop',
    [
      'https://maras-laptop:9981',
      'https://maras-laptop',
      'https://maras-laptop.local:9981',
      'https://maras-laptop.local',
    ],
  ],
  ['maras-laptop.local', ['https://maras-laptop.local:9981', 'https://maras-laptop.local']],
  ['localhost', ['http://localhost:9981', 'http://localhost', 'https://localhost']],
  ['chat.example.com:9981', ['https://chat.example.com:9981']],
  ['192.168.1.20:9981', ['https://192.168.1.20:9981']],
  ['localhost:9981', ['http://localhost:9981', 'https://localhost:9981']],
  ['127.0.0.1:9981', ['http://127.0.0.1:9981', 'https://127.0.0.1:9981']],
  ['127.0.0.1:443', ['http://127.0.0.1:443', 'https://127.0.0.1']],
  ['[::1]:9981', ['http://[::1]:9981', 'https://[::1]:9981']],
  ['127.evil.example', ['https://127.evil.example', 'https://127.evil.example:9981']],
  [
    'localhost.evil.example',
    ['https://localhost.evil.example', 'https://localhost.evil.example:9981'],
  ],
])('%j may mean %j', (typed, origins) => {
  expect(originsFor(typed)).toEqual({ ok: true, value: origins });
});

test.each([
  '',
  '   ',
  'chat example com',
  'https://',
  'ftp://chat.example.com',
  'javascript://chat.example.com',
  'https://ada:secret@chat.example.com',
  'chat.example.com:port',
])('%j is no address, and the field is named', (typed) => {
  const outcome = originsFor(typed);
  expect(outcome).toMatchObject({ ok: false, failure: { argument: 'address' } });
});
