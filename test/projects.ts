/** Which test needs what. A test stands in the first project whose patterns match it. */

/** Needs no build, database, browser, socket or process. `test/layers.cjs` holds these files to it. */
const pure = [
  'test/archive/{age,gzip,recovery-code,write-archive}.test.ts',
  'test/client/{attendance,plain-text}.test.ts',
  'test/client/accounts/successors.test.ts',
  'test/client/checks/verdict.test.ts',
  'test/client/notifications/{badges,notice,notification-rules,notifier}.test.ts',
  'test/client/outbox/drafts.test.ts',
  'test/client/replica/shown-message.test.ts',
  'test/client/replica/state/{apply,persistent-map,scope,unread}.test.ts',
  'test/client/session/{epoch-watch,office-search,state-news}.test.ts',
  'test/client/transport/{address,api,backoff}.test.ts',
  'test/contract/!(endpoints).test.ts',
  'test/contract/names/*.test.ts',
  'test/platform/{host-messages,log,office-identity,paths,place-store,terminal}.test.ts',
  'test/platform/office/move-code.test.ts',
  'test/renderer/pure/!(direction).test.ts',
  'test/renderer/pure/links/*.test.ts',
  'test/renderer/pure/search/*.test.ts',
  'test/renderer/pure/writing/!(paste-tables).test.ts',
  'test/renderer/state/!(accounts|minutes|outside).test.ts',
  'test/renderer/text/**/*.test.ts',
  'test/scripts/checks.test.ts',
  'test/search/!(same-hits).test.ts',
  'test/service/cache/*.test.ts',
  'test/service/credentials/*.test.ts',
  'test/service/domain/rules/**/*.test.ts',
  'test/service/domain/reading/page-walk.property.test.ts',
  'test/service/events/{gathering.property,log-size,pending.property,serialized-list}.test.ts',
  'test/service/http/arrivals.test.ts',
  'test/service/markdown/*.test.ts',
  'test/service/webhooks/{hostile,payloads,redaction,signatures}.test.ts',
];

/** Starts what was built, or another program. */
const started = [
  'test/launch/**/*.test.ts',
  'test/packaging/**/*.test.ts',
  'test/scripts/{changes,suites}.test.ts',
  'test/client/cache/storage-faults.test.ts',
  'test/client/notifications/notifications.test.ts',
  'test/client/replica/{background-fill,late-answers,offline-start,restored-stream}.test.ts',
  'test/client/session/{default-streams,newcomer,own-address,password-links,profile-fields,real-service}.test.ts',
  'test/client/transport/{network-faults,resume,resume.property}.test.ts',
  'test/client/uploads/left-uploads.test.ts',
  'test/service/{attacks,load,soak}.test.ts',
  'test/service/http/{moving,remembered}.test.ts',
];

export const unit = { include: pure };
export const processes = { include: started };
export const service = {
  include: ['test/{service,contract,search,client,platform,archive}/**/*.test.ts'],
  exclude: [...pure, ...started],
};
export const ui = {
  include: ['test/renderer/**/*.test.ts'],
  exclude: pure,
};
export const web = { include: ['test/web/**/*.test.ts'] };
export const network = { include: ['test/network/**/*.test.ts'] };
export const desktop = { include: ['test/desktop/**/*.test.ts'] };
