import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { type DashboardSession, sealSession, sessionCookie } from '../../shared/dashboard/session/session-cookie.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { dashboardSecrets, members, signIns } from '../../shared/wiring/runtime.ts';
import { xssPayloads } from '../pages/xss-payloads.ts';
import { campaign } from '../support/seeded.ts';
import { addMember, mailsIn, rewriteMembers, sessionCookieOf } from '../support/shop/members.ts';
import { accessibilityFaults, type BrowserShop, euroBook, openBrowserShop, overflow, startBrowsing } from './shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  [shop, browsing] = await Promise.all([openBrowserShop({ MAIL_FOLDER: mails }), startBrowsing()]);
});

afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
  rmSync(mails, { recursive: true });
});

interface Options {
  cookie?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

const ask = (path: string, { cookie, form, headers = sameOrigin }: Options = {}): Promise<Response> =>
  fetch(shop.url + path, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { ...headers, ...(cookie && { cookie }) },
    ...(form && { body: new URLSearchParams(form) }),
  });

async function signIn(key = localKey): Promise<string> {
  const answer = await ask('/dashboard/sign-in', { form: { key } });
  expect(answer.status).toBe(303);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** What a form of a page carries. */
async function tokenOf(cookie: string, path = '/dashboard/keys'): Promise<string> {
  const page = await (await ask(path, { cookie })).text();
  return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

const isShutOut = async (cookie: string): Promise<boolean> => {
  const answer = await ask('/dashboard', { cookie });
  return answer.status === 303 && (answer.headers.get('location') ?? '').startsWith('/dashboard/sign-in');
};

const session = (more: Partial<DashboardSession> = {}): DashboardSession => ({
  merchantId: 'demo',
  stage: 'sandbox',
  holder: hashApiKey(localKey),
  id: 'n',
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  ...more,
});

describe('signing in', () => {
  it('gives four browsers that sign in at the same time four different working sessions', async () => {
    const cookies = await Promise.all([1, 2, 3, 4].map(() => signIn()));
    expect(await Promise.all(cookies.map(isShutOut))).toEqual([false, false, false, false]);
    expect(new Set(cookies).size).toBe(4);
  });

  it('sets a cookie for eight hours that scripts and other sites cannot read', async () => {
    const answer = await ask('/dashboard/sign-in', { form: { key: localKey } });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^tillstack=[\w-]+\.[\w-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/),
    ]);
    expect(sessionCookie('v', true)).toBe(
      '__Host-tillstack=v; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it.each([
    ['nothing', ''],
    ['no key at all', 'password'],
    ['a key with a wrong checksum', `${localKey.slice(0, -1)}X`],
    ['a key that nobody has', 'sk_test_NobodyHasThisKeyNobodyHasThisKe0000001'],
    ['a key of the other mode', localKey.replace('sk_test_', 'sk_live_')],
  ])('is refused when the form contains %s', async (_, key) => {
    const answer = await ask('/dashboard/sign-in', { form: { key } });
    expect({ status: answer.status, cookies: answer.headers.getSetCookie() }).toEqual({ status: 401, cookies: [] });
    expect(await answer.text()).not.toContain('node_modules');
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/dashboard/../checkout',
    '/dashboard?x=1',
    'javascript:alert(1)',
  ])('leads to the overview and never to the address %s', async (next) => {
    const answer = await ask('/dashboard/sign-in', { form: { key: localKey, next } });
    expect(answer.headers.get('location')).toBe('/dashboard');
  });

  it('is refused when another site sends the form', async () => {
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of elsewhere)
      expect((await ask('/dashboard/sign-in', { form: { key: localKey }, headers })).status).toBe(403);
  });
});

describe('a session', () => {
  it('opens the dashboard', async () => {
    expect((await ask('/dashboard', { cookie: await signIn() })).status).toBe(200);
  });

  it('is refused when it is forged, altered, expired, or of another merchant, stage or stack', async () => {
    const cookie = await signIn();
    const secret = (await dashboardSecrets().find())?.secret ?? '';
    const times = { startedAt: new Date().toISOString(), expiresAt: session().expiresAt, endedAt: null };
    const [{ holder, id }, nobodys] = [session(), 'f'.repeat(64)];
    for (const hash of [holder, nobodys]) await signIns().save({ id, holder: hash, ...times }, []);
    const sealed = (more: Partial<DashboardSession>, by = secret) => `tillstack=${sealSession(session(more), by)}`;
    expect(await isShutOut(sealed({}))).toBe(false);
    const [text = '', signature = ''] = cookie.slice('tillstack='.length).split('.');
    const readable = JSON.parse(Buffer.from(text, 'base64url').toString());
    const altered = Buffer.from(JSON.stringify({ ...readable, expiresAt: '2999-01-01T00:00:00.000Z' })).toString(
      'base64url',
    );
    const refused = {
      nothing: '',
      nonsense: 'tillstack=x',
      'half a cookie': `tillstack=${text}`,
      'no signature': `tillstack=${text}.`,
      'an altered text': `tillstack=${altered}.${signature}`,
      'another signature': `tillstack=${text}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      'a third part': `${cookie}.x`,
      'another stack': sealed({}, 'x'.repeat(43)),
      'another merchant': sealed({ merchantId: 'other' }),
      'the other stage': sealed({ stage: 'live' }),
      'an expired one': sealed({ expiresAt: new Date(Date.now() - 1).toISOString() }),
      'a key that nobody has': sealed({ holder: nobodys }),
      'a session that nobody began': sealed({ id: 'other' }),
    };
    for (const [name, forged] of Object.entries(refused)) expect([name, await isShutOut(forged)]).toEqual([name, true]);
  });

  it('ends at the next click after its key is revoked, for a page and for a form', async () => {
    const made = (await shop.api.post('/api-keys', { name: 'Colleague', access: 'write' })) as {
      id: string;
      key: string;
    };
    const cookie = await signIn(made.key);
    const token = await tokenOf(cookie);
    expect((await ask('/dashboard', { cookie })).status).toBe(200);
    await shop.api.delete(`/api-keys/${made.id}`);
    expect(await isShutOut(cookie)).toBe(true);
    const answer = await ask('/dashboard/keys', {
      cookie,
      form: { token, action: 'create', name: 'Late', access: 'write' },
    });
    expect({ status: answer.status, cookies: answer.headers.getSetCookie().map((one) => one.split(';')[0]) }).toEqual({
      status: 401,
      cookies: ['tillstack='],
    });
  });

  it('survives a click on a link from another site, which sends no cookie', async () => {
    const answer = await ask('/dashboard', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
  });
});

describe('a form of the dashboard', () => {
  const create = { action: 'create', name: 'Made by a form', access: 'read' };
  const names = async () =>
    ((await shop.api.get('/api-keys')) as { items: { name: string }[] }).items.map(({ name }) => name);

  it.each([
    ['without a token', {}, sameOrigin],
    ['with another session’s token', { token: 'other' }, sameOrigin],
    ['from another site', 'own', { 'sec-fetch-site': 'cross-site' }],
    ['from another origin', 'own', { origin: 'https://evil.example' }],
    ['from a sister site', 'own', { 'sec-fetch-site': 'same-site' }],
  ] as const)('is refused %s', async (_, token, headers) => {
    const cookie = await signIn();
    const given: Record<string, string> =
      token === 'own'
        ? { token: await tokenOf(cookie) }
        : 'token' in token
          ? { token: await tokenOf(await signIn()) }
          : {};
    const answer = await ask('/dashboard/keys', { cookie, form: { ...create, ...given }, headers });
    expect(answer.status).toBe(403);
    expect(await names()).not.toContain(create.name);
  });

  it('changes nothing for a key with read access, whose pages show no form to change data', async () => {
    const { key } = (await shop.api.post('/api-keys', { name: 'Reader', access: 'read' })) as { key: string };
    const cookie = await signIn(key);
    const token = await tokenOf(cookie, '/dashboard');
    const answer = await ask('/dashboard/keys', { cookie, form: { ...create, token } });
    expect(answer.status).toBe(403);
    expect(await names()).not.toContain(create.name);
    for (const path of ['/products/new', '/keys', '/tax', '/brands', '/webhooks']) {
      const page = await (await ask(`/dashboard${path}`, { cookie })).text();
      expect([path, /name="action" value="(create|save|add_|revoke)/.test(page)]).toEqual([path, false]);
    }
  });

  it('signs out only with the token of its own session', async () => {
    const cookie = await signIn();
    expect((await ask('/dashboard/sign-out', { cookie, form: { token: 'x' } })).status).toBe(403);
    const answer = await ask('/dashboard/sign-out', { cookie, form: { token: await tokenOf(cookie) } });
    expect(answer.headers.getSetCookie()).toContain('tillstack=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
  });

  it('is refused when its content type is not that of a form, or when it is too large', async () => {
    const cookie = await signIn();
    const headers = { ...sameOrigin, cookie, 'content-type': 'application/json' };
    expect((await fetch(`${shop.url}/dashboard/keys`, { method: 'POST', body: '{}', headers })).status).toBe(415);
    const body = new FormData();
    body.set('image', new Blob([new Uint8Array(3_500_000)]), 'large.png');
    const large = await fetch(`${shop.url}/dashboard/brands`, {
      method: 'POST',
      body,
      headers: { ...sameOrigin, cookie },
    });
    expect(large.status).toBe(413);
  });
});

describe('every page of the dashboard', () => {
  /** All paths of the dashboard, without their parameters. */
  const paths = endpoints
    .filter(({ function: name }) => name.startsWith('dashboard/'))
    .flatMap(({ paths: all }) => all)
    .filter((path) => path.startsWith('/dashboard') && !path.includes('{'));

  it.each(paths)('%s has headers that forbid foreign scripts, frames, caching and referrers', async (path) => {
    const answer = await ask(path, { cookie: await signIn() });
    const header = (name: string) => answer.headers.get(name);
    expect(header('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(header('content-security-policy')).not.toMatch(/unsafe-|data:|\*/);
    expect([header('cache-control'), header('referrer-policy'), header('x-content-type-options')]).toEqual([
      'no-store',
      'no-referrer',
      'nosniff',
    ]);
    expect(header('strict-transport-security')).toContain('max-age=63072000');
    expect(await answer.text()).not.toMatch(/\son\w+=|\sstyle=|<script>/);
  });

  it.each(paths.filter((path) => !path.includes('sign-')))('%s is shown only to a signed-in user', async (path) => {
    expect((await ask(path)).headers.get('location')).toBe(`/dashboard/sign-in?next=${encodeURIComponent(path)}`);
  });

  it('that does not exist answers 404 with a page that shows no file names and no stack traces', async () => {
    const cookie = await signIn();
    for (const path of [
      '/products/pdt_0',
      '/payments/pay_0',
      '/customers/cus_0',
      '/webhooks/whk_0',
      '/brands/brnd_0',
      '/exports/secrets.csv',
    ]) {
      const answer = await ask(`/dashboard${path}`, { cookie });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).not.toMatch(/node_modules|\.ts:|DomainError/);
    }
  });
});

describe('an export', () => {
  it.each([
    'from=2026-13-01&to=2026-13-02',
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    '',
    'from=2026-03-01',
  ])('is refused with the query %j', async (query) => {
    const answer = await ask(`/dashboard/exports/taxes.csv?${query}`, { cookie: await signIn() });
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 422,
      type: 'text/html; charset=utf-8',
    });
  });

  it('is a CSV file that the browser downloads and never renders', async () => {
    const answer = await ask('/dashboard/exports/payments.csv?from=2026-01-01&to=2026-12-31', {
      cookie: await signIn(),
    });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="payments-2026-01-01-2026-12-31.csv"');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a product’s public link', () => {
  it('opens a session only when the buyer presses the button, not when the page is only viewed', async () => {
    const link = `/buy/${await shop.product(euroBook)}`;
    expect((await ask(link, { headers: {} })).status).toBe(200);
    const answer = await ask(link, { form: {} });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/checkout\/cks_\w{21}\?lang=en$/),
    ]);
  });

  it('opens no session for another site, an archived product or an unknown product', async () => {
    const productId = await shop.product(euroBook);
    expect((await ask(`/buy/${productId}`, { form: {}, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
      403,
    );
    await shop.api.delete(`/products/${productId}`);
    const page = await ask(`/buy/${productId}`);
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('No longer on sale')]);
    expect((await ask(`/buy/${productId}`, { form: {} })).status).toBe(422);
    expect((await ask('/buy/pdt_000000000000000000000')).status).toBe(404);
  });
});

describe('members', () => {
  const home = '/dashboard/members';

  /** Signs a page’s browser in, and opens the members’ page. */
  async function signInAs(page: Page, member: { id: string }): Promise<void> {
    const [name = '', value = ''] = (await sessionCookieOf(member)).split('=');
    await page.context().addCookies([{ name, value, url: shop.url }]);
    await page.goto(shop.url + home);
  }

  /** A page of a browser in which a member is signed in. */
  async function browserOf(member: { id: string }): Promise<Page> {
    const { page } = await browsing.visit(`${shop.url}/dashboard/sign-in`);
    page.setDefaultTimeout(10_000);
    await signInAs(page, member);
    return page;
  }

  async function onlyOwner() {
    await rewriteMembers(() => []);
    const owner = await addMember('owner');
    return { owner, page: await browserOf(owner) };
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();

  async function isSignedIn(page: Page): Promise<boolean> {
    await page.goto(`${shop.url}/dashboard`);
    return new URL(page.url()).pathname === '/dashboard';
  }

  it('sign in with the button behind an invitation link, only in the browser that requested the link', async () => {
    const { page: owner } = await onlyOwner();
    await owner.fill('#email', 'bea@example.com');
    await owner.locator('input[name=role][value=admin]').check();
    await press(owner, 'Invite');
    await owner.getByText('Invited. A mail with the way in was sent.').waitFor();
    const beas = () => mailsIn(mails).filter(({ to }) => to === 'bea@example.com');
    const [invitation = ''] = /http\S+/.exec(beas().at(-1)?.text ?? '') ?? [];
    const { page, complaints } = await browsing.visit(invitation);
    await page.fill('#email', 'bea@example.com');
    await press(page, 'Mail me a link');
    await heading(page, 'Look into your mailbox');
    const [link = ''] = /http\S+token=\S+/.exec(beas().at(-1)?.text ?? '') ?? [];
    for (const times of [1, 2]) {
      await page.goto(link);
      await heading(page, 'Sign in');
      expect([times, await isSignedIn(page)]).toEqual([times, false]);
    }
    const { page: elsewhere } = await browsing.visit(link);
    await press(elsewhere, 'Sign in');
    await heading(elsewhere, 'Another browser asked for this link');
    expect(await isSignedIn(elsewhere)).toBe(false);
    await page.goto(link);
    await press(page, 'Sign in');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(shop.url + home);
    const row = page.locator('tr', { hasText: 'bea@example.com' });
    expect(await row.locator('td').nth(1).textContent()).toBe('Administer');
    expect(await row.textContent()).toContain('you');
    expect(complaints).toEqual([]);
  });

  it('lose ended sessions, old roles and removed access at the next click, and the last owner cannot be removed', async () => {
    const { owner, page } = await onlyOwner();
    const member = await addMember('read');
    const [first, second] = [await browserOf(member), await browserOf(member)];
    expect(await second.locator('form[action$="/members"] #email').count()).toBe(0);
    await press(second, 'End it');
    await second.getByText('Session ended.').waitFor();
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);

    await page.reload();
    await page.getByRole('link', { name: member.email }).click();
    await page.locator('input[name=role][value=admin]').check();
    await press(page, 'Save the role');
    await page.getByText('The role counts').waitFor();
    await second.goto(shop.url + home);
    expect(await second.locator('form[action$="/members"] #email').count()).toBe(1);

    await page.locator('details.guarded > summary').click();
    await press(page, 'Remove');
    await page.getByText('Removed.').waitFor();
    expect(await isSignedIn(second)).toBe(false);

    await page.goto(`${shop.url}${home}/${owner.id}`);
    await page.locator('details.guarded > summary').click();
    await press(page, 'Remove');
    await page.getByText('The last owner cannot leave').first().waitFor();
    expect(await isSignedIn(page)).toBe(true);
    expect((await members().list()).members.map(({ id }) => id)).toEqual([owner.id]);
  });

  it.each(campaign(['en', 'de'], ['en', 'de'], ['de']))(
    'have pages that are accessible and fit a phone, in %s',
    async (locale) => {
      const { owner } = await onlyOwner();
      const member = await addMember('write', { joinedAt: null, inviteEndsAt: '2999-01-01T00:00:00.000Z' });
      await sessionCookieOf(member);
      const { page } = await browsing.visit(`${shop.url}/dashboard/sign-in`, { width: 375, locale });
      const check = async (title: string) =>
        expect([
          title,
          await page.getAttribute('html', 'lang'),
          await accessibilityFaults(page),
          await overflow(page),
        ]).toEqual([title, locale, [], 0]);
      await check('signing in');
      await page.goto(`${shop.url}/dashboard/sign-in/confirm?token=${'x'.repeat(43)}`);
      await check('a link');
      await page.locator('main button').click();
      await page.getByRole('alert').waitFor();
      await check('a link that is over');
      await signInAs(page, owner);
      for (const path of [home, `${home}/${member.id}`]) {
        await page.goto(shop.url + path);
        expect(await page.locator('button[value=end_session], button[value=end_own_session]').count()).toBe(1);
        await check(path);
      }
    },
  );
});

it(`each of ${xssPayloads.length} product names with HTML or scripts is shown as plain text`, async () => {
  const accepted: string[] = [];
  for (const name of xssPayloads)
    await shop.product(euroBook, { name: name.slice(0, 100), description: name }).then(
      () => accepted.push(name),
      () => {},
    );
  expect(accepted.length).toBeGreaterThan(40);
  const { page, complaints } = await browsing.visit(`${shop.url}/dashboard`);
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  await page.fill('#key', localKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  let at = '/dashboard/products';
  let shown = 0;
  while (at !== '') {
    await page.goto(shop.url + at);
    shown += await page.locator('tbody tr').count();
    const strangers =
      'document.querySelectorAll("main :is(script, iframe, object, embed, svg, img, video, audio, math, base, link, style, form:not([action$=products]), marquee)").length';
    expect(await page.evaluate(strangers)).toBe(0);
    const older = page.getByRole('link', { name: 'Older' });
    at = (await older.count()) > 0 ? ((await older.getAttribute('href')) ?? '') : '';
  }
  expect({ shown: shown >= accepted.length, dialogs, complaints }).toEqual({ shown: true, dialogs: 0, complaints: [] });
});
