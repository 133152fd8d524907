import type { FactTable } from './facts.ts';

const review = [
  'Danny Torrence left the following',
  'Overlook Hotel',
  'Doors had too many axe holes',
  'Average Rating',
  '1.0',
];

export const anythingFacts: FactTable = {
  'helloworld/hello.json': {
    topic: 'Hello World',
    of: ['featured_title'],
    links: ['featured_url'],
  },
  'slack_incoming/actions.json': {
    topic: 'C1H9RESGL',
    says: [...review, 'Reply to review'],
    links: ['https://google.com', 'blocks.1.accessory.image_url'],
  },
  'slack_incoming/blocks.json': {
    topic: '(no topic)',
    says: review,
    links: ['https://example.com', 'blocks.1.accessory.image_url'],
  },
  'slack_incoming/attachment.json': {
    topic: 'prometheus-alerts',
    says: [
      '[FIRING:2] InstanceDown for api-server (env="prod", severity="critical")',
      'Alert details',
      'api-server at 1.2.3.4:8081',
      'severity: critical',
    ],
    links: ['attachments.0.title_link', 'http://generator.local/1', 'https://runbook.local/1'],
  },
  'slack_incoming/attachment_pieces.json': {
    topic: '(no topic)',
    says: ['Test', '2022-06-23'],
    links: ['attachments.0.image_url'],
  },
  'slack_incoming/attachment_pieces_ts_null.json': {
    says: ['Sample pretext.', 'Sample title.', 'Sample text.', 'Sample footer.'],
    links: ['attachments.0.title_link'],
  },
  'slack_incoming/attachment_pieces_text_null.json': {
    says: ['Sample pretext.', 'Sample title.', 'Sample footer.'],
    links: ['attachments.0.title_link'],
  },
  'slack_incoming/null_text.json': { refused: 'BAD_REQUEST', names: "'text'" },
  'json/json_sentry_event_for_exception_js.json': {
    topic: 'JSON',
    says: ['"action": "triggered"', '"event_id"'],
  },
  'zapier/weather_update.json': {
    topic: 'Here is your weather update for the day:',
    says: ['Foggy in the morning.', 'Minimum temperature to be 12'],
  },
  'zapier/zapier_zulip_app_auth.json': { isSilent: true },
  'ifttt/correct_topic_and_body.json': {
    topic: 'Email sent from email@email.com',
    of: ['content'],
  },
  'ifttt/invalid_payload_with_dict_content.json': { refused: 'BAD_REQUEST', names: "'content'" },
  'homeassistant/simplereq.json': { topic: 'homeassistant', of: ['message'] },
  'slack/message_info_missing_channel_name.txt': { refused: 'BAD_REQUEST', names: 'channel_name' },
  'slack/message_info_missing_text.txt': { refused: 'BAD_REQUEST', names: "'text'" },
  'transifex/inline-transifex_reviewed_message.json': {
    topic: 'project-title in en',
    says: ['file', 'fully reviewed'],
  },
  'wordpress/publish_page.txt': {
    topic: 'page',
    of: ['post_title'],
    links: ['post_url'],
  },
  'wordpress/user_register.txt': { topic: 'user', of: ['display_name', 'user_email'] },
  'wordpress/unknown_action_no_hook_provided.txt': { refused: 'BAD_REQUEST', names: "'hook'" },
};
