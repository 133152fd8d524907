import * as forge from '#service/webhooks/common/forge.ts';
import type { Declaration, Message } from '#service/webhooks/common/integration.ts';
import { capital, link, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

const statuses: Readonly<Record<string, string>> = {
  deploy_building: 'building',
  deploy_created: 'success',
  deploy_failed: 'failed',
  deploy_locked: 'locked',
  deploy_unlocked: 'unlocked',
};

const deploy =
  (status: string) =>
  (p: Payload): Message => {
    const site = p.text('name');
    const branch = p.maybeText('branch');
    return forge.buildNote({
      topic: branch === undefined ? site : `${site} / ${branch}`,
      name: `Deploy of ${site}`,
      url: p.maybeText('deploy_ssl_url') ?? p.maybeText('deploy_url') ?? p.maybeText('url'),
      status,
      branch,
      values: [
        ['For', p.maybeText('context')],
        ['Title', p.maybeText('title')],
        ['Commit', link(p.maybeText('commit_ref')?.slice(0, 7) ?? '', p.maybeText('commit_url'))],
        ['Error', p.maybeText('error_message')],
        ['Site', link(capital(words(site)), p.maybeText('admin_url'))],
      ],
    });
  };

export const netlify: Declaration = {
  name: 'netlify',
  title: 'Netlify',
  about: 'Deploys that begin, succeed or fail.',
  subject: 'builds',
  steps: [
    'Open the site on Netlify, then Site configuration → Notifications → HTTP POST request.',
    'Choose the event and paste the address into URL to notify.',
    'Save, and add one for each event.',
  ],
  event: { headers: ['X-Netlify-Event'] },
  events: Object.fromEntries(
    Object.entries(statuses).map(([event, status]) => [event, deploy(status)]),
  ),
  silent: ['deploy_request_*', 'submission_created', 'split_test_*'],
};
