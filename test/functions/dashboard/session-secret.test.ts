import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../infra/commands/keys.ts';
import { newSession } from '../../../shared/dashboard/session/new-session.ts';
import { formTokenOf, sealSession, unsealSession } from '../../../shared/dashboard/session/session-cookie.ts';
import { StaleVersion } from '../../../shared/domain/idempotency.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { keys } from '../../../shared/store/keys.ts';
import {
  apiKeys,
  auditLog,
  dashboardSecrets,
  now,
  randomText,
  signIns,
  table,
} from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { typed } from '../../support/wire/command.ts';

let api: Api;
let key: string;
/** What version 0.2.0 signs with, and derives ids from. */
const stackSecret = 's'.repeat(43);
const place = { merchantId: 'demo', stage: 'sandbox' } as const;
const dayBegins = '2026-03-01T08:00:00.000Z';

beforeAll(async () => {
  api = await startApi();
  key = await api.addKey({ access: 'admin' });
});
beforeEach(async () => {
  const { client, name: TableName } = table();
  for (const Key of [keys.sessionSecret(), keys.dashboardSecret()])
    await client.send(new DeleteCommand({ TableName, Key }));
  clock.stopAt(dayBegins);
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const isIn = async ({ cookies }: Pick<Browsing, 'cookies'>): Promise<boolean> =>
  (await api.call('GET /dashboard/keys', { cookies, key: null })).status === 200;

/** A session as a function of version 0.2.0 begins it: signed by the stack's secret. */
async function browseBefore(): Promise<Browsing> {
  const session = newSession(hashApiKey(key), { id: randomText(22), at: now() });
  await signIns().save(session, []);
  const { id, holder, expiresAt } = session;
  const cookies = [`tillstack=${sealSession({ id, holder, expiresAt, ...place }, stackSecret)}`];
  return { cookies, token: formTokenOf({ id }, stackSecret) };
}

/** Whether a function of version 0.2.0 opens the session of a browser. */
const opensBefore = ({ cookies }: Browsing): boolean =>
  unsealSession(cookies[0]?.slice('tillstack='.length) ?? '', stackSecret, { ...place, now: now() }) !== undefined;

const rotate = () => typed(runKeys, ['rotate-sessions', '--table', api.tableName]);

describe('the secret that signs dashboard sessions', () => {
  it('is created at the first sign-in, and differs from the secret of the stack', async () => {
    await apiKeys().saveSessionSecret(stackSecret);
    expect(await dashboardSecrets().find()).toBeUndefined();
    await browse(api, key);
    const made = await dashboardSecrets().find();
    expect(made?.secret).toMatch(/^[A-Za-z0-9]{43}$/);
    await browse(api, key);
    expect((await dashboardSecrets().find())?.secret).toBe(made?.secret);
    clock.forward({ hours: 1 });
    const later = await browse(api, key);
    expect([await isIn(later), opensBefore(later)]).toEqual([true, false]);
  });

  it('is used from the first sign-in in a new stack', async () => {
    const own = await browse(api, key);
    await apiKeys().saveSessionSecret(stackSecret);
    expect([await isIn(own), opensBefore(own)]).toEqual([true, false]);
    expect(await isIn(await browseBefore())).toBe(false);
  });

  it('is created only once when ten browsers sign in at the same time, and all ten get a session', async () => {
    await apiKeys().saveSessionSecret(stackSecret);
    clock.forward({ hours: 2 });
    const all = await Promise.all(Array.from({ length: 10 }, () => browse(api, key)));
    clock.forward({ hours: 2 });
    const later = await browse(api, key);
    expect(await Promise.all([...all, later].map(isIn))).toEqual(Array(11).fill(true));
  });
});

describe('while functions of version 0.2.0 still run', () => {
  beforeEach(() => apiKeys().saveSessionSecret(stackSecret));

  it('a session that 0.2.0 has opened keeps working, with its forms, until its normal end', async () => {
    const old = await browseBefore();
    expect(await isIn(old)).toBe(true);
    await browse(api, key);
    clock.forward({ minutes: 59 });
    const last = await browseBefore();
    clock.stopAt('2026-03-01T15:59:59.999Z');
    expect([await isIn(old), await isIn(last)]).toEqual([true, true]);
    const out = await postForm(api, '/dashboard/sign-out', { token: old.token }, old.cookies);
    expect([out.status, await isIn(old)]).toEqual([303, false]);
    clock.stopAt('2026-03-01T16:58:59.999Z');
    expect(await isIn(last)).toBe(true);
    clock.stopAt('2026-03-01T16:59:00.000Z');
    expect(await isIn(last)).toBe(false);
  });

  it('a new session opens pages of 0.2.0 for an hour, and sessions that 0.2.0 signs later are refused', async () => {
    const first = await browse(api, key);
    clock.forward({ minutes: 59 });
    const second = await browse(api, key);
    expect([first, second].map(opensBefore)).toEqual([true, true]);
    expect([await isIn(first), await isIn(second)]).toEqual([true, true]);
    clock.stopAt('2026-03-01T17:00:00.000Z');
    expect(await isIn(await browseBefore())).toBe(false);
  });
});

describe('npm run keys -- rotate-sessions', () => {
  it('ends every session of this version and of 0.2.0, and leaves API keys and checkout sessions alone', async () => {
    await apiKeys().saveSessionSecret(stackSecret);
    const [old, own] = [await browseBefore(), await browse(api, key)];
    clock.run();
    expect(await rotate()).toMatchObject({ code: 0, out: expect.stringContaining('has ended'), error: '' });
    expect([await isIn(old), await isIn(own)]).toEqual([false, false]);
    expect((await api.call('GET /api-keys', { key })).status).toBe(200);
    expect(await apiKeys().findSessionSecret()).toBe(stackSecret);
    const again = await browse(api, key);
    expect([await isIn(again), opensBefore(again)]).toEqual([true, false]);
    expect(await isIn(await browseBefore())).toBe(false);
  });

  it('works before the first sign-in, and can be repeated', async () => {
    await rotate();
    clock.run();
    const own = await browse(api, key);
    expect(await isIn(own)).toBe(true);
    await rotate();
    await rotate();
    expect(await isIn(own)).toBe(false);
  });

  it('removes ended sessions from the list of open sessions, and is recorded in the audit log', async () => {
    clock.run();
    await browse(api, key);
    await rotate();
    const own = await browse(api, key);
    const { text } = await api.call('GET /dashboard/keys', { cookies: own.cookies, key: null });
    expect(text).not.toContain('name="session_id"');
    const { items } = await auditLog().list({}, { size: 2, skip: 0, after: undefined });
    const by = { keyId: null, memberId: null, keyName: 'npm run keys', via: 'command_line' };
    expect(items[1]).toMatchObject({ command: 'session.end', subject: 'all', by });
  });

  it('fails with an error when another process has changed the secret in the meantime', async () => {
    await browse(api, key);
    const read = await dashboardSecrets().find();
    await rotate();
    if (!read) throw new Error('There is no secret.');
    await expect(dashboardSecrets().save(read, [])).rejects.toThrow(StaleVersion);
  });
});
