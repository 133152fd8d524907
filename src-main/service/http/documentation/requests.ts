/** What holds for every request: who asks, how arguments are sent, errors and limits. */
import { withThousands } from '#shared/text/thousands.ts';
import { describeError, errorCodes, transportCodes } from '#shared/api/error-descriptions.ts';
import { type ErrorCode, errorStatuses } from '#shared/api/errors.ts';
import { limitNames, limitOption, limitTable } from '#shared/limits.ts';
import { type CauseDescription, describeCauses } from './causes.ts';
import { html, type Html } from './html.ts';
import { cell, code, errorLink, inSeries, table } from './parts.ts';
import { type Page, section } from './layout.ts';
import type { PageRequest } from './request.ts';

const authentication = ({ origin }: PageRequest): Html =>
  html`<p>
      Requests carry HTTP Basic authentication: the e-mail address of the account as the user name,
      its API key as the password. The id of the account does as a user name, too, and stays when
      the address changes. A person gets the key for their password, a bot's key stands in the list
      of its owner's bots.
    </p>
    ${code('How to get a key', `curl -sS -X POST '${origin}/api/v1/fetch_api_key' \\\n  --data-urlencode 'username=ben@example.com' \\\n  --data-urlencode 'password=the password'`)}
    <p>
      Incoming webhooks name the key of their bot as <code>api_key</code> in the address instead.
    </p>`;

const written = html`<p>
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

const errorRow = (name: ErrorCode): Html => {
  const { meaning, keys } = describeError(name);
  const names = inSeries(keys.map((key) => html`<code>${key}</code>`));
  return html`<tr id="error-${name}">
    <td>${name === 'NONE' ? 'no code' : html`<code>${name}</code>`}</td>
    ${cell('Status', html`${errorStatuses[name]}`)}${cell('More keys', names)}
    ${cell('Meaning', html`${meaning}`)}
  </tr>`;
};

const causeRow = ({ name, code: errorCode, values, words }: CauseDescription): Html => {
  const types = values.map(([key, type]) => html`<code>${key}</code> (${type})`);
  return html`<tr>
    <td><code>${name}</code></td>
    ${cell('Code', errorCode === 'NONE' ? html`no code` : html`<code>${errorCode}</code>`)}
    ${cell('Values', inSeries(types))}${cell('Words, for example', html`${words}`)}
  </tr>`;
};

const causes = html`<p>
    Where one code covers several reasons, <code>cause</code> names the reason and carries its
    values, for a program that says it in words of its own. More causes may come: a program that
    does not know one shows <code>msg</code>.
  </p>
  ${code('An error with a cause', '{"result":"error","msg":"Stream name \'ops\' is already taken","code":"BAD_REQUEST","cause":{"name":"stream_name_taken","values":{"name":"ops"}}}')}
  ${table('Causes', ['Cause', 'Code', 'Values', 'Words, for example'], describeCauses().map(causeRow))}`;

const errors = html`<p>
    The body of an error has a <code>code</code> for programs and, for some codes, more keys beside
    it.
  </p>
  ${code('An error', '{"result":"error","msg":"Stream \'ops\' does not exist","code":"STREAM_DOES_NOT_EXIST","stream":"ops"}')}
  <p>
    Whatever is asked for, the answer may also be one of ${inSeries(transportCodes.map(errorLink))}.
  </p>
  ${table('Error codes', ['Code', 'Status', 'More keys', 'Meaning'], errorCodes.map(errorRow))}`;

function limits({ limits: values }: PageRequest): Html {
  const rows = limitNames.map((name) => {
    const value = values[name];
    const number = Number.isFinite(value) ? withThousands(value) : 'any number of';
    return html`<tr>
      <td><code>${limitOption(name)}</code></td>
      ${cell('Value', html`${number} ${limitTable[name].unit}`)}
      ${cell('What it limits', html`${limitTable[name].summary}`)}
    </tr>`;
  });
  return html`<p>
      Who calls too often gets status 429 with <code>Retry-After</code>, and the seconds to wait as
      <code>retry-after</code> in the body. Answers to calls that are counted say how many are left:
      <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>,
      <code>X-RateLimit-Reset</code> (UNIX seconds). No refusal costs an event queue. These are the
      limits of this server:
    </p>
    ${table('Limits of this server', ['Name', 'Value', 'What it limits'], rows)}`;
}

export const requestsPage = (request: PageRequest): Page => ({
  path: '/api/requests',
  title: 'Requests',
  sections: [
    section('authentication', 'Authentication', authentication(request)),
    section('requests', 'Requests and answers', written),
    section('errors', 'Errors', errors),
    section('causes', 'Causes', causes),
    section('limits', 'Limits', limits(request)),
  ],
});
