import { type Own, own } from './own.ts';

const text = (value: string) => ({ type: 'mrkdwn', text: value });

export const anythingPayloads: readonly Own[] = [
  own(
    'helloworld',
    { featured_title: 'Otters', featured_url: 'https://x.test/o' },
    'Hello World',
    'Featured today: Otters.',
  ),
  own(
    'slack_incoming',
    {
      text: '*Bold* _it_ ~gone~ `code` <https://x.test|here> <@U1|ann> &amp; more',
      channel: '#ops',
    },
    'ops',
    'Bold it gone code here @ann & more',
  ),
  own(
    'slack_incoming',
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Head' } },
        {
          type: 'section',
          text: text('Body'),
          fields: [text('*A*\n1')],
          accessory: { type: 'image', alt_text: 'Pic', image_url: 'https://x.test/i.png' },
        },
        {
          type: 'context',
          elements: [
            text('small'),
            { type: 'image', alt_text: 'Icon', image_url: 'https://x.test/j.png' },
          ],
        },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://x.test/b' },
          ],
        },
        { type: 'divider' },
        { type: 'image', alt_text: 'Big', image_url: 'https://x.test/k.png' },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'rich ' },
                { type: 'link', url: 'https://x.test/r', text: 'link' },
              ],
            },
            {
              type: 'rich_text_list',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [{ type: 'text', text: 'one', style: { bold: true } }],
                },
              ],
            },
          ],
        },
      ],
    },
    '(no topic)',
    'Head',
    'Body',
    'A 1',
    'Pic',
    'small · Icon',
    'Open',
    'Big',
    'rich link',
    'one',
  ),
  own(
    'slack_incoming',
    {
      text: 'Before',
      attachments: [
        {
          pretext: 'Pre',
          author_name: 'Ann',
          title: 'Title',
          title_link: 'https://x.test/t',
          text: 'Inside',
          fields: [{ title: 'F', value: 'V' }],
          footer: 'Foot',
          ts: 1600000000,
          actions: [{ text: 'Go', url: 'https://x.test/g' }],
          image_url: 'https://x.test/i.png',
        },
        { fallback: 'Only this' },
      ],
    },
    '(no topic)',
    'Before',
    'Pre',
    'Ann',
    'Title',
    'Inside',
    'F: V',
    'Foot',
    '2020-09-13',
    'Go',
    'Only this',
  ),
  own('json', { a: { b: [1, 'two'] } }, 'JSON', '"a": {', '"two"'),
  {
    ...own(
      'template',
      { who: { name: 'Ann' }, list: [1] },
      'About Ann',
      'Ann has [1], nothing more',
    ),
    query: {
      template: '**{{who.name}}** has {{list}}, {{none|nothing}} more',
      topic_template: 'About {{ who.name }}',
    },
  },
  own('zapier', { topic: 'Rain', content: 'Today\nTomorrow' }, 'Rain', 'Today', 'Tomorrow'),
  own('zapier', { type: 'auth' }, null),
  own('ifttt', { topic: 'Rain', content: 'Today' }, 'Rain', 'Today'),
  own('ifttt', { subject: 'Rain', body: 'Today' }, 'Rain', 'Today'),
  own('ifttt', { value1: 'Rain', value2: 'Today', value3: 'Here' }, 'Rain', 'Today', 'Here'),
  own(
    'homeassistant',
    { message: 'The door is open', title: 'Door', topic: 'home' },
    'home',
    'Door',
    'The door is open',
  ),
  own('slack', { user_name: 'ann', channel_name: 'ops', text: '*hi*' }, 'channel: ops', 'ann: hi'),
  own('slack', { user_name: 'slackbot', channel_name: 'ops', text: 'hi' }, null),
];
