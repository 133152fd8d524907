/** All integrations, in the order in which they are listed. */
import type { IntegrationDescription } from '#service/core/ports/integrations.ts';
import { type Declaration, describe } from '../common/integration.ts';
import { alertmanager } from './alarms/alertmanager.ts';
import { grafana } from './alarms/grafana.ts';
import { newrelic, pingdom, uptimerobot } from './alarms/monitors.ts';
import { opsgenie } from './alarms/opsgenie.ts';
import { pagerduty } from './alarms/pagerduty.ts';
import { rollbar } from './alarms/rollbar.ts';
import { sentry } from './alarms/sentry.ts';
import { statuspage } from './alarms/statuspage.ts';
import { helloworld } from './generic/helloworld.ts';
import {
  dropbox,
  homeassistant,
  ifttt,
  json,
  slack,
  transifex,
  wordpress,
  zapier,
} from './generic/simple.ts';
import { slackIncoming } from './generic/slack-incoming.ts';
import { template } from './generic/template.ts';
import { appveyor } from './builds/appveyor.ts';
import { circleci } from './builds/circleci.ts';
import { heroku } from './builds/heroku.ts';
import { jenkins } from './builds/jenkins.ts';
import { netlify } from './builds/netlify.ts';
import { teamcity } from './builds/teamcity.ts';
import { travis } from './builds/travis.ts';
import { calendly } from './business/calendly.ts';
import { intercom } from './business/intercom.ts';
import { stripe } from './business/stripe.ts';
import { azuredevops } from './code/azuredevops.ts';
import { bitbucket2 } from './code/bitbucket2.ts';
import { bitbucket3 } from './code/bitbucket3.ts';
import { forgejo, gitea, gogs } from './code/gitea.ts';
import { github } from './code/github.ts';
import { gitlab } from './code/gitlab.ts';
import { freshdesk } from './tickets/freshdesk.ts';
import { jira } from './tickets/jira.ts';
import { linear } from './tickets/linear.ts';
import { trello } from './tickets/trello.ts';
import { wekan } from './tickets/wekan.ts';
import { zendesk } from './tickets/zendesk.ts';

const declarations: readonly Declaration[] = [
  github,
  gitlab,
  gitea,
  forgejo,
  gogs,
  bitbucket2,
  bitbucket3,
  azuredevops,
  circleci,
  jenkins,
  travis,
  teamcity,
  appveyor,
  netlify,
  heroku,
  sentry,
  grafana,
  alertmanager,
  uptimerobot,
  pingdom,
  newrelic,
  pagerduty,
  opsgenie,
  rollbar,
  statuspage,
  jira,
  linear,
  trello,
  wekan,
  freshdesk,
  zendesk,
  stripe,
  intercom,
  calendly,
  transifex,
  wordpress,
  dropbox,
  slackIncoming,
  json,
  template,
  zapier,
  ifttt,
  homeassistant,
  slack,
  helloworld,
];

export const integrations: ReadonlyMap<string, Declaration> = new Map(
  declarations.map((declaration) => [declaration.name, declaration]),
);

export const integrationList: readonly IntegrationDescription[] = declarations.map(describe);
