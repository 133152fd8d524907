import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  echoBot,
  type How,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { make, use } = api.passwordLinks;
const { me, create, fetchApiKey } = api.users;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Someone {
  readonly id: number;
  readonly email: string;
}

const first = 'correct horse';
const second = 'battery staple';
let count = 0;

async function person(): Promise<Someone> {
  const email = `forgetful-${String(++count)}@example.com`;
  const account = { email, password: first, full_name: `Forgetful ${String(count)}` };
  return { id: (await service.ask(ada, create, account)).user_id, email };
}

const by = (who: string, key: string): How => ({
  headers: { authorization: `Basic ${Buffer.from(`${who}:${key}`).toString('base64')}` },
});

const tokenOf = (link: string): string => link.split('#password/')[1] ?? '';
const link = async ({ id }: Someone, maker = ada): Promise<string> =>
  (await service.ask(maker, make, { user_id: id })).link;
const token = async (someone: Someone, maker = ada): Promise<string> =>
  tokenOf(await link(someone, maker));

const keyWith = ({ email }: Someone, password: string) =>
  service.answer(null, fetchApiKey, { username: email, password });
const dead = { code: 'LINK_NOT_VALID', msg: 'This link is no longer valid' };

describe('a link to a new password', () => {
  test('a link to a new password sets it once, ends every key, and is stored and logged nowhere [password-links.new-sets-once]', async () => {
    const written = vi.spyOn(process.stderr, 'write');
    const someone = await person();
    const device = { username: someone.email, password: first, name: 'Laptop' };
    const { api_key: laptop } = await service.ask(null, api.devices.signIn, device);
    const { body } = await keyWith(someone, first);
    const answer = await service.ask(ada, make, { user_id: someone.id });
    expect(answer.link).toMatch(
      new RegExp(`^${service.origin}/#password/${String(someone.id)}-[A-Za-z0-9]{32}$`),
    );
    expect(answer.valid_until - Date.now() / 1000).toBeCloseTo(86_400, -2);
    const given = tokenOf(answer.link);
    expect(JSON.stringify(service.dump())).not.toContain(given.slice(3));
    const chosen = { token: ` ${given}\n`, new_password: second };
    expect(await service.ask(null, use, chosen)).toEqual({ email: someone.email });
    expect((await keyWith(someone, second)).status).toBe(200);
    expect((await keyWith(someone, first)).status).toBe(403);
    for (const key of [laptop, String(body['api_key'])]) {
      const refused = await service.answer(null, me, {}, by(someone.email, key));
      expect(refused.body['code']).toBe('INVALID_API_KEY');
    }
    expect(await service.refuse(null, use, chosen)).toMatchObject(dead);
    expect(JSON.stringify(written.mock.calls)).not.toContain(given.slice(3));
    written.mockRestore();
  });

  test('a password link ends by a newer one, by another password, by deactivation and after a day [password-links.ends-newer-another]', async () => {
    const ends: Readonly<Record<string, (someone: Someone) => Promise<unknown>>> = {
      newer: link,
      changed: async ({ email }) => {
        const { body } = await keyWith({ id: 0, email }, first);
        const change = { old_password: first, new_password: 'something else' };
        return service.ask(null, api.settings.update, change, by(email, String(body['api_key'])));
      },
      deactivated: async ({ id }) => {
        await service.ask(ada, api.userAdmin.deactivate, { user_id: id });
        await service.ask(ada, api.userAdmin.reactivate, { user_id: id });
      },
      old: async ({ id }) => {
        const later = 'UPDATE password_link SET made_at = made_at - 86400 WHERE account_id = ?';
        service.change(later, id);
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const someone = await person();
      const given = await token(someone);
      await end(someone);
      const refused = await service.refuse(null, use, { token: given, new_password: second });
      expect(refused, name).toMatchObject(dead);
    }
  });

  test('a password link ends with the rights of whoever made it [password-links.ends-rights-made]', async () => {
    const [someone, admin] = [await person(), await person()];
    await service.ask(ada, api.userAdmin.update, { user_id: admin.id, role: 200 });
    const how = by(admin.email, String((await keyWith(admin, first)).body['api_key']));
    const ask = { user_id: someone.id, password: first };
    const given = tokenOf((await service.ask(null, make, ask, how)).link);
    await service.ask(ada, api.userAdmin.update, { user_id: admin.id, role: 400 });
    const chosen = { token: given, new_password: second };
    expect(await service.refuse(null, use, chosen)).toMatchObject(dead);
  });

  test('a password link is made by administrators, for other people who are active [password-links.made-administrators-people]', async () => {
    const someone = await person();
    const gone = await person();
    await service.ask(ada, api.userAdmin.deactivate, { user_id: gone.id });
    const refused = { code: 'BAD_REQUEST' };
    expect(await service.refuse(ben, make, { user_id: someone.id })).toMatchObject(refused);
    for (const id of [idOf[ada], idOf[echoBot], gone.id, 9999]) {
      expect(await service.refuse(ada, make, { user_id: id }), String(id)).toMatchObject(refused);
    }
  });

  test('a password link takes the password of whoever makes it, which cannot be guessed with the key alone [password-links.cannot-guessed-key]', async () => {
    const [someone, admin] = [await person(), await person()];
    await service.ask(ada, api.userAdmin.update, { user_id: admin.id, role: 200 });
    const how = by(admin.email, String((await keyWith(admin, first)).body['api_key']));
    const ask = (more: object) => ({ user_id: someone.id, ...more });
    const without = await service.refuse(null, make, ask({}), how);
    expect(without).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' });
    expect((await service.ask(null, make, ask({ password: first }), how)).link).toContain('#');
    const { password_link: before } = service.dump();
    for (let guess = 1; guess <= 10; guess++) {
      const wrong = ask({ password: `wrong ${String(guess)}` });
      expect(await service.refuse(null, make, wrong, how)).toMatchObject({
        code: 'WRONG_PASSWORD',
      });
    }
    const right = ask({ password: first });
    expect(await service.refuse(null, make, right, how)).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(service.dump()['password_link']).toEqual(before);
    const failed = { types: ['sign_in_failed'], user_id: admin.id };
    const { entries } = await service.ask(ada, api.auditLog.list, failed);
    expect(entries[0]).toMatchObject({
      ...{ actor_id: admin.id, user_id: admin.id, count: 10 },
      details: { reason: 'old_password' },
    });
  });

  test('a password link stays good after a password that is too short, and while the organization is deactivated [password-links.stays-good-too]', async () => {
    const someone = await person();
    const given = await token(someone);
    const short = { token: given, new_password: 'short' };
    expect(await service.refuse(null, use, short)).toMatchObject({ code: 'BAD_REQUEST' });
    const chosen = { token: given, new_password: second };
    service.change('UPDATE realm SET is_deactivated = 1');
    expect(await service.answer(null, use, chosen)).toMatchObject({
      body: { code: 'REALM_DEACTIVATED' },
    });
    service.change('UPDATE realm SET is_deactivated = 0');
    expect(await service.ask(null, use, chosen)).toEqual({ email: someone.email });
  });

  test('a password link cannot be guessed: after ten wrong ones of an account it waits; signing in does not [password-links.cannot-guessed-ten]', async () => {
    const [someone, other] = [await person(), await person()];
    const given = await token(someone);
    for (let guess = 1; guess <= 10; guess++) {
      const wrong = { token: `${given.slice(0, -2)}${String(10 + guess)}`, new_password: second };
      expect(await service.refuse(null, use, wrong)).toMatchObject(dead);
    }
    const right = { token: given, new_password: second };
    expect(await service.refuse(null, use, right)).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect((await keyWith(someone, first)).status).toBe(200);
    const others = { token: await token(other), new_password: second };
    expect(await service.ask(null, use, others)).toEqual({ email: other.email });
  });
});
