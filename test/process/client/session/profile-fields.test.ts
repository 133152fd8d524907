import { expect, test } from 'vitest';
import type { RequestArguments, RequestName } from '#shared/bridge/requestable.ts';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import { startServiceForTest } from '#test/support/service/service.ts';

test('fields and answers are there from the start, and follow what others change', async () => {
  const service = await startServiceForTest({ dev: true });
  const join = async (email: string) => {
    const real = createRealClient();
    const request = { address: service.origin, email, password: '' };
    const { id, userId } = valueOf(await real.client.connect(request));
    await real.until(() => real.heard.connectionChanged.at(-1)?.connection.state === 'live');
    const ask = async <N extends RequestName>(name: N, args: RequestArguments<N>) =>
      valueOf(await real.client.request(id, name, args));
    const state = async () => valueOf(await real.client.state(id));
    const changed = <K extends 'people' | 'profileFields'>(name: K) =>
      real.heard.stateChanged.findLast(({ changes }) => changes[name] !== undefined)?.changes[name];
    return { ...real, userId, ask, state, changed };
  };
  const ada = await join('ada@example.com');
  const fieldData = { 0: { text: 'Tea', order: '2' }, 1: { text: 'Coffee', order: '1' } };
  const drink = await ada.ask('profileFields.add', { name: 'Drink', fieldType: 3, fieldData });
  const page = await ada.ask('profileFields.add', { name: 'Page', fieldType: 5 });
  await ada.until(() => ada.changed('profileFields')?.length === 2);

  const ben = await join('ben@example.com');
  expect((await ben.state()).profileFields).toEqual([
    {
      ...{ id: drink.id, name: 'Drink', type: 3, hint: '' },
      choices: [
        { value: '1', text: 'Coffee' },
        { value: '0', text: 'Tea' },
      ],
    },
    { id: page.id, name: 'Page', type: 5, hint: '', choices: [] },
  ]);
  const answers = () => ada.changed('people')?.find(({ userId }) => userId === ben.userId)?.profile;
  await ben.ask('profileFields.answer', {
    data: [
      { id: drink.id, value: '0' },
      { id: page.id, value: 'https://ben.example/' },
    ],
  });
  await ada.until(() => Object.keys(answers() ?? {}).length === 2);
  expect(answers()).toEqual({ [drink.id]: '0', [page.id]: 'https://ben.example/' });
  await ben.ask('profileFields.answer', { data: [{ id: page.id, value: '' }] });
  await ada.until(() => Object.keys(answers() ?? {}).length === 1);

  await ada.ask('profileFields.order', { order: [page.id, drink.id] });
  await ben.until(() => ben.changed('profileFields')?.[0]?.id === page.id);
  await ada.ask('profileFields.remove', { fieldId: drink.id });
  await ben.until(() => ben.changed('profileFields')?.length === 1);
  const cleo = await join('cleo@example.com');
  const known = (await cleo.state()).people.find(({ userId }) => userId === ben.userId);
  expect(known?.profile).toEqual({});
});
