import { describe, expect, test } from 'vitest';
import { MessageEdit, MessageSnapshot } from '#shared/api/models/message.ts';
import { editHistoryShape, historyShape } from '#service/features/messages/rules/edit-history.ts';
import type { MessageEditRow, MessageRow } from '#service/db/port.ts';

const row: MessageRow = {
  id: 9,
  recipient_id: 4,
  stream_id: 3,
  stream_name: 'ops',
  topic: 'third',
  sender_id: 1,
  client: 'website',
  content: 'c',
  rendered: '<p>c</p>',
  is_me_message: 0,
  has_wildcard_mention: 0,
  has_link: 0,
  has_image: 0,
  has_attachment: 0,
  sent_at: 100,
  edited_at: 400,
  edit_number: 0,
  recovered_at: null,
};

const edit = (more: Partial<MessageEditRow>): MessageEditRow => ({
  id: 1,
  message_id: 9,
  editor_id: 2,
  edited_at: 200,
  prev_content: null,
  prev_rendered: null,
  prev_topic: null,
  prev_stream_id: null,
  is_named: 1,
  ...more,
});

const edits = [
  edit({ edited_at: 200, prev_content: 'a', prev_rendered: '<p>a</p>', prev_topic: 'first' }),
  edit({ edited_at: 300, prev_topic: 'second', is_named: 0, editor_id: 3 }),
  edit({ edited_at: 350, prev_stream_id: 8 }),
  edit({ edited_at: 400, prev_content: 'b', prev_rendered: '<p>b</p>' }),
];

const diff = (before: string, after: string): string => `${before} to ${after}`;

describe('the history of a message', () => {
  test('the history of a message that was never edited is the original alone', () => {
    expect(historyShape(row, [], diff)).toEqual([
      { topic: 'third', content: 'c', rendered_content: '<p>c</p>', user_id: 1, timestamp: 100 },
    ]);
  });

  test('the history goes from the original to the current message, with what was there before where it changed', () => {
    const shape = historyShape(row, edits, diff);
    expect(shape.map((snapshot) => MessageSnapshot.strict().parse(snapshot))).toEqual(shape);
    expect(shape).toEqual([
      { topic: 'first', content: 'a', rendered_content: '<p>a</p>', user_id: 1, timestamp: 100 },
      {
        topic: 'second',
        content: 'b',
        rendered_content: '<p>b</p>',
        user_id: 2,
        timestamp: 200,
        prev_content: 'a',
        prev_rendered_content: '<p>a</p>',
        prev_topic: 'first',
        content_html_diff: '<p>a</p> to <p>b</p>',
      },
      {
        topic: 'third',
        content: 'b',
        rendered_content: '<p>b</p>',
        user_id: 3,
        timestamp: 300,
        prev_topic: 'second',
      },
      { topic: 'third', content: 'b', rendered_content: '<p>b</p>', user_id: 2, timestamp: 350 },
      {
        topic: 'third',
        content: 'c',
        rendered_content: '<p>c</p>',
        user_id: 2,
        timestamp: 400,
        prev_content: 'b',
        prev_rendered_content: '<p>b</p>',
        content_html_diff: '<p>b</p> to <p>c</p>',
      },
    ]);
  });

  test('the history of a private message has an empty topic', () => {
    const [only] = historyShape({ ...row, topic: null, stream_id: null }, [], diff);
    expect(only?.topic).toBe('');
  });
});

test('the edits of a listed message are newest first, without moves along with others', () => {
  const shape = editHistoryShape(edits);
  expect(shape.map((each) => MessageEdit.strict().parse(each))).toEqual(shape);
  expect(shape).toEqual([
    {
      user_id: 2,
      timestamp: 400,
      prev_content: 'b',
      prev_rendered_content: '<p>b</p>',
      prev_rendered_content_version: 1,
    },
    { user_id: 2, timestamp: 350 },
    {
      user_id: 2,
      timestamp: 200,
      prev_content: 'a',
      prev_rendered_content: '<p>a</p>',
      prev_rendered_content_version: 1,
      prev_subject: 'first',
    },
  ]);
});
