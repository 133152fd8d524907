/** The documentation that people read: one page for each subject, made of the endpoint table. */
import { exampleOfSchema } from './answers.ts';
import { describeGroup, titleOf } from './describe.ts';
import { describeEvents, type EventDescription } from './events.ts';
import { firstBots, type Program } from './first-bot.ts';
import { html, type Html, nothing } from './html.ts';
import { integrationsText } from './integrations.ts';
import { documentOf, type Page, type PageLink, type PageSection, section } from './layout.ts';
import { anchorOf, operationArticle } from './operation.ts';
import { outgoingText } from './outgoing.ts';
import { code, errorLink, fieldList } from './parts.ts';
import type { PageRequest } from './request.ts';
import { requestsPage } from './requests.ts';
import { pathOfSubject, type Subject, subjects } from './subjects.ts';
import { fieldsOf } from './types.ts';

const START = { path: '/api/', title: 'Hearth API' };
const REQUESTS = { path: '/api/requests', title: 'Requests' };

const links: readonly PageLink[] = [
  START,
  REQUESTS,
  ...subjects.map((subject) => ({ path: pathOfSubject(subject), title: subject.title })),
];

const variables = (origin: string): string =>
  [
    `export HEARTH_SITE='${origin}'`,
    `export HEARTH_EMAIL='ben@example.com'`,
    `export HEARTH_KEY='the API key of that account'`,
  ].join('\n');

const program = ({ language, file, command, needs, source }: Program): Html =>
  html`<h3 id="bot-${language.toLowerCase()}">${language}</h3>
    <p>Needs ${needs}. Save it as <code>${file}</code> and start it by <code>${command}</code>.</p>
    ${code(`A bot in ${language}`, source)}`;

const firstBotText = html`<p>
    In the settings, under Bots, make a generic bot. Put its address and its key into the variables
    above, and start one of these programs. It answers what is written to the bot in private, and
    what mentions it in a stream that it is subscribed to.
  </p>
  <p>
    Where the service has a certificate of its own, a program has to be told of it:
    <code>SSL_CERT_FILE</code> for Python, <code>NODE_EXTRA_CA_CERTS</code> for Node,
    <code>CURL_CA_BUNDLE</code> for curl name its file.
  </p>
  ${firstBots.map(program)}
  <p>
    A bot that has an address of its own needs no queue:
    <a href="/api/bots#outgoing-webhooks">outgoing webhooks</a>.
  </p>`;

function startPage({ origin }: PageRequest): Page {
  const start = html`<p>
      Everything that a Hearth client does it does through this interface. All paths begin with
      <code>${origin}/api/v1</code>. Programs written for the Zulip 2.1 API work here as they are.
    </p>
    <p>The examples are commands for a shell. They take the account from these variables:</p>
    ${code('Variables of the examples', variables(origin))}
    ${code('A message to everybody in a stream', `curl -sS -X POST "$HEARTH_SITE/api/v1/messages" \\\n  -u "$HEARTH_EMAIL:$HEARTH_KEY" \\\n  -d type=stream -d to=general -d topic=greetings -d content=Hello`)}`;
  const list = html`<ul class="cards">
    <li>
      <a href="${REQUESTS.path}">${REQUESTS.title}</a> Authentication, arguments, errors, limits.
    </li>
    ${subjects.map((subject) => html`<li><a href="${pathOfSubject(subject)}">${subject.title}</a> ${subject.about}</li>`)}
  </ul>`;
  const bots = firstBots.map(({ language }) => ({
    id: `bot-${language.toLowerCase()}`,
    title: html`${language}`,
  }));
  return {
    ...START,
    sections: [
      section('start', 'How to ask', start),
      section('first-bot', 'A first bot', firstBotText, bots),
      section('subjects', 'All subjects', list),
    ],
  };
}

const filesText = ({ origin }: PageRequest): Html =>
  html`<p>
      An uploaded file is served under the address that its upload answered, outside of
      <code>/api/v1</code>, to whoever uploaded it and to everybody who may see a message that links
      to it. Pictures of people and emoji (<code>/user_avatars/</code>) need no authentication;
      <code>/avatar/</code> followed by an address or an id leads to a person's picture.
    </p>
    ${code('How to fetch a file', `curl -sS -u "$HEARTH_EMAIL:$HEARTH_KEY" -O '${origin}/user_uploads/1/…/picture.png'`)}`;

const queuesText = html`<p>
    A client registers a queue and then fetches its events over and over, each time naming the last
    event that it has. A fetch waits until there is something to tell, or for about a minute. Event
    ids increase, but not by one. A queue that is not fetched for ten minutes is gone; then the
    fetch fails with ${errorLink('BAD_EVENT_QUEUE_ID')} and the client registers a new one.
  </p>
  <p>
    <code>GET /api/v1/events/stream</code> with <code>queue_id</code> and
    <code>last_event_id</code> spares a request for each event: its answer stays open, and events
    come as lines of JSON, the same ones under the same ids. When it ends, ask again with the last
    id that you have. Say at least every few thousand events how far you are, with
    <a href="#endpoint-eventsAcknowledge"><code>POST /events/acknowledge</code></a
    >: after 10,000 that are not acknowledged nothing more comes.
  </p>`;

/** Some types of events have several forms. */
interface EventForm {
  readonly id: string;
  readonly label: string;
  readonly event: EventDescription;
}

const eventArticle = ({ id, label, event: { title, schema } }: EventForm): Html =>
  html`<article id="${id}">
    <h3><code>${title}</code></h3>
    ${code(label, exampleOfSchema(schema))}
    <details>
      <summary>Fields</summary>
      ${fieldList(fieldsOf(schema))}
    </details>
  </article> `;

function eventsSection(): PageSection {
  const events = describeEvents().map((event, index, all): EventForm => {
    const before = all.slice(0, index).filter(({ title }) => title === event.title).length;
    const id = `event-${event.title.replaceAll(' ', '-')}`;
    const label = `An event of ${event.title}`;
    if (before === 0) return { id, label, event };
    const form = String(before + 1);
    return { id: `${id}-${form}`, label: `${label}, form ${form}`, event };
  });
  const parts = events.map(({ id, event }) => ({ id, title: html`${event.title}` }));
  const articles = html`${events.map(eventArticle)}`;
  return section('event-types', 'All events', articles, parts);
}

/** What a page tells beside its endpoints, before and after them. */
function textsOf(
  { id }: Subject,
  request: PageRequest,
): { readonly before: readonly PageSection[]; readonly after: readonly PageSection[] } {
  if (id === 'files') {
    return { before: [section('files', 'How files are served', filesText(request))], after: [] };
  }
  if (id === 'events') {
    return { before: [section('queues', 'Queues', queuesText)], after: [eventsSection()] };
  }
  if (id !== 'bots') return { before: [], after: [] };
  return {
    before: [section('outgoing-webhooks', 'Outgoing webhooks', outgoingText())],
    after: [section('integrations', 'Services that deliver here', integrationsText(request))],
  };
}

/** A long path is broken before a slash. */
const breakable = (path: string): Html =>
  html`${path.split(/(?=\/)/).map((part, index) => html`${index === 0 ? nothing : html`<wbr />`}${part}`)}`;

function groupSection(group: string, origin: string): PageSection {
  const operations = describeGroup(group);
  const parts = operations.map((operation) => ({
    id: anchorOf(operation),
    title: html`<span class="verb ${operation.endpoint.method}">${operation.endpoint.method}</span>
      ${breakable(operation.path)}`,
  }));
  const articles = html`${operations.map((operation) => operationArticle(operation, origin))}`;
  return section(`group-${group}`, titleOf(group), articles, parts);
}

function subjectPage(subject: Subject, request: PageRequest): Page {
  const groups = subject.groups.map((group) => groupSection(group, request.origin));
  const { before, after } = textsOf(subject, request);
  return {
    path: pathOfSubject(subject),
    title: subject.title,
    sections: [...before, ...groups, ...after],
  };
}

/** Where there is a page, and what makes it. */
export const pages: ReadonlyMap<string, (request: PageRequest) => string> = new Map(
  [
    [START.path, startPage] as const,
    [REQUESTS.path, requestsPage] as const,
    ...subjects.map(
      (subject) =>
        [
          pathOfSubject(subject),
          (request: PageRequest): Page => subjectPage(subject, request),
        ] as const,
    ),
  ].map(([path, make]) => [path, (request) => documentOf(make(request), links, request)]),
);
