import * as forge from '#service/webhooks/common/forge.ts';
import type { Declaration, Message } from '#service/webhooks/common/integration.ts';
import { md, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

function build(p: Payload): Message {
  const data = p.object('eventData');
  const commit = data.maybeText('commitId');
  return forge.buildNote({
    topic: data.text('projectName'),
    name: `Build ${data.text('buildVersion')} of ${data.text('projectName')}`,
    url: data.maybeText('buildUrl'),
    status: words(data.text('status')),
    branch: data.maybeText('branch'),
    values: [
      [
        'Commit',
        commit === undefined
          ? undefined
          : md`${forge.commitLink(commit, data.maybeText('commitUrl'))} ${data.maybeText('commitMessage') ?? ''}`,
      ],
      ['Author', data.maybeText('commitAuthor')],
      ['Started', data.maybeText('started')],
      ['Finished', data.maybeText('finished')],
    ],
  });
}

export const appveyor: Declaration = {
  name: 'appveyor',
  title: 'AppVeyor',
  about: 'Builds that came out well or failed.',
  subject: 'builds',
  steps: [
    'Open the project on AppVeyor, then Settings → Notifications → Add notification.',
    'Choose Webhook and paste the address into Webhook URL.',
    'Choose on which builds, and save.',
  ],
  event: { key: 'eventName', read: (p) => p.text('eventName') },
  events: { 'build_*': build, 'deployment_*': build },
};
