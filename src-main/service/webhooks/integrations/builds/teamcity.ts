import * as forge from '#service/webhooks/common/forge.ts';
import type { Declaration } from '#service/webhooks/common/integration.ts';
import { wordFor } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

/** How it came out, against the time before. */
function outcome(build: Payload): string {
  const result = build.text('buildResult');
  const delta = build.maybeText('buildResultDelta');
  if (result === 'failure') return delta === 'unchanged' ? 'still failing' : 'broken';
  if (result === 'success') return delta === 'fixed' ? 'fixed' : 'success';
  return wordFor({ running: 'started' }, result) ?? result;
}

export const teamcity: Declaration = {
  name: 'teamcity',
  title: 'TeamCity',
  about: 'Builds that started, came out well or broke.',
  subject: 'builds',
  steps: [
    'Install the tcWebHooks plugin, or use the Webhooks of TeamCity 2023 and newer.',
    'Open the project or build configuration, then WebHooks → Add web hook.',
    'Paste the address into URL, choose a JSON payload and the builds, and save.',
  ],
  events: {
    message(p) {
      const build = p.object('build');
      const branch = build.maybeText('branchDisplayName') ?? build.maybeText('branchName');
      return forge.buildNote({
        topic: build.text('buildFullName'),
        name: `Build ${build.text('buildNumber')} of ${build.text('buildFullName')}`,
        url: build.maybeText('buildStatusUrl'),
        status: outcome(build),
        branch,
        values: [
          ['Result', build.maybeText('buildStatus')],
          ['Triggered by', build.maybeText('triggeredBy')],
          ['Agent', build.maybeText('agentName')],
          ['Comment', build.maybeText('buildComment')],
        ],
      });
    },
  },
};
