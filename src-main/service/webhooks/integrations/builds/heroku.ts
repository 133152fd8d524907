import { type Declaration, note } from '#service/webhooks/common/integration.ts';
import { bold, fence, link, md } from '#service/webhooks/common/markdown.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

export const heroku: Declaration = {
  name: 'heroku',
  title: 'Heroku',
  about: 'Applications that are deployed, with what changed.',
  subject: 'builds',
  steps: [
    'Open the application on Heroku, then More → View webhooks → Create webhook, or add a deploy hook.',
    'Paste the address into the payload URL and choose what is told of.',
    'If you set a secret here, enter the same one there.',
    'Deploy once.',
  ],
  body: 'form',
  events: {
    message: (p) =>
      note({
        topic: p.text('app'),
        line: md`${bold(p.text('user'))} deployed ${p.text('head')} of ${link(p.text('app'), p.maybeText('url'))}`,
        values: [['Release', p.maybeText('release')]],
        below: [fence(p.maybeText('git_log'))],
      }),
  },
  signature: signedBody({ header: 'heroku-webhook-hmac-sha256', encoding: 'base64' }),
};
