/** The part of the page about the services that deliver here. */
import {
  type IntegrationDescription,
  type IntegrationSubject,
  integrationSubjects,
} from '#service/core/ports/integrations.ts';
import { html, type Html, nothing } from './html.ts';
import { inSeries } from './parts.ts';

interface SectionParts {
  readonly origin: string;
  readonly integrations: readonly IntegrationDescription[];
}

const titles: Readonly<Record<IntegrationSubject, string>> = {
  code: 'Code',
  builds: 'Builds and deploys',
  alarms: 'Alarms',
  tickets: 'Tickets and boards',
  business: 'Business',
  anything: 'Anything else',
};

function eventsPart({ eventSource, events }: IntegrationDescription): Html {
  if (eventSource === null) return nothing;
  return html`<br />Events, named by ${eventSource}:
    ${inSeries(events.map((name) => html`<code>${name}</code>`))}.`;
}

const item = (integration: IntegrationDescription): Html =>
  html`<li>
    ${integration.title}, <code>/external/${integration.name}</code>: ${integration.about}
    ${integration.isSigned ? 'Deliveries can be verified by a secret.' : ''}${eventsPart(integration)}
  </li>`;

export function integrationsText({ origin, integrations }: SectionParts): Html {
  const groups = integrationSubjects.flatMap((subject) => {
    const own = integrations.filter((each) => each.subject === subject);
    if (own.length === 0) return [];
    return [
      html`<h3>${titles[subject]}</h3>
        <ul class="fields">
          ${own.map(item)}
        </ul>`,
    ];
  });
  return html`<p>
      Other services deliver to
      <code>${origin}/api/v1/external/NAME?api_key=KEY&amp;stream=STREAM</code>, with the key of an
      incoming webhook bot. Without <code>stream</code> the bot writes to its owner in private;
      <code>topic</code> stands for the integration’s own. <code>only_events</code> and
      <code>exclude_events</code> are lists of events, in which <code>*</code> stands for anything;
      <code>branches</code> names branches, with commas between, whose pushes are posted.
    </p>
    ${groups}`;
}
