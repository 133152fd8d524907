import * as forge from '#service/webhooks/common/forge.ts';
import {
  confirmation,
  type Declaration,
  type Message,
} from '#service/webhooks/common/integration.ts';
import { type Labelled, link, md, type Value, words } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';
import { signedBody } from '#service/webhooks/common/signatures.ts';

/** GitLab's projects tell of a commit in parameters of the trigger. */
const gitlab = 'pipeline.trigger_parameters.gitlab';

function commit(p: Payload): Labelled {
  const sha = p.maybeText('pipeline.vcs.revision') ?? p.maybeText(`${gitlab}.checkout_sha`);
  const title = p.maybeText('pipeline.vcs.commit.subject') ?? p.maybeText(`${gitlab}.commit_title`);
  if (sha === undefined) return ['Commit', title];
  const home = p.maybeText('pipeline.vcs.target_repository_url');
  const url = home === undefined ? undefined : `${home}/commit/${sha}`;
  return ['Commit', md`${forge.commitLink(sha, url)} ${title ?? ''}`];
}

function workflowOf(p: Payload): Value | undefined {
  const name = p.maybeText('workflow.name');
  const status = p.maybeText('workflow.status');
  return name === undefined || status === undefined ? name : md`${name} (${words(status)})`;
}

const finished =
  (kind: 'Workflow' | 'Job') =>
  (p: Payload): Message => {
    const path = kind.toLowerCase();
    const url = p.maybeText('workflow.url');
    return forge.buildNote({
      topic: p.text('project.name'),
      name: `${kind} ${p.text(`${path}.name`)}`,
      url,
      status: words(p.text(`${path}.status`)),
      branch: p.maybeText('pipeline.vcs.branch') ?? p.maybeText(`${gitlab}.branch`),
      values: [
        ['Pipeline', link(`#${p.scalar('pipeline.number')}`, url)],
        ['Workflow', kind === 'Job' ? workflowOf(p) : undefined],
        ['Tag', p.maybeText('pipeline.vcs.tag')],
        commit(p),
        [
          'By',
          p.maybeText('pipeline.vcs.commit.author.name') ?? p.maybeText(`${gitlab}.user_name`),
        ],
      ],
    });
  };

export const circleci: Declaration = {
  name: 'circleci',
  title: 'CircleCI',
  about: 'Workflows and jobs that are finished.',
  subject: 'builds',
  steps: [
    'Open the project on CircleCI, then Project settings → Webhooks → Add webhook.',
    'Paste the address into Receiver URL and choose the events.',
    'If you set a secret here, enter the same one into Secret token.',
    'Save and press Test ping event.',
  ],
  event: { headers: ['Circleci-Event-Type'] },
  events: {
    'workflow-completed': finished('Workflow'),
    'job-completed': finished('Job'),
    ping: () => confirmation('CircleCI', 'CircleCI'),
  },
  signature: signedBody({ header: 'circleci-signature', prefix: 'v1=' }),
};
