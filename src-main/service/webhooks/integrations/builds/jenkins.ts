import * as forge from '#service/webhooks/common/forge.ts';
import { type Declaration, type Message, note } from '#service/webhooks/common/integration.ts';
import { link, md } from '#service/webhooks/common/markdown.ts';
import type { Payload } from '#service/webhooks/common/payload.ts';

/** `origin/main` */
const branchOf = (p: Payload): string | undefined =>
  p.maybeText('build.scm.branch')?.replace(/^(?:refs\/heads|origin)\//, '');

const urlOf = (p: Payload): string | undefined => p.maybeText('build.full_url');

const build =
  (fallback: string) =>
  (p: Payload): Message => {
    const job = p.maybeText('display_name') ?? p.text('name');
    const commit = p.maybeText('build.scm.commit');
    return forge.buildNote({
      topic: p.text('name'),
      name: `Build #${p.scalar('build.number')} of ${job}`,
      url: urlOf(p),
      status: p.maybeText('build.status')?.toLowerCase() ?? fallback,
      branch: branchOf(p),
      values: [
        ['Commit', commit === undefined ? undefined : forge.commitLink(commit, undefined)],
        ['Notes', p.maybeText('build.notes')],
      ],
    });
  };

const queued = (p: Payload): Message =>
  note({
    topic: p.text('name'),
    line: md`Build ${link(`#${p.scalar('build.number')}`, urlOf(p))} of ${p.text('name')} is waiting`,
    values: [['Branch', branchOf(p)]],
  });

/** What its notification plugin sends. */
export const jenkins: Declaration = {
  name: 'jenkins',
  title: 'Jenkins',
  about: 'Builds that started or came out, by the notification plugin.',
  subject: 'builds',
  steps: [
    'Install the Notification plugin on Jenkins: Manage Jenkins → Plugins.',
    'Open the job, then Configure → Job Notifications → Add endpoint.',
    'Choose JSON and HTTP, and paste the address into URL.',
    'Save and build the job once.',
  ],
  event: { key: 'build.phase', read: (p) => p.text('build.phase') },
  events: {
    QUEUED: queued,
    STARTED: build('started'),
    COMPLETED: build('completed'),
    FINALIZED: build('finalized'),
  },
};
