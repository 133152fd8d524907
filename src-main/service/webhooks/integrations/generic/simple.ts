/** Services that send a text, or whatever their user makes of it. */
import type { Declaration } from '#service/webhooks/common/integration.ts';
import {
  bold,
  enumerate,
  fence,
  lines,
  link,
  Markdown,
  md,
  paragraphs,
} from '#service/webhooks/common/markdown.ts';
import { slackSignature } from '#service/webhooks/common/signatures.ts';
import { slackText } from '#service/webhooks/common/slack-text.ts';

const MAX_JSON = 9000;

export const json: Declaration = {
  name: 'json',
  title: 'JSON',
  about: 'Any JSON, as it was sent: to see what a service sends.',
  subject: 'anything',
  steps: [
    'Paste the address wherever the other program asks for a URL to post JSON to.',
    'Let it send something: it is posted as it came.',
  ],
  events: {
    message: (p) => ({
      topic: 'JSON',
      content: fence(JSON.stringify(p.raw() ?? null, null, 2), 'json', MAX_JSON),
    }),
  },
};

export const zapier: Declaration = {
  name: 'zapier',
  title: 'Zapier',
  about: 'A topic and a text that a Zap writes.',
  subject: 'anything',
  steps: [
    'Make a Zap on Zapier with the trigger that you want.',
    'Add the action Webhooks by Zapier → POST and paste the address into URL.',
    'Choose form as payload type, and give topic and content as data.',
    'Test the step.',
  ],
  body: 'form',
  events: {
    message(p) {
      // Only to see whether the key is right.
      if (p.maybeText('type') === 'auth') return null;
      const topic = p.maybeText('topic') ?? p.maybeText('subject');
      return { topic: topic ?? p.text('topic'), content: paragraphs(p.text('content'), MAX_JSON) };
    },
  },
};

export const ifttt: Declaration = {
  name: 'ifttt',
  title: 'IFTTT',
  about: 'A topic and a text that an applet writes.',
  subject: 'anything',
  steps: [
    'Make an applet on IFTTT with the trigger that you want.',
    'Choose Webhooks → Make a web request and paste the address into URL.',
    'Choose POST and application/json, and give {"topic": …, "content": …} as body.',
    'Save and set off the trigger.',
  ],
  events: {
    message(p) {
      // Older applets call it a subject, and those that pass on an event have three values.
      const topic = p.maybeText('topic') ?? p.maybeText('subject') ?? p.maybeText('value1');
      const values = ['value2', 'value3'].flatMap((name) => p.maybeText(name) ?? []);
      const content = p.maybeText('content') ?? p.maybeText('body');
      const isOfValues = content === undefined && values.length > 0;
      return {
        topic: topic ?? p.text('topic'),
        content: paragraphs(
          isOfValues ? values.join('\n') : (content ?? p.text('content')),
          MAX_JSON,
        ),
      };
    },
  },
};

export const homeassistant: Declaration = {
  name: 'homeassistant',
  title: 'Home Assistant',
  about: 'The notifications of a home.',
  subject: 'anything',
  steps: [
    'Open configuration.yaml of Home Assistant.',
    'Add a notify service of the platform rest with the address as resource, method POST_JSON and title_param_name title.',
    'Restart, and call the service from an automation.',
  ],
  events: {
    message(p) {
      const title = p.maybeText('title');
      return {
        topic: p.maybeText('topic') ?? 'homeassistant',
        content: lines(
          title === undefined ? undefined : bold(title),
          paragraphs(p.text('message')),
        ),
      };
    },
  },
};

export const slack: Declaration = {
  name: 'slack',
  title: 'Slack',
  about: 'What is written in channels of Slack, by an outgoing webhook there.',
  subject: 'anything',
  steps: [
    'Open Slack, then Apps → Outgoing webhooks → Add to Slack.',
    'Choose the channel and paste the address into URL(s).',
    'If you want deliveries verified, give the signing secret of the app to this integration here.',
    'Save and write in the channel.',
  ],
  body: 'form',
  events: {
    message(p) {
      const user = p.text('user_name');
      const channel = p.text('channel_name');
      const text = slackText(p.text('text'));
      // What this service posted there must not come back.
      if (user === 'slackbot') return null;
      return { topic: `channel: ${channel}`, content: md`${bold(user)}: ${text}` };
    },
  },
  signature: slackSignature,
};

export const transifex: Declaration = {
  name: 'transifex',
  title: 'Transifex',
  about: 'Resources that are translated or reviewed.',
  subject: 'business',
  steps: [
    'Open the project on Transifex, then Settings → Webhooks → Add webhook.',
    'Paste the address and choose the events.',
    'Save.',
  ],
  body: 'form',
  events: {
    message(p, { query }) {
      const read = (name: string): string => query(name) ?? p.scalar(name);
      const reviewed = query('reviewed') ?? p.maybeScalar('reviewed');
      const done =
        reviewed === undefined
          ? md`${read('translated')} % translated`
          : new Markdown('fully reviewed');
      return {
        topic: `${read('project')} in ${read('language')}`,
        content: md`Resource ${bold(read('resource'))} is ${done}.`,
      };
    },
  },
};

const kinds = {
  publish_post: 'post',
  publish_page: 'page',
  user_register: 'user',
  wp_login: 'login',
} as const;

/** Fields that an event brings under one of two names. */
export const wordpress: Declaration = {
  name: 'wordpress',
  title: 'WordPress',
  about: 'Posts and pages that are published, people who register or log in.',
  subject: 'business',
  steps: [
    'Install a webhook plugin, such as WP Webhooks or HookPress, on WordPress.',
    'Add a webhook for each action, publish_post or user_register for example, with the address as URL.',
    'Choose the fields, save, and publish a post.',
  ],
  body: 'form',
  event: { key: 'hook', read: (p) => p.text('hook') },
  events: {
    'publish_*': (p, { event }) => {
      const kind = event.toLowerCase() === 'publish_page' ? kinds.publish_page : kinds.publish_post;
      return {
        topic: kind,
        content: md`New ${kind} published: ${link(p.text('post_title'), p.text('post_url'))}`,
      };
    },
    user_register: (p) => ({
      topic: kinds.user_register,
      content: md`New user registered: ${bold(p.text('display_name'))} (${p.text('user_email')})`,
    }),
    wp_login: (p) => ({
      topic: kinds.wp_login,
      content: md`User ${bold(p.text('user_login'))} logged in`,
    }),
  },
};

export const dropbox: Declaration = {
  name: 'dropbox',
  title: 'Dropbox',
  about: 'That files of an account changed.',
  subject: 'business',
  steps: [
    'Open your app in the App console of Dropbox, then Settings → Webhooks.',
    'Paste the address and press Add: Dropbox asks here first, then begins to send.',
  ],
  events: {
    message(p) {
      const accounts = p.list('list_folder.accounts').map((account) => account.text(''));
      return {
        topic: 'Dropbox',
        content: md`Files changed in ${enumerate(accounts)}.`,
      };
    },
  },
  answersProbes: true,
};
