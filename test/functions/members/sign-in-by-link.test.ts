import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '../../../shared/domain/access/member.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { members, signIns, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addMember, browseAs, mailsIn, rewriteMembers } from '../../support/shop/members.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { type Written, watchWrites } from '../../support/table/rows.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let anna: Member;
let writes: Written[];
let takeRealTime: () => void;

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: mails });
  await browse(api, await api.addKey({ access: 'admin' }));
  writes = watchWrites(table().client);
});
beforeEach(async () => {
  takeRealTime = shortenPauses(50);
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

const cookiesOf = (set: readonly string[]): string[] => set.map((cookie) => cookie.split(';')[0] ?? '');

/** Asks for a link as a browser does. */
async function ask(email: string, cookies: readonly string[] = [], fields: Record<string, string> = {}) {
  const before = mailsIn(mails).length;
  const answer = await postForm(api, '/dashboard/sign-in/link', { email, ...fields }, cookies);
  const [mail] = mailsIn(mails).slice(before);
  const token = /token=([A-Za-z0-9]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
  return { answer, mail, token, browser: cookiesOf(answer.cookies) };
}

const click = (token: string, browser: readonly string[]) =>
  postForm(api, '/dashboard/sign-in/confirm', { token }, browser);

const open = (token: string, cookies: readonly string[] = []) =>
  api.call('GET /dashboard/sign-in/confirm', { query: `token=${token}`, cookies: [...cookies], key: null });

const isIn = async (set: readonly string[]): Promise<boolean> =>
  (await api.call('GET /dashboard', { cookies: cookiesOf(set), key: null })).status === 200;

it('A form of 300 kB is refused with 413 or 400 before any read or write, even with an admin’s session', async () => {
  const huge = 'a'.repeat(300_000);
  const { cookies, token } = await browseAs(api, anna);
  writes.length = 0;
  const answers = [
    await postForm(api, '/dashboard/sign-in/link', { email: `${huge}@example.com` }, []),
    await postForm(api, '/dashboard/sign-in/link', { email: anna.email, next: `/${huge}` }, []),
    await postForm(api, '/dashboard/sign-in/confirm', { token: huge }, []),
    await postForm(
      api,
      '/dashboard/members',
      { token, form_id: 'f', action: 'invite', email: huge, role: 'read' },
      cookies,
    ),
    await postForm(
      api,
      '/dashboard/members',
      { token, form_id: huge, action: 'invite', email: 'a@b.example', role: 'read' },
      cookies,
    ),
    await postForm(
      api,
      `/dashboard/members/${anna.id}`,
      { token, form_id: 'f', action: 'change_role', role: huge },
      cookies,
    ),
  ];
  expect(answers.map(({ status }) => [400, 413].includes(status))).toEqual(answers.map(() => true));
  expect(writes).toEqual([]);
});

describe('a sign-in link in a mail', () => {
  it('signs in with its button in the browser that requested it, and leads to the wanted page', async () => {
    const { answer, mail, token, browser } = await ask(anna.email, [], { next: '/dashboard/tax' });
    expect(answer.status).toBe(200);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^tillstack-browser=[A-Za-z0-9]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Strict$/),
    ]);
    expect(mail?.to).toBe(anna.email);
    const done = await click(token, browser);
    expect([done.status, done.headers['location']]).toEqual([303, '/dashboard/tax']);
    expect(done.cookies).toEqual([
      expect.stringMatching(/^tillstack=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/),
      'tillstack-browser=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      expect.stringMatching(/^tillstack-known=/),
    ]);
    expect(await isIn(done.cookies)).toBe(true);
  });

  it('changes nothing when it is opened without a click on its button', async () => {
    const { token, browser } = await ask(anna.email);
    writes.length = 0;
    for (const cookies of [[], browser, browser]) {
      const page = await open(token, cookies);
      expect([page.status, page.cookies]).toEqual([200, []]);
      expect(page.text).toContain(`name="token" value="${token}"`);
      expect(page.headers['referrer-policy']).toBe('no-referrer');
      expect(page.headers['cache-control']).toBe('no-store');
    }
    expect(writes).toEqual([]);
    expect((await click(token, browser)).status).toBe(303);
  });

  it('works once: only one of two simultaneous clicks signs in, and no later click does', async () => {
    const { token, browser } = await ask(anna.email);
    const answers = await Promise.all([click(token, browser), click(token, browser)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    const late = await click(token, browser);
    expect([late.status, late.cookies]).toEqual([410, []]);
    expect((await signIns().list(anna.id)).length).toBe(1);
  });

  it('works for fifteen minutes', async () => {
    clock.stopAt('2026-03-01T08:00:00.000Z');
    const [early, late] = [await ask(anna.email), await ask(anna.email)];
    clock.stopAt('2026-03-01T08:14:59.999Z');
    expect((await click(early.token, early.browser)).status).toBe(303);
    clock.stopAt('2026-03-01T08:15:00.000Z');
    expect((await click(late.token, late.browser)).status).toBe(410);
  });

  it('does not work in another browser, and still works in its own browser afterwards', async () => {
    const { token, browser } = await ask(anna.email);
    const thief = (await ask('thief@example.org')).browser;
    for (const cookies of [[], thief, ['tillstack-browser='], ['tillstack-browser=x']]) {
      const refused = await click(token, cookies);
      expect([refused.status, refused.cookies]).toEqual([403, []]);
    }
    expect((await click(token, browser)).status).toBe(303);
  });

  it('still works after the same browser has asked for a second link', async () => {
    const one = await ask(anna.email);
    const two = await ask(anna.email, one.browser);
    expect(two.browser).toEqual(one.browser);
    expect((await click(one.token, two.browser)).status).toBe(303);
    expect((await click(two.token, two.browser)).status).toBe(303);
  });

  it('does not work after its member was removed, even if the member is invited again', async () => {
    const { token, browser } = await ask(anna.email);
    await rewriteMembers((all) => all.filter(({ id }) => id !== anna.id));
    await addMember('admin', { email: anna.email });
    expect((await click(token, browser)).status).toBe(410);
  });

  it('is refused when another site sends the form', async () => {
    const { token, browser } = await ask(anna.email);
    const raw = Buffer.from(new URLSearchParams({ token, email: anna.email }).toString());
    for (const path of ['/dashboard/sign-in/confirm', '/dashboard/sign-in/link'])
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['sec-fetch-site', 'same-site'],
        ['origin', 'https://thief.example'],
      ] as const) {
        const typed = { 'content-type': 'application/x-www-form-urlencoded', [name]: value };
        expect((await api.call(`POST ${path}`, { raw, headers: typed, cookies: browser, key: null })).status).toBe(403);
      }
    expect((await click(token, browser)).status).toBe(303);
  });

  it('leads only to pages of the dashboard', async () => {
    for (const next of ['https://thief.example', '//thief.example', '/dashboard/../buy', 'javascript:alert(1)']) {
      const member = await addMember('read');
      const { token, browser } = await ask(member.email, [], { next });
      expect((await click(token, browser)).headers['location']).toBe('/dashboard');
    }
  });

  it('makes an invited person a member at the first click, unless the invitation has expired', async () => {
    clock.stopAt('2026-03-01T08:00:00.000Z');
    const invited = await addMember('read', { joinedAt: null, inviteEndsAt: '2026-03-01T08:10:00.000Z' });
    const [one, two] = [await ask(invited.email), await ask(invited.email)];
    clock.stopAt('2026-03-01T08:10:00.000Z');
    expect((await click(one.token, one.browser)).status).toBe(410);
    expect((await ask(invited.email)).mail).toBeUndefined();
    clock.stopAt('2026-03-01T08:09:00.000Z');
    expect((await click(two.token, two.browser)).status).toBe(303);
    const after = (await members().list()).members.find(({ id }) => id === invited.id);
    expect(after?.joinedAt).toBe('2026-03-01T08:09:00.000Z');
    const { body } = await api.call('GET /audit-log', { query: 'created_at_lte=2026-03-01T08:09:01Z&page_size=100' });
    const by = { key_id: null, member_id: invited.id, key_name: invited.email, via: 'dashboard' };
    expect(body.items.map(({ command, by }: { command: string; by: object }) => ({ command, by }))).toEqual(
      expect.arrayContaining([
        { command: 'session.start', by },
        { command: 'member.join', by },
      ]),
    );
  });
});

describe('a request for a sign-in link', () => {
  it('gets the same text, headers and answer time for members’ addresses and for all others', async () => {
    const stranger = 'stranger@example.org';
    const addresses = [anna.email, stranger, 'not an address', `${anna.email}\r\nBcc: ${stranger}`];
    takeRealTime();
    const timed = async (email: string) => {
      const begin = performance.now();
      const { answer } = await ask(email);
      return { ...answer, ms: performance.now() - begin };
    };
    const answers = await Promise.all(addresses.map(timed));
    const [known] = answers;
    for (const { text, status, headers, cookies, ms } of answers) {
      expect({ text, status, headers }).toEqual({ text: known?.text, status: 200, headers: known?.headers });
      expect(cookies).toEqual([expect.stringMatching(/^tillstack-browser=[A-Za-z0-9]{43}; /)]);
      expect(ms).toBeGreaterThanOrEqual(995);
    }
  });

  it('sends mail only to the member’s stored address, in whichever spelling the address was typed', async () => {
    const bea = await addMember('read', { email: 'bea+till@xn--bcher-kva.example' });
    for (const typed of ['Bea+Till@Bücher.example', ' BEA+TILL@XN--BCHER-KVA.EXAMPLE'])
      expect((await ask(typed)).mail?.to).toBe(bea.email);
    const before = mailsIn(mails).length;
    for (const typed of [
      'bea@xn--bcher-kva.example',
      `${bea.email},thief@example.org`,
      `${bea.email}\nBcc: x@example.org`,
    ])
      await ask(typed);
    expect(mailsIn(mails).length).toBe(before);
    expect(
      mailsIn(mails)
        .map(({ headers }) => headers)
        .join('\n'),
    ).not.toMatch(/Bcc|Cc/);
  });

  it('stores only hashes of the token and the browser in the table, and nothing in the log', async () => {
    const { token, browser } = await ask(anna.email);
    const cookie = browser[0]?.split('=')[1] ?? '';
    await open(token, browser);
    await click(token, []);
    const link = await members().findLink(hashApiKey(token));
    expect(link).toMatchObject({ memberId: anna.id, browser: hashApiKey(cookie), usedAt: null });
    const everything = JSON.stringify(link) + api.log.join('\n');
    for (const secret of [token, cookie, anna.email]) expect(everything).not.toContain(secret);
  });

  it('stops after five mails an hour to one address, and after thirty requests an hour from one network', async () => {
    clock.stopAt('2026-04-01T08:00:00.000Z');
    const sent = [];
    for (let index = 0; index < 7; index += 1) sent.push(await ask(anna.email));
    expect(sent.map(({ mail, answer }) => [mail !== undefined, answer.status])).toEqual([
      ...Array(5).fill([true, 200]),
      ...Array(2).fill([false, 200]),
    ]);
    writes.length = 0;
    const flood = await Promise.all(Array.from({ length: 60 }, (_, index) => ask(`${index}@example.org`)));
    expect(flood.filter(({ answer }) => answer.status === 429).length).toBe(60 - 23);
    // a refused question costs one write, and one that is taken costs two
    expect(writes.flat()).toHaveLength(60 + 23);
    clock.stopAt('2026-04-01T09:00:00.000Z');
    expect((await ask(anna.email)).mail?.to).toBe(anna.email);
  });
});
