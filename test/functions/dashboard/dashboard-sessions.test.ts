import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { signIns } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const isIn = async ({ cookies }: Browsing): Promise<boolean> =>
  (await api.call('GET /dashboard', { cookies, key: null })).status === 200;
const page = async ({ cookies }: Browsing) => (await api.call('GET /dashboard/keys', { cookies, key: null })).text;
const otherIds = (text: string): string[] =>
  [...text.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id = '']) => id);
const end = ({ cookies, token }: Browsing, session_id: string) =>
  postForm(api, '/dashboard/keys', { action: 'end_session', session_id, token, form_id: session_id }, cookies);

describe('signing out', () => {
  it('ends the session: its cookie no longer works, and other sessions of the same key stay open', async () => {
    const key = await api.addKey({ access: 'read' });
    const [one, other] = [await browse(api, key), await browse(api, key)];
    expect([await isIn(one), await isIn(other)]).toEqual([true, true]);
    expect((await postForm(api, '/dashboard/sign-out', { token: one.token }, one.cookies)).status).toBe(303);
    expect([await isIn(one), await isIn(other)]).toEqual([false, true]);
    expect((await postForm(api, '/dashboard/sign-out', { token: one.token }, one.cookies)).status).toBe(401);
  });
});

describe('the page of API keys', () => {
  it('shows the other sessions of the same key, and can end them', async () => {
    const key = await api.addKey({ access: 'read' });
    const [own, other] = [await browse(api, key), await browse(api, key)];
    const [id = '', ...more] = otherIds(await page(own));
    expect(more).toEqual([]);
    expect((await end(own, id)).headers['location']).toBe('/dashboard/keys?done=ended');
    expect([await isIn(own), await isIn(other)]).toEqual([true, false]);
    expect(otherIds(await page(own))).toEqual([]);
  });

  it('neither shows nor ends sessions of another key', async () => {
    const [mine, theirs] = [await api.addKey({ access: 'admin' }), await api.addKey({ access: 'read' })];
    const [own, other] = [await browse(api, mine), await browse(api, theirs)];
    const [foreign] = await signIns().list(hashApiKey(theirs));
    expect(await page(own)).not.toContain(foreign?.id);
    expect((await end(own, foreign?.id ?? '')).status).toBe(404);
    expect(await isIn(other)).toBe(true);
  });

  it('does not show a session whose time has run out', async () => {
    const key = await api.addKey({ access: 'read' });
    clock.stopAt('2026-03-01T08:00:00.000Z');
    const first = await browse(api, key);
    clock.stopAt('2026-03-01T15:59:59.999Z');
    expect(await isIn(first)).toBe(true);
    clock.stopAt('2026-03-01T16:00:00.000Z');
    expect(await isIn(first)).toBe(false);
    expect(otherIds(await page(await browse(api, key)))).toEqual([]);
  });
});

describe('a session of a key that has an expiry', () => {
  const expiresAt = '2026-03-10T12:00:00.000Z';
  const admin = async () =>
    browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null }, expiresAt, name: 'Borrowed' }));
  const create = async ({ cookies, token }: Browsing, expires_at: string, language = 'en') => {
    const fields = { action: 'create', name: 'More', access: 'admin', refunds: 'no', expires_at };
    const form = { ...fields, token, form_id: randomUUID() };
    return postForm(api, '/dashboard/keys', form, [...cookies, `tillstack-language=${language}`]);
  };
  const made = async () =>
    (await api.call('GET /api-keys')).body.items.filter(({ name }: { name: string }) => name === 'More');
  beforeEach(() => clock.stopAt('2026-03-01T08:00:00.000Z'));

  it('creates keys with the same expiry when the form names none, and says so on the form', async () => {
    const own = await admin();
    expect(await page(own)).toMatch(/Your own key ends at <time datetime="2026-03-10T12:00:00.000Z"/);
    expect((await create(own, '')).status).toBe(200);
    expect(await made()).toMatchObject([{ access: 'admin', expires_at: expiresAt }]);
    expect(await page(await browse(api, await api.addKey({ access: 'admin' })))).not.toContain('Your own key ends');
  });

  it.each([
    ['en', 'Your own key ends before that day.'],
    ['de', 'Ihr eigener Schlüssel endet vor diesem Tag.'],
  ])('creates no key that ends later, and shows the error at the field: %s', async (language, words) => {
    const before = await made();
    const refused = await create(await admin(), '2026-03-11', language);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(new RegExp(`id="expires_at-fault">${words}`));
    expect(await made()).toEqual(before);
  });
});

it('the audit log records the start and the end of a session, and nothing between them', async () => {
  const key = await api.addKey({ access: 'admin', name: 'Anna' });
  const own = await browse(api, key);
  await page(own);
  await postForm(api, '/dashboard/sign-out', { token: own.token }, own.cookies);
  const { body } = await api.call('GET /audit-log', { query: 'page_size=2' });
  const [signIn] = await signIns().list(hashApiKey(key));
  const seen = body.items.map(({ command, subject_id, by }: { command: string; subject_id: string; by: object }) => ({
    command,
    subject_id,
    by,
  }));
  const by = { key_id: expect.any(String), member_id: null, key_name: 'Anna', via: 'dashboard' };
  expect(seen).toEqual([
    { command: 'session.end', subject_id: signIn?.id, by },
    { command: 'session.start', subject_id: signIn?.id, by },
  ]);
});
