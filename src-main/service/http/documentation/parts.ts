/** What the pages are made of. */
import { html, type Html } from './html.ts';
import type { Field } from './types.ts';

/** Parts with commas between them. */
export const inSeries = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index === 0 ? '' : ', '}${part}`)}`;

export function table(label: string, heads: readonly string[], rows: readonly Html[]): Html {
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

/** In a narrow window the cells of a row stand below each other, each with the head of its column. */
export const cell = (head: string, content: Html): Html =>
  content.text === '' ? html`<td></td>` : html`<td data-head="${head}">${content}</td>`;

/** Text that is copied as it is. */
export const code = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;

function fieldItem({ name, type, isAlwaysThere, fields }: Field): Html {
  const optional = isAlwaysThere ? '' : ', may be absent';
  const inside =
    fields.length === 0
      ? html``
      : html`<details>
          <summary>its fields</summary>
          ${fieldList(fields)}
        </details>`;
  return html`<li><code>${name}</code>: ${type}${optional}${inside}</li>`;
}

export const fieldList = (fields: readonly Field[]): Html =>
  html`<ul class="fields">
    ${fields.map(fieldItem)}
  </ul>`;

export const errorLink = (name: string): Html =>
  html`<a href="/api/requests#error-${name}"
    ><code>${name === 'NONE' ? 'no code' : name}</code></a
  >`;
