/** What an outgoing webhook bot is sent, and what it may answer (API decisions 7.4). */
import { withThousands } from '#shared/text/thousands.ts';
import { CONTENT_BYTES } from '#shared/api/bounds.ts';
import { EventMessage } from '#shared/api/models/message.ts';
import { exampleOfSchema } from './answers.ts';
import { jsonSchemaOf } from './describe.ts';
import { html, type Html } from './html.ts';
import { cell, code, table } from './parts.ts';

/** The body of one delivery in Hearth's own form. */
export function exampleDelivery(): Readonly<Record<string, unknown>> {
  const message = JSON.parse(exampleOfSchema(jsonSchemaOf(EventMessage))) as object;
  const content = '@**Oracle** will it rain?';
  const lists = { submessages: [], reactions: [], subject_links: [] };
  return {
    bot_email: 'oracle-bot@example.com',
    data: content,
    message: { ...message, ...lists, content, content_type: 'text/x-markdown' },
    token: 'mX4tq9Zk3v9wPq0c',
    trigger: 'mention',
  };
}

/** The form of Slack's outgoing webhooks, field by field. */
export const slackExample: Readonly<Record<string, string>> = {
  token: 'mX4tq9Zk3v9wPq0c',
  team_id: '',
  channel_id: '1',
  channel_name: 'general',
  timestamp: '1795000000',
  user_id: '2',
  user_name: 'Ben Brown',
  text: '@**Oracle** will it rain?',
  trigger_word: 'mention',
  service_id: '7',
};

const row = (name: string, meaning: string): Html =>
  html`<tr>
    <td><code>${name}</code></td>
    ${cell('Meaning', html`${meaning}`)}
  </tr>`;

const answers = [
  row(
    'content',
    `Markdown that the bot posts where the message stands, cut at ${withThousands(CONTENT_BYTES)} bytes.`,
  ),
  row('response_string', 'The same, as older receivers call it.'),
  row('text', 'The same, for bots of the interface 2.'),
  row('response_not_required', 'true: nothing is posted.'),
];

export const outgoingText = (): Html =>
  html`<p>
      A bot of <code>bot_type</code> 3 has an address, <code>payload_url</code>. The service sends a
      POST there for each message of a person that mentions the bot or goes to it in private.
      Messages of bots start nothing. The address has to be on the public internet, unless it is
      allowed on the computer of the service.
    </p>
    <p>
      <code>trigger</code> is <code>mention</code> or <code>private_message</code>. Compare
      <code>token</code> with the one of the bot: nobody else knows it. With the
      <code>interface_type</code> 1 the body is JSON:
    </p>
    ${code('What a bot is sent', JSON.stringify(exampleDelivery(), undefined, 2))}
    <p>With the <code>interface_type</code> 2 it is a form, as Slack sends it:</p>
    ${code('What a bot is sent in the form of Slack', new URLSearchParams(slackExample).toString().replaceAll('&', '\n&'))}
    <p>
      Answer with a status from 200 to 299 within ten seconds. An empty body posts nothing; else it
      is one JSON object of at most 256 KiB:
    </p>
    ${table('What a bot answers', ['Key', 'Meaning'], answers)}
    ${code('An answer', '{"content":"No rain before *noon*."}')}
    <p>
      After a status of 408, 429, 500 or above, and where nothing answers, the service tries again
      after 1, 5 and 25 seconds. Any other status ends it. The owner of the bot is told in private,
      and finds each attempt among the
      <a href="#endpoint-deliveriesList">deliveries</a>. After a crash of the service a message may
      come twice: <code>message.id</code> is the same.
    </p>`;
