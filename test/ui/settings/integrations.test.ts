import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import type { RequestArguments } from '#shared/bridge/requestable.ts';
import type { WholeDelivery } from '#shared/api/models/delivery.ts';
import type { HookBot } from '#shared/api/models/integration.ts';
import { curlOf, hookAddress, isThisComputer } from '#renderer/lib/links/hook-address.ts';
import { BridgeDouble, ownUserId } from '#test/support/window/bridge-double.ts';
import { delivery, furnishHooks, hookBot } from '#test/support/window/hooks.ts';
import { choice, confirm, openSettings, press } from './open-settings.ts';

const tab = 'Integrations';

test('a service is found by its name, and set up by what was chosen', async () => {
  const bridge = new BridgeDouble();
  const office = furnishHooks(bridge);
  bridge.answerRequest('bots.create', () => success({ user_id: 31, api_key: 'k3y' }));
  bridge.answerRequest('bots.update', () => success({}));
  bridge.answerRequest(
    'integrations.setUp',
    ({
      botId = 0,
      integration = '',
      stream = '',
      onlyEvents = [],
    }: RequestArguments<'integrations.setUp'>) => {
      const setup = { integration, stream, topic: '', only_events: [...onlyEvents] };
      office.bots = [hookBot({ bot_id: botId, setup })];
      return success({});
    },
  );
  await openSettings(bridge, tab);
  await page.getByRole('textbox', { name: 'Find a service' }).fill('push');
  await expect.element(page.getByRole('button', { name: /Sentry/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: /GitHub/ }).click();
  await choice('Stream').selectOptions('#engineering');
  await page.getByRole('checkbox', { name: 'issues' }).click();
  await page.getByRole('textbox', { name: 'Secret' }).fill('quiet water');
  await press('Set up');
  const address = page.getByRole('textbox', { name: 'Address for the service' });
  await expect
    .element(address)
    .toHaveValue(
      expect.stringContaining('/external/github?api_key=k3y&stream=2&only_events=') as string,
    );
  expect(bridge.requestsOf('bots.create')).toMatchObject([{ fullName: 'GitHub', botType: 2 }]);
  expect(bridge.requestsOf('integrations.setUp')).toEqual([
    { botId: 31, integration: 'github', stream: '2', topic: '', onlyEvents: ['push'] },
  ]);
  expect(bridge.requestsOf('bots.update')).toEqual([{ botId: 31, webhookSecret: 'quiet water' }]);
  await expect.element(page.getByText('Waiting for the first message …')).toBeVisible();
  await expect.element(page.getByText('Open the repository.')).toBeVisible();

  // It is told by itself, without a click.
  office.deliveries = [delivery({ outcome: 'refused', status: 400, reason: 'It lacks a key' })];
  await expect.element(page.getByText('A delivery came: refused.')).toBeVisible();
  office.deliveries = [delivery({ id: 2 }), ...office.deliveries];
  await expect.element(page.getByText('The first message is here.')).toBeVisible();
});

test('setting up an integration asks for an event, and for a topic where it is to be always the same', async () => {
  const bridge = new BridgeDouble();
  furnishHooks(bridge);
  await openSettings(bridge, tab);
  await page.getByRole('button', { name: /GitHub/ }).click();
  await choice('Stream').selectOptions('#engineering');
  await page.getByRole('radio', { name: 'Always the same' }).click();
  await page.getByRole('checkbox', { name: 'issues' }).click();
  await page.getByRole('checkbox', { name: 'push' }).click();
  await press('Set up');
  await expect.element(page.getByText('Check at least one event.')).toBeVisible();
  await expect.element(page.getByText('Name of the topic is missing.')).toBeVisible();
  expect(bridge.requestsOf('bots.create')).toEqual([]);
});

test('what is set up is paused, gets another key, and is removed, with a word on who falls silent', async () => {
  const bridge = new BridgeDouble();
  const office = furnishHooks(bridge);
  office.bots = [hookBot({ full_name: 'Commits' })];
  const change = (over: Partial<HookBot>) => () => {
    office.bots = office.bots.map((bot) => ({ ...bot, ...over }));
    return success({ api_key: 'fr3sh' });
  };
  bridge.answerRequest('integrations.pause', change({ is_paused: true }));
  bridge.answerRequest('bots.regenerateKey', change({ api_key: 'fr3sh' }));
  bridge.answerRequest('bots.deactivate', () => {
    office.bots = [];
    return success({});
  });
  await openSettings(bridge, tab);
  const row = page.getByRole('list', { name: 'Set up' }).getByRole('listitem');
  await press('Manage Commits');
  await press('Pause');
  await expect.element(row.getByText('Paused')).toBeVisible();
  await press('Renew key…');
  await expect.element(page.getByText(/GitHub falls silent until/)).toBeVisible();
  await confirm('Renew key');
  await expect
    .element(page.getByRole('textbox', { name: 'Address for the service' }))
    .toHaveValue(expect.stringContaining('api_key=fr3sh') as string);
  await press('All integrations');
  await press('Manage Commits');
  await press('Remove…');
  await confirm('Remove');
  await expect.element(row).not.toBeInTheDocument();
});

test('a delivery says why it was refused, and is sent again to another stream', async () => {
  const bridge = new BridgeDouble();
  const office = furnishHooks(bridge);
  office.bots = [hookBot({ full_name: 'Commits' })];
  const refused = delivery({
    outcome: 'refused',
    status: 400,
    reason: "Stream 'nowhere' does not exist",
    event: 'push',
    can_send_again: true,
  });
  office.deliveries = [delivery({ id: 7, outcome: 'limited', status: 429, count: 12 }), refused];
  bridge.answerRequest('deliveries.again', () => {
    const sent = delivery({ id: 9, again_of: refused.id, event: 'push' });
    office.deliveries = [sent, ...office.deliveries];
    return success({ delivery: sent });
  });
  await openSettings(bridge, tab);
  await press('Deliveries of Commits');
  await expect.element(page.getByText('12 deliveries refused')).toBeVisible();
  await page.getByRole('button', { name: /push/ }).click();
  await expect.element(page.getByText(/nowhere.* does not exist \(400\)/)).toBeVisible();
  await expect.element(page.getByText('x-github-event: push')).toBeVisible();
  await choice('Send again to').selectOptions('#engineering');
  await press('Send again');
  await expect.element(page.getByText('Sent again: posted.')).toBeVisible();
  expect(bridge.requestsOf('deliveries.again')).toEqual([
    { botId: 30, deliveryId: refused.id, stream: '2' },
  ]);
  await expect.element(page.getByText('Sent again', { exact: true })).toBeVisible();
});

test('the owner of an outgoing webhook bot sees what it was told, and every attempt', async () => {
  const bridge = new BridgeDouble();
  const office = furnishHooks(bridge);
  office.deliveries = [
    delivery({
      direction: 'outgoing',
      outcome: 'failed',
      event: 'mention',
      attempts: [{ time: 1_767_700_000, status: 503, answer: 'Later' }],
    }),
  ];
  bridge.current = {
    ...bridge.current,
    bots: [
      {
        ...{ userId: 12, fullName: 'Oracle', email: 'oracle-bot@example.com', type: 3 },
        ...{ isActive: true, ownerId: ownUserId },
      },
    ],
  };
  await openSettings(bridge, 'Bots');
  await press('Manage Oracle');
  await page.getByRole('button', { name: /mention.*Failed/ }).click();
  await expect.element(page.getByText(/answered with 503/)).toBeVisible();
  await expect.element(page.getByText('Later', { exact: true })).toBeVisible();
});

test('members of an organization where only administrators make bots are told so', async () => {
  const bridge = new BridgeDouble();
  furnishHooks(bridge);
  const { people } = bridge.current;
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({ bot_creation_policy: 3 }),
    people: people.map((each) => ({ ...each, isAdmin: false })),
  };
  await openSettings(bridge, tab);
  await expect.element(page.getByText(/only administrators set up integrations/)).toBeVisible();
});

test.each([
  ['http://localhost:9981', true],
  ['http://127.0.0.1:9981', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:9981', true],
  ['https://192.168.1.20:9981', false],
  ['https://chat.example.com', false],
  ['https://127.example.com', false],
])('%s is of this computer alone: %s', (server, expected) => {
  expect(isThisComputer(server)).toBe(expected);
});

test('an address and a command say what they mean, whatever stands in them', () => {
  const setup = { integration: 'github', stream: '2', topic: 'a & b', only_events: ['p*'] };
  const url = new URL(hookAddress('https://chat.example.com', setup, 'k3y'));
  expect([...url.searchParams]).toEqual([
    ['api_key', 'k3y'],
    ['stream', '2'],
    ['topic', 'a & b'],
    ['only_events', '["p*"]'],
  ]);
  const whole: WholeDelivery = delivery({
    integration: 'github',
    query: 'stream=2',
    headers: [['x-note', "it's"]],
    body: `{"a":"it's $(rm)"}`,
  });
  expect(curlOf('https://chat.example.com', whole, 'k3y')).toBe(
    [
      'curl',
      String.raw`-H 'x-note: it'\''s'`,
      String.raw`--data-binary '{"a":"it'\''s $(rm)"}'`,
      `'https://chat.example.com/api/v1/external/github?stream=2&api_key=k3y'`,
    ].join(' \\\n  '),
  );
});
