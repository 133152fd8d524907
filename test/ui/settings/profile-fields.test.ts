import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure } from '#shared/bridge/outcome.ts';
import { BridgeDouble, ownUserId, person } from '#test/support/window/bridge-double.ts';
import { choice, confirm, openSettings, press } from './open-settings.ts';
import { openWindow, withColumn } from '../open-window.ts';

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const choices = [
  { value: '0', text: 'Emacs' },
  { value: '1', text: 'Vim' },
];
const plainField = { hint: '', choices: [] };

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  const profile = {
    1: 'she/her',
    2: 'First line\nsecond line',
    3: '1',
    4: '2020-02-29',
    5: 'https://ben.example/',
    6: '[10]',
  };
  bridge.current = {
    ...bridge.current,
    people: [
      person(ownUserId, 'Ada Admin', { isAdmin: true, profile: { 1: 'they/them' } }),
      person(9, 'Ben Member', { profile }),
      person(10, 'Cleo Zürcher'),
    ],
    profileFields: [
      { id: 1, type: 1, name: 'Pronouns', ...plainField, hint: 'How to speak of you' },
      { id: 2, type: 2, name: 'About', ...plainField },
      { id: 3, type: 3, name: 'Editor', hint: '', choices },
      { id: 4, type: 4, name: 'Birthday', ...plainField },
      { id: 5, type: 5, name: 'Page', ...plainField },
      { id: 6, type: 6, name: 'Mentor', ...plainField },
    ],
  };
});

test('a card says what somebody answered, opens links outside and the cards of people who are named', async () => {
  bridge.place = withColumn;
  await openWindow(bridge);
  const column = page.getByRole('complementary', { name: 'People and details' });
  await column.getByRole('button', { name: /^Ben Member/ }).click();
  const card = page.getByRole('dialog', { name: 'About Ben Member' });
  await expect.element(card).toMatchTextContent(/Pronouns.*she\/her/);
  await expect.element(card).toMatchTextContent(/First line\s*second line/);
  await expect.element(card).toMatchTextContent(/Editor.*Vim/);
  await expect.element(card).toMatchTextContent(/Birthday.*2020/);
  await card.getByRole('link', { name: 'https://ben.example/' }).click();
  expect(bridge.argsOf('openLink')).toEqual([['https://ben.example/']]);
  await card.getByRole('button', { name: 'Cleo Zürcher' }).click();
  await expect.element(page.getByRole('dialog', { name: 'About Cleo Zürcher' })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('one answers on the page of the profile, in the way of each field', async () => {
  await openSettings(bridge, 'Profile');
  await expect.element(field('Pronouns')).toHaveValue('they/them');
  await field('Pronouns').fill('she/they');
  await userEvent.keyboard('{Enter}');
  await choice('Editor').selectOptions('Emacs');
  await page.getByLabelText('Birthday').fill('1999-12-31');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('textbox', { name: 'Mentor: people' }).fill('cleo');
  await userEvent.keyboard('{Enter}');
  await press('Save people');
  await expect
    .poll(() => bridge.requestsOf('profileFields.answer'))
    .toEqual([
      { data: [{ id: 1, value: 'she/they' }] },
      { data: [{ id: 3, value: '0' }] },
      { data: [{ id: 4, value: '1999-12-31' }] },
      { data: [{ id: 6, value: [10] }] },
    ]);
  bridge.answerRequest('profileFields.answer', () =>
    failure('BAD_REQUEST', "'Page' takes a web address"),
  );
  await field('Page').fill('nowhere');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toMatchTextContent(/takes a web address/);
  await expect.element(field('Page')).toHaveValue('nowhere');
});

test('an organization that asks nothing has no such section', async () => {
  bridge.current = { ...bridge.current, profileFields: [] };
  await openSettings(bridge, 'Profile');
  await expect.element(field('Name')).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'About you' })).not.toBeInTheDocument();
});

test('administrators add, change, order and remove fields', async () => {
  await openSettings(bridge, 'Organization');
  const form = page.getByRole('form', { name: 'New profile field' });
  await form.getByRole('button', { name: 'Add field' }).click();
  await expect.element(form).toMatchTextContent(/Name is missing\./);
  await form.getByRole('textbox', { name: 'Name' }).fill('Tea');
  await choice('Kind').selectOptions('Choice');
  await form.getByRole('textbox', { name: 'Choices' }).fill('Green\nBlack');
  await form.getByRole('button', { name: 'Add field' }).click();
  const tea = { 0: { text: 'Green', order: '1' }, 1: { text: 'Black', order: '2' } };
  await expect
    .poll(() => bridge.requestsOf('profileFields.add'))
    .toEqual([{ name: 'Tea', hint: '', fieldType: 3, fieldData: tea }]);
  await expect.element(form.getByRole('textbox', { name: 'Name' })).toHaveValue('');

  const up = (name: string) => page.getByRole('button', { name: `Move ${name} up` });
  await up('Editor').click();
  const order = [1, 3, 2, 4, 5, 6];
  await expect.poll(() => bridge.requestsOf('profileFields.order')).toEqual([{ order }]);
  const fields = bridge.current.profileFields;
  bridge.changeState({
    profileFields: order.flatMap((id) => fields.find((each) => each.id === id) ?? []),
  });
  // Going on by keyboard: the row has moved, and its button still has the focus.
  await expect.element(up('Editor')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.requestsOf('profileFields.order')).toHaveLength(2);
  await expect.element(up('Pronouns')).toHaveAttribute('aria-disabled', 'true');

  await press('Edit the field Editor');
  const row = page.getByRole('form', { name: 'Choices' });
  await row.getByRole('textbox', { name: 'Choices' }).fill('Emacs\nNeovim\nNano');
  await row.getByRole('button', { name: 'Save choices' }).click();
  const editors = {
    0: { text: 'Emacs', order: '1' },
    2: { text: 'Neovim', order: '2' },
    3: { text: 'Nano', order: '3' },
  };
  await expect
    .poll(() => bridge.requestsOf('profileFields.update'))
    .toEqual([{ fieldId: 3, fieldData: editors }]);
  await press('Remove…');
  await confirm('Remove');
  await expect.poll(() => bridge.requestsOf('profileFields.remove')).toEqual([{ fieldId: 3 }]);
});
