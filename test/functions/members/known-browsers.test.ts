import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../infra/commands/keys.ts';
import type { Member } from '../../../shared/domain/access/member.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addMember, mailsIn, rewriteMembers } from '../../support/shop/members.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { typed } from '../../support/wire/command.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let anna: Member;
let takeRealTime: () => void;
let hours = 0;

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: mails });
});
beforeEach(async () => {
  takeRealTime = shortenPauses(50);
  hours += 1;
  // each test has an hour, in which nothing was counted before
  clock.stopAt(new Date(Date.UTC(2026, 5, 1, hours)).toISOString());
  anna = await addMember('admin');
});
afterEach(() => {
  takeRealTime();
  clock.run();
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const cookiesOf = (set: readonly string[]): string[] =>
  set.map((cookie) => cookie.split(';')[0] ?? '').filter((cookie) => !cookie.endsWith('='));

/** Asks for a link as a browser does, and says whether one was mailed. */
async function ask(email: string, cookies: readonly string[] = []) {
  const before = mailsIn(mails).length;
  const { status, text, headers, cookies: set } = await postForm(api, '/dashboard/sign-in/link', { email }, cookies);
  const [mail] = mailsIn(mails).slice(before);
  const token = /token=([A-Za-z0-9]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
  return { isMailed: mail !== undefined, status, text, headers, token, asking: cookiesOf(set) };
}

/** Signs in by a link, and returns what the browser is given. */
async function signIn(email: string, cookies: readonly string[] = []): Promise<string[]> {
  const { token, asking } = await ask(email, cookies);
  const { status, cookies: set } = await postForm(api, '/dashboard/sign-in/confirm', { token }, asking);
  expect(status).toBe(303);
  return set;
}

const knownOf = (set: readonly string[]): string[] =>
  cookiesOf(set).filter((cookie) => /^tillstack-known=/.test(cookie));

/** What strangers in one network can do to an address within an hour. */
const flood = async (email: string, times = 6): Promise<void> => {
  for (let index = 0; index < times; index += 1) await ask(email);
};

describe('a browser that has signed in before', () => {
  it('gets its link and signs in even if strangers ask for links to the same address very often', async () => {
    const known = knownOf(await signIn(anna.email));
    await flood(anna.email);
    expect((await ask(anna.email)).isMailed).toBe(false);
    await signIn(anna.email, known);
    clock.forward({ days: 100 });
    await flood(anna.email);
    await signIn(anna.email, known);
  });

  it('gets its link even if its network has asked thirty times, for example in an office or café', async () => {
    const known = knownOf(await signIn(anna.email));
    for (let index = 0; index < 40; index += 1) await ask(`${index}@example.org`);
    expect((await ask(anna.email)).status).toBe(429);
    await signIn(anna.email, known);
  });

  it('gets five links an hour, which do not count against browsers that are not known', async () => {
    const known = knownOf(await signIn(anna.email));
    const sent = [];
    for (let index = 0; index < 7; index += 1) sent.push((await ask(anna.email, known)).isMailed);
    expect(sent).toEqual([true, true, true, true, true, false, false]);
    expect((await ask(anna.email)).isMailed).toBe(true);
    clock.forward({ hours: 1 });
    expect((await ask(anna.email, known)).isMailed).toBe(true);
  });

  it('is recognized by a cookie without a name in it, which scripts and other sites cannot read', async () => {
    const set = await signIn(anna.email);
    const cookie = set.find((one) => one.startsWith('tillstack-known=')) ?? '';
    expect(cookie).toMatch(
      /^tillstack-known=\d+\.[A-Za-z0-9]{22}\.[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const publicUrl = process.env['PUBLIC_URL'];
    process.env['PUBLIC_URL'] = 'https://pay.example.com';
    try {
      const { token, asking } = await ask(anna.email);
      const { cookies } = await postForm(api, '/dashboard/sign-in/confirm', { token }, asking);
      expect(cookies).toContainEqual(expect.stringMatching(/^__Host-tillstack-known=.*; Path=\/; .*; Secure$/));
    } finally {
      process.env['PUBLIC_URL'] = publicUrl;
    }
  });

  it('cannot open any page with that cookie alone, and keeps the cookie when it signs out', async () => {
    const set = await signIn(anna.email);
    const known = knownOf(set);
    for (const path of ['/dashboard', '/dashboard/keys', '/dashboard/members'])
      expect((await api.call(`GET ${path}`, { cookies: known, key: null })).status).toBe(303);
    const { text } = await api.call('GET /dashboard', { cookies: cookiesOf(set), key: null });
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const out = await postForm(api, '/dashboard/sign-out', { token }, cookiesOf(set));
    expect([out.status, out.cookies.filter((cookie) => cookie.includes('known'))]).toEqual([303, []]);
    const { cookies } = await postForm(api, '/dashboard/sign-in/confirm', { token: 'x'.repeat(43) }, known);
    expect(cookies).toEqual([]);
  });
});

describe('a browser is not recognized', () => {
  /** Whether a link is mailed although strangers have used up the address's. */
  const isLetThrough = async (email: string, cookies: readonly string[]): Promise<boolean> => {
    await flood(email);
    return (await ask(email, cookies)).isMailed;
  };

  it('by another member’s cookie, a changed cookie or an invented cookie', async () => {
    const bea = await addMember('read');
    const [cookie = ''] = knownOf(await signIn(bea.email));
    const [time = '', nonce = '', signature = ''] = cookie.slice('tillstack-known='.length).split('.');
    await flood(anna.email);
    for (const value of [
      `${time}.${nonce}.${signature}`,
      `${Number(time) + 1}.${nonce}.${signature}`,
      `${time}.${'x'.repeat(22)}.${signature}`,
      `${time}.${nonce}.${'x'.repeat(43)}`,
      `${time}.${nonce}`,
      '',
    ])
      expect([value, (await ask(anna.email, [`tillstack-known=${value}`])).isMailed]).toEqual([value, false]);
  });

  it('if its last sign-in was half a year ago', async () => {
    const known = knownOf(await signIn(anna.email));
    clock.forward({ days: 180, milliseconds: -1 });
    expect(await isLetThrough(anna.email, known)).toBe(true);
    clock.forward({ hours: 1 });
    expect(await isLetThrough(anna.email, known)).toBe(false);
  });

  it('if the session secret was rotated after its sign-in', async () => {
    const known = knownOf(await signIn(anna.email));
    expect(await typed(runKeys, ['rotate-sessions', '--table', api.tableName])).toMatchObject({ code: 0 });
    expect(await isLetThrough(anna.email, known)).toBe(false);
  });

  it('if it has only requested a link or signed in with an API key', async () => {
    const { asking } = await ask(anna.email);
    const key = await api.addKey({ access: 'admin' });
    const { cookies } = await postForm(api, '/dashboard/sign-in', { key }, []);
    expect(knownOf(cookies)).toEqual([]);
    expect(await isLetThrough(anna.email, [...asking, ...cookiesOf(cookies)])).toBe(false);
  });
});

describe('a person who requests a link does not learn', () => {
  it('that a member was removed, because a known browser gets the same answer as before', async () => {
    const known = knownOf(await signIn(anna.email));
    const before = await ask(anna.email, known);
    await rewriteMembers((all) => all.filter(({ id }) => id !== anna.id));
    const after = await ask(anna.email, known);
    expect([before.isMailed, after.isMailed]).toEqual([true, false]);
    expect([after.status, after.text, after.headers]).toEqual([before.status, before.text, before.headers]);
  });

  it('whether an address belongs to a member, even when the hourly links of that address are used up', async () => {
    const addresses = [anna.email, 'nobody@example.org'];
    for (const email of addresses) await flood(email);
    const [member, stranger] = [await ask(anna.email), await ask('nobody@example.org')];
    expect([member.isMailed, stranger.isMailed]).toEqual([false, false]);
    expect([stranger.status, stranger.text, stranger.headers]).toEqual([member.status, member.text, member.headers]);
  });
});

it('Unrecognized browsers share five links an hour to an address', async () => {
  const sent = [];
  for (let index = 0; index < 7; index += 1) sent.push((await ask(anna.email)).isMailed);
  expect(sent).toEqual([true, true, true, true, true, false, false]);
});
