/** One endpoint on its page: who may call it, with what, and what it answers. */
import { codesOf } from '#shared/api/error-descriptions.ts';
import { answerTo } from './answers.ts';
import { type Operation, type Parameter, whoMayCall } from './describe.ts';
import { exampleOf } from './examples.ts';
import { html, type Html, nothing } from './html.ts';
import { cell, code, errorLink, fieldList, inSeries, table } from './parts.ts';
import { choicesOf, fieldsOf, typeText } from './types.ts';

export const anchorOf = ({ id }: Operation): string => `endpoint-${id}`;

function notesOf({ note, aliases, place }: Parameter): Html {
  const phrases = [
    ...(note === '' ? [] : [html`${note}`]),
    ...(place === 'path' ? [html`part of the path`] : []),
    ...aliases.map((alias) => html`also accepted as <code>${alias}</code>`),
  ];
  return html`${phrases.map((phrase, index) => html`${index === 0 ? '' : '; '}${phrase}`)}`;
}

function typeOf({ schema }: Parameter): Html {
  const choices = choicesOf(schema);
  if (choices.length === 0) return html`${typeText(schema)}`;
  return html`one of ${inSeries(choices.map((each) => html`<code>${each}</code>`))}`;
}

const parameterRow = (parameter: Parameter): Html => {
  const { name, isRequired, fallback } = parameter;
  const standIn = fallback === undefined ? nothing : html`<code>${JSON.stringify(fallback)}</code>`;
  return html`<tr>
    <td><code>${name}</code></td>
    ${cell('Type', typeOf(parameter))}
    ${cell('Required', html`${isRequired ? 'yes' : 'no'}`)}${cell('Default', standIn)}${cell('Notes', notesOf(parameter))}
  </tr>`;
};

function bodyPart({ takesFiles, takesPiece }: Operation['endpoint']): Html {
  if (takesPiece === true) return html`<p>The body is the piece as it is.</p>`;
  if (takesFiles === undefined) return nothing;
  return html`<p>
    The file is a part of a <code>multipart/form-data</code> body; the part may have any name.
  </p>`;
}

function parametersPart({ endpoint, parameters }: Operation): Html {
  const file = bodyPart(endpoint);
  if (parameters.length === 0) return file;
  const label = `Parameters of ${endpoint.method} ${endpoint.path}`;
  const heads = ['Name', 'Type', 'Required', 'Default', 'Notes'];
  return html`<h4>Parameters</h4>
    ${file}${table(label, heads, parameters.map(parameterRow))}`;
}

function answerPart(operation: Operation): Html {
  const { endpoint, path, result } = operation;
  const fields = fieldsOf(result);
  const list =
    fields.length === 0
      ? nothing
      : html`<details>
          <summary>Fields of the answer</summary>
          ${fieldList(fields)}
        </details>`;
  return html`<h4>Answer</h4>
    ${code(`Answer of ${endpoint.method} ${path}`, answerTo(operation))}${list}`;
}

export function operationArticle(operation: Operation, origin: string): Html {
  const { endpoint, path } = operation;
  const id = anchorOf(operation);
  return html`<article id="${id}" aria-labelledby="${id}-name">
    <h3 id="${id}-name">
      <span class="verb ${endpoint.method}">${endpoint.method}</span> <code>/api/v1${path}</code>
    </h3>
    <p>${endpoint.summary}</p>
    <p class="faint">${whoMayCall(endpoint)}.</p>
    ${parametersPart(operation)}
    <h4>Example</h4>
    ${code(`Example of ${endpoint.method} ${path}`, exampleOf(operation, origin))}
    ${answerPart(operation)}
    <h4>Errors</h4>
    <p>${inSeries(codesOf(endpoint).map(errorLink))}</p>
  </article> `;
}
