/** The documentation that a person reads: one page, made of the same table as everything else. */
import {
  codesOf,
  describeError,
  errorCodes,
  transportCodes,
} from '#shared/api/error-descriptions.ts';
import { type ErrorCode, errorStatuses } from '#shared/api/errors.ts';
import type { IntegrationDescription } from '#service/core/ports/integrations.ts';
import { type Limits, limitNames, limitOption, limitTable } from '#shared/limits.ts';
import { describeApi, type Operation, type Parameter, titleOf, whoMayCall } from './describe.ts';
import { describeEvents } from './events.ts';
import { exampleOf } from './examples.ts';
import { html, type Html, nothing } from './html.ts';
import { integrationsSection } from './integrations.ts';
import { style } from './style.ts';
import { type Field, fieldsOf, typeText } from './types.ts';

export interface PageRequest {
  /** Scheme, host and port under which the reader reaches the server. */
  readonly origin: string;
  readonly version: string;
  readonly limits: Limits;
  readonly integrations: readonly IntegrationDescription[];
}

const anchorOf = ({ id }: Operation): string => `endpoint-${id}`;

function table(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  // It scrolls sideways in a narrow window, so the keyboard has to reach it.
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function notesOf({ note, aliases, place }: Parameter): Html {
  const phrases = [
    ...(note === '' ? [] : [html`${note}`]),
    ...(place === 'path' ? [html`part of the path`] : []),
    ...aliases.map((alias) => html`also accepted as <code>${alias}</code>`),
  ];
  return html`${phrases.map((phrase, index) => html`${index === 0 ? '' : '; '}${phrase}`)}`;
}

/** In a narrow window the cells of a row stand below each other, each with the head of its column. */
const cell = (head: string, content: Html): Html =>
  content.text === '' ? html`<td></td>` : html`<td data-head="${head}">${content}</td>`;

const parameterRow = (parameter: Parameter): Html => {
  const { name, schema, isRequired, fallback } = parameter;
  const standIn = fallback === undefined ? nothing : html`<code>${JSON.stringify(fallback)}</code>`;
  return html`<tr>
    <td><code>${name}</code></td>
    ${cell('Type', html`${typeText(schema)}`)}
    ${cell('Required', html`${isRequired ? 'yes' : 'no'}`)}${cell('Default', standIn)}${cell('Notes', notesOf(parameter))}
  </tr>`;
};

function parametersPart({ endpoint, parameters }: Operation): Html {
  const file =
    endpoint.takesFiles !== undefined
      ? html`<p>
          The file is a part of a <code>multipart/form-data</code> body; the part may have any name.
        </p>`
      : nothing;
  if (parameters.length === 0) return file;
  const label = `Parameters of ${endpoint.method} ${endpoint.path}`;
  const heads = ['Name', 'Type', 'Required', 'Default', 'Notes'];
  return html`<h4>Parameters</h4>
    ${file}${table(label, heads, parameters.map(parameterRow))}`;
}

function fieldItem({ name, type, isAlwaysThere, fields }: Field): Html {
  const optional = isAlwaysThere ? '' : ', may be absent';
  const inside =
    fields.length === 0
      ? nothing
      : html`<details>
          <summary>its fields</summary>
          ${fieldList(fields)}
        </details>`;
  return html`<li><code>${name}</code>: ${type}${optional}${inside}</li>`;
}

const fieldList = (fields: readonly Field[]): Html =>
  html`<ul class="fields">
    ${fields.map(fieldItem)}
  </ul>`;

function answerPart({ result }: Operation): Html {
  const fields = fieldsOf(result);
  const rest =
    fields.length === 0
      ? html`<p><code>result</code> and <code>msg</code> only.</p>`
      : fieldList(fields);
  return html`<h4>Answer</h4>
    ${rest}`;
}

function errorsPart({ endpoint }: Operation): Html {
  const links = codesOf(endpoint).map(
    (code, index) =>
      html`${index === 0 ? '' : ', '}<a href="#error-${code}"
          ><code>${code === 'NONE' ? 'no code' : code}</code></a
        >`,
  );
  return html`<h4>Errors</h4>
    <p>${links}</p>`;
}

function endpointArticle(operation: Operation, origin: string): Html {
  const { endpoint, path } = operation;
  const id = anchorOf(operation);
  const label = `Example of ${endpoint.method} ${path}`;
  return html`<article id="${id}" aria-labelledby="${id}-name">
    <h3 id="${id}-name">
      <span class="verb ${endpoint.method}">${endpoint.method}</span> <code>/api/v1${path}</code>
    </h3>
    <p>${endpoint.summary}</p>
    <p class="faint">${whoMayCall(endpoint)}.</p>
    ${parametersPart(operation)}${answerPart(operation)}${errorsPart(operation)}
    <h4>Example</h4>
    <pre
      tabindex="0"
      role="region"
      aria-label="${label}"
    ><code>${exampleOf(operation, origin)}</code></pre>
  </article> `;
}

interface Group {
  readonly title: string;
  readonly id: string;
  readonly operations: readonly Operation[];
}

function groupsOf(operations: readonly Operation[]): readonly Group[] {
  const aggregates = [...new Set(operations.map(({ aggregate }) => aggregate))];
  return aggregates.map((aggregate) => ({
    title: titleOf(aggregate),
    id: `group-${aggregate}`,
    operations: operations.filter((each) => each.aggregate === aggregate),
  }));
}

const sections = [
  ['start', 'Start'],
  ['authentication', 'Authentication'],
  ['requests', 'Requests and answers'],
  ['errors', 'Errors'],
  ['limits', 'Limits'],
  ['files', 'Files'],
  ['integrations', 'Integrations'],
  ['events', 'Events'],
] as const;

function contents(groups: readonly Group[]): Html {
  const groupItem = ({ title, id, operations }: Group): Html =>
    html`<li>
      <details>
        <summary>${title}</summary>
        <ul>
          <li><a href="#${id}">All of ${title}</a></li>
          ${operations.map(
            (each) =>
              html`<li>
                <a href="#${anchorOf(each)}"
                  ><span class="verb ${each.endpoint.method}">${each.endpoint.method}</span>
                  ${each.path}</a
                >
              </li>`,
          )}
        </ul>
      </details>
    </li>`;
  return html`<nav aria-label="Contents">
    <ul>
      ${sections.map(
        ([id, title]) => html`<li><a href="#${id}">${title}</a></li>`,
      )}${groups.map(groupItem)}
    </ul>
  </nav>`;
}

const command = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;

function start({ origin }: PageRequest): Html {
  const environment = `export HEARTH_EMAIL='ben@example.com'\nexport HEARTH_KEY='the API key of that account'`;
  return html`<h2 id="start">Start</h2>
    <p>
      Everything that a Hearth client does it does through this interface. All paths begin with
      <code>${origin}/api/v1</code>. Programs written for the Zulip 2.1 API work here as they are.
    </p>
    <p>The examples below are commands for a shell. They take the account from two variables:</p>
    ${command('Variables of the examples', environment)}`;
}

const header = ({ version }: PageRequest): Html =>
  html`<header>
    <h1>Hearth API</h1>
    <p class="faint">
      Version ${version}. The same for programs:
      <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
  </header>`;

const authentication = ({ origin }: PageRequest): Html =>
  html`<h2 id="authentication">Authentication</h2>
    <p>
      Requests carry HTTP Basic authentication: the e-mail address of the account as the user name,
      its API key as the password. The id of the account does as a user name, too, and stays when
      the address changes. A person gets the key for their password, a bot's key stands in the list
      of its owner's bots.
    </p>
    ${command('How to get a key', `curl -sS -X POST '${origin}/api/v1/fetch_api_key' \\\n  --data-urlencode 'username=ben@example.com' \\\n  --data-urlencode 'password=the password'`)}
    <p>
      Incoming webhooks name the key of their bot as <code>api_key</code> in the address instead.
    </p>`;

const requests = html`<h2 id="requests">Requests and answers</h2>
  <p>
    Parameters of GET go into the query, those of all other methods into the body, as
    <code>application/x-www-form-urlencoded</code>, <code>multipart/form-data</code> or as one
    object in <code>application/json</code>; the query is read as well. Lists and objects in a form
    are written as JSON. Unknown parameters are ignored. A POST with the parameter
    <code>method</code> set to GET, PUT, PATCH or DELETE stands for that method.
  </p>
  <p>
    Every answer is JSON. <code>result</code> is <code>"success"</code> or <code>"error"</code>;
    <code>msg</code> is empty, or says in words what was wrong.
  </p>`;

const errorRow = (code: ErrorCode): Html => {
  const { meaning, keys } = describeError(code);
  const names = keys.map((key, index) => html`${index === 0 ? '' : ', '}<code>${key}</code>`);
  return html`<tr id="error-${code}">
    <td>${code === 'NONE' ? 'no code' : html`<code>${code}</code>`}</td>
    ${cell('Status', html`${errorStatuses[code]}`)}${cell('More keys', html`${names}`)}
    ${cell('Meaning', html`${meaning}`)}
  </tr>`;
};

const errors = html`<h2 id="errors">Errors</h2>
  <p>
    The body of an error has a <code>code</code> for programs and, for some codes, more keys beside
    it.
  </p>
  ${command('An error', '{"result":"error","msg":"Stream \'ops\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream":"ops"}')}
  <p>
    Whatever is asked for, the answer may also be one of
    ${transportCodes.map(
      (code, index) =>
        html`${index === 0 ? '' : ', '}<a href="#error-${code}"><code>${code}</code></a>`,
    )}.
  </p>
  ${table('Error codes', ['Code', 'Status', 'More keys', 'Meaning'], errorCodes.map(errorRow))}`;

function limits({ limits: values }: PageRequest): Html {
  const rows = limitNames.map((name) => {
    const value = values[name];
    const number = Number.isFinite(value) ? value.toLocaleString('en') : 'any number of';
    return html`<tr>
      <td><code>${limitOption(name)}</code></td>
      ${cell('Value', html`${number} ${limitTable[name].unit}`)}
      ${cell('What it limits', html`${limitTable[name].summary}`)}
    </tr>`;
  });
  return html`<h2 id="limits">Limits</h2>
    <p>
      Who calls too often gets status 429 with <code>Retry-After</code>, and the seconds to wait as
      <code>retry-after</code> in the body. Answers to calls that are counted say how many are left:
      <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>,
      <code>X-RateLimit-Reset</code> (UNIX seconds). No refusal costs an event queue. These are the
      limits of this server:
    </p>
    ${table('Limits of this server', ['Name', 'Value', 'What it limits'], rows)}`;
}

const files = ({ origin }: PageRequest): Html =>
  html`<h2 id="files">Files</h2>
    <p>
      An uploaded file is served under the address that its upload answered, outside of
      <code>/api/v1</code>, to whoever uploaded it and to everybody who may see a message that links
      to it. Pictures of people and emoji (<code>/user_avatars/</code>) need no authentication;
      <code>/avatar/</code> followed by an address or an id leads to a person's picture.
    </p>
    ${command('How to fetch a file', `curl -sS -u "$HEARTH_EMAIL:$HEARTH_KEY" -O '${origin}/user_uploads/1/…/picture.png'`)}`;

function events(): Html {
  const articles = describeEvents().map(
    ({ title, schema }) =>
      html`<article>
        <h3><code>${title}</code></h3>
        ${fieldList(fieldsOf(schema))}
      </article> `,
  );
  return html`<h2 id="events">Events</h2>
    <p>
      A client registers a queue and then fetches its events over and over, each time naming the
      last event that it has. A fetch waits until there is something to tell, or for about a minute.
      Event ids increase, but not by one. A queue that is not fetched for ten minutes is gone; then
      the fetch fails with
      <a href="#error-BAD_EVENT_QUEUE_ID"><code>BAD_EVENT_QUEUE_ID</code></a> and the client
      registers a new one.
    </p>
    <p>
      <code>GET /api/v1/events/stream</code> with <code>queue_id</code> and
      <code>last_event_id</code> spares a request for each event: its answer stays open, and events
      come as lines of JSON, the same ones under the same ids. When it ends, ask again with the last
      id that you have. Say at least every few thousand events how far you are, with
      <a href="#endpoint-eventsAcknowledge"><code>POST /events/acknowledge</code></a
      >: after 10,000 that are not acknowledged nothing more comes.
    </p>
    ${articles}`;
}

/** The whole page, and its style by itself: the policy of the page names its hash. */
export function documentationPage(request: PageRequest): string {
  const groups = groupsOf(describeApi());
  const groupSections = groups.map(
    ({ title, id, operations }) =>
      html`<h2 id="${id}">${title}</h2>
        ${operations.map((operation) => endpointArticle(operation, request.origin))}`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hearth API</title>
<style>`;
  return `${page.text}${style}</style>
</head>
<body>
<a class="skip" href="#start">Skip to the text</a>
${header(request).text}
<div class="page">
${contents(groups).text}
<main>
${start(request).text}
${authentication(request).text}
${requests.text}
${errors.text}
${limits(request).text}
${files(request).text}
${integrationsSection(request).text}
${events().text}
${groupSections.map(({ text }) => text).join('')}
</main>
</div>
</body>
</html>
`;
}
