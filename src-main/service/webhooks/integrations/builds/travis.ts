import * as forge from '#service/webhooks/common/forge.ts';
import type { Declaration } from '#service/webhooks/common/integration.ts';
import { linkIfAny, words } from '#service/webhooks/common/markdown.ts';

const isYes = (text: string | undefined): boolean =>
  text !== undefined && /^(?:true|1|yes)$/i.test(text);

export const travis: Declaration = {
  name: 'travis',
  title: 'Travis CI',
  about: 'Builds that passed, failed or broke off.',
  subject: 'builds',
  steps: [
    'Open the .travis.yml of the repository.',
    'Add the address under notifications → webhooks.',
    'Commit and push: the next build is told.',
  ],
  events: {
    message(p, { query }) {
      const isPull =
        p.maybeScalar('pull_request') === 'true' || p.maybeText('type') === 'pull_request';
      if (isPull && isYes(query('ignore_pull_requests'))) return null;
      const state = p.maybeText('state') ?? p.text('status_message');
      return forge.buildNote({
        topic: 'builds',
        name: `Build #${p.scalar('number')} of ${p.text('repository.name')}`,
        url: p.maybeText('build_url'),
        status: words(state),
        branch: p.maybeText('branch'),
        values: [
          ['Author', p.text('author_name')],
          ['Message', p.maybeText('message')?.split('\n', 1)[0]],
          ['Changes', linkIfAny('compare', p.maybeText('compare_url'))],
          ['Pull request', p.maybeText('pull_request_title')],
        ],
      });
    },
  },
};
