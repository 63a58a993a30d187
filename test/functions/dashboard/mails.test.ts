import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brands, table } from '../../../shared/wiring/runtime.ts';
import { skeletonOf, valuesOf, visibleText } from '../../pages/markup.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addMember, browseAs, mailsIn } from '../../support/shop/members.ts';
import { watchWrites } from '../../support/table/rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let cookies: string[];

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: folder });
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

const look = (query = '') => api.call('GET /dashboard/mails', { cookies, query, key: null });

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const frames = (page: string): string[] =>
  valuesOf(page, 'src')
    .map(unescaped)
    .filter((src) => src.includes('mail='));

/** Each mail of the page, as its frame gets it. */
async function framesOf(page: string): Promise<string[]> {
  const answers = await Promise.all(
    frames(page).map((src) => look(new URL(src, 'https://pay.example').search.slice(1))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(({ text }) => text);
}

describe('GET /dashboard/mails', () => {
  it('200: shows every kind of mail, as HTML and as text, and writes nothing to the database', async () => {
    const writes = watchWrites(table().client);
    const { status, text } = await look();
    expect([status, writes]).toEqual([200, []]);
    expect(text.match(/<h2[^>]*>[^<]*/g)?.map((heading) => heading.replace(/<[^>]*>/, ''))).toEqual([
      ...['Invoice', 'Corrected invoice', 'Credit note', 'Cancelled credit note', 'Sign-in link', 'Invitation'],
    ]);
    const seen = (await framesOf(text)).map(visibleText);
    expect(seen.map((words) => words.length > 100)).toEqual(Array(6).fill(true));
    // 11.90 + 2 × 11.90, at 19 % included: 35.70 − 5.70 = 30.00
    for (const words of [
      'received your payment of €35.70',
      '2 × €11.90',
      'Subtotal without tax €30.00',
      'VAT 19% €5.70',
    ])
      expect(seen[0]).toContain(words);
    expect(seen[2]).toContain('A sample of a public reason.');
    expect(text.match(/<pre[\s\S]*?<\/pre>/g)?.join()).toContain('- Sample product: €11.90');
  });

  it('200: uses each HTML id once, so that each label belongs to one field', async () => {
    await api.call('POST /brands', { body: { name: 'Second' } });
    const ids = valuesOf((await look()).text, 'id');
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(['language', 'mail-language', 'mail-brand']));
  });

  it('200: shows the mail in the chosen language and direction; mails to members use a dashboard language', async () => {
    const { text } = await look('language=ar');
    const mails = await framesOf(text);
    const opening = mails.map((mail) => /<html[^>]*>/.exec(mail)?.[0]);
    expect(opening.slice(0, 4)).toEqual(Array(4).fill('<html lang="ar" dir="rtl">'));
    expect(mails[4]).toContain('Sign in to');
    expect(text).toMatch(/<option value="ar" selected>/);
    const german = await look('language=de');
    expect((await framesOf(german.text))[5]).toContain('Einladung zum Dashboard von');
    expect((await look('language=__proto__')).status).toBe(200);
  });

  it('200: shows the mail in the design of the chosen brand', async () => {
    const name = '</iframe>"><script>alert(1)</script>';
    const body = { name, color: '#ffcc00', support_email: 'help@kids.example' };
    const { body: brand } = await api.call('POST /brands', { body });
    const [plain, branded] = [await look(), await look(`brand=${brand.brand_id}`)];
    expect((await framesOf(plain.text)).join()).not.toContain('background:#ffcc00');
    const [invoice = ''] = await framesOf(branded.text);
    expect(invoice).toContain('background:#ffcc00;color:#000');
    expect(branded.text).toContain('help@kids.example');
    const { body: harmless } = await api.call('POST /brands', { body: { ...body, name: 'Kids' } });
    const kids = await look(`brand=${harmless.brand_id}`);
    expect(skeletonOf(invoice)).toEqual(skeletonOf((await framesOf(kids.text))[0] ?? ''));
    expect(branded.text).not.toMatch(/<script>alert/);
    expect((await look('brand=brnd_unknown')).status).toBe(200);
  });

  it('200: shows mails in sandboxed frames without scripts, links or other sites; only a mail may have inline styles', async () => {
    const { text, headers } = await look();
    expect(frames(text)).toHaveLength(6);
    for (const [frame] of text.matchAll(/<iframe[^>]*>/g)) expect(frame).toContain(' sandbox="allow-same-origin"');
    const policy = headers['content-security-policy'];
    expect(policy).toContain("frame-src 'self'");
    expect(policy).not.toContain('unsafe');
    const mail = await look('mail=invoice');
    expect(mail.headers['content-security-policy']).toBe(
      "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect(mail.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const other = await api.call('GET /dashboard/brands', { cookies, key: null });
    expect(other.headers['content-security-policy']).not.toContain('frame-src');
  });

  it('404: answers for a mail that does not exist', async () =>
    expect((await look('mail=__proto__')).status).toBe(404));

  it('303: leads a visitor without a session to the sign-in page, from the list and from a single mail', async () => {
    const { status, headers } = await api.call('GET /dashboard/mails', { query: 'mail=invoice', key: null });
    expect([status, headers['location']]).toEqual([303, expect.stringContaining('/dashboard/sign-in')]);
  });

  it('200: shows example links that open nothing', async () => {
    const links = (await framesOf((await look()).text)).flatMap((mail) => valuesOf(mail, 'href'));
    expect(links.length).toBeGreaterThan(10);
    for (const link of links)
      expect(unescaped(link)).toMatch(
        /[?&](?:secret|token)=example(?:&|$)|\/dashboard\/sign-in$|\/withdraw\?lang=\w+$/,
      );
  });
});

describe('POST /dashboard/mails', () => {
  const send = async (viewer: Browsing, fields: Record<string, string> = {}) => {
    const form = { action: 'send_example', mail: 'invoice', token: viewer.token, form_id: 'form', ...fields };
    const { status, headers } = await postForm(api, '/dashboard/mails', form, viewer.cookies);
    const to = new URL(headers['location'] ?? '/', 'https://pay.example');
    return { status, said: to.searchParams.get('said'), to };
  };

  it('303: sends the shown mail, marked as an example, only to the member who asked for it', async () => {
    const member = await addMember('read', { email: 'erika@example.com' });
    const viewer = await browseAs(api, member);
    const page = await api.call('GET /dashboard/mails', { cookies: viewer.cookies, key: null });
    expect(page.text.match(/Send me this mail/g)).toHaveLength(6);
    const fields = { language: 'ar', mail: 'credit_note', to: 'other@example.com', email: 'other@example.com' };
    const { status, said, to } = await send(viewer, fields);
    expect([status, said, to.searchParams.get('language')]).toEqual([303, 'sent', 'ar']);
    const sent = mailsIn(folder).slice(-1);
    expect(sent.map((mail) => mail.to)).toEqual(['erika@example.com']);
    expect(sent[0]?.headers).not.toMatch(/^B?cc:/im);
    expect(
      Buffer.from(/Subject: =\?UTF-8\?B\?([^?]+)/i.exec(sent[0]?.headers ?? '')?.[1] ?? '', 'base64').toString(),
    ).toMatch(/^Example: /);
    const after = await api.call('GET /dashboard/mails', {
      cookies: viewer.cookies,
      query: to.search.slice(1),
      key: null,
    });
    expect(visibleText(after.text)).toContain('The example was sent to you.');
  });

  it('303: sends at most twenty mails in an hour', async () => {
    const viewer = await browseAs(api, await addMember('admin'));
    const before = mailsIn(folder).length;
    const said = [];
    for (let count = 0; count < 22; count += 1) said.push((await send(viewer)).said);
    expect(said).toEqual([...Array(20).fill('sent'), 'often', 'often']);
    expect(mailsIn(folder)).toHaveLength(before + 20);
  });

  it('303: explains to a session of an API key that it has no e-mail address', async () => {
    const before = mailsIn(folder).length;
    const viewer = await browse(api, await api.addKey({ access: 'admin' }));
    expect((await look()).text).not.toContain('Send me this mail');
    expect(visibleText((await look()).text)).toContain('A key has no address');
    expect((await send(viewer)).said).toBe('key');
    expect(mailsIn(folder)).toHaveLength(before);
  });

  it('answers 404 for an unknown kind of mail, and 403 for a form from another page', async () => {
    const viewer = await browseAs(api, await addMember('read'));
    expect((await send(viewer, { mail: '__proto__' })).status).toBe(404);
    expect((await send(viewer, { token: 'other' })).status).toBe(403);
  });
});

describe('the merchant’s own words', () => {
  let writer: Browsing;
  beforeAll(async () => {
    writer = await browse(api, await api.addKey({ access: 'write' }));
  });
  const typed = {
    edit: 'purchase',
    language: 'de',
    subject: 'Danke, {name}!',
    greeting: 'Hallo <b>{name}</b>,',
    closing: '',
  };
  const send = (action: string, fields: Record<string, string> = {}, viewer = writer) =>
    postForm(
      api,
      '/dashboard/mails',
      { token: viewer.token, form_id: crypto.randomUUID(), action, ...typed, ...fields },
      viewer.cookies,
    );
  const formOf = (language: string) => look(`edit=purchase&language=${language}`);

  it('200: a preview shows them in the frame of a mail, and stores nothing', async () => {
    const { status, text, headers } = await send('preview_words');
    expect(status).toBe(200);
    expect(text).toContain('Hallo &lt;b&gt;Sample buyer&lt;/b&gt;,');
    expect(visibleText(text)).toContain('Subject: Danke, Sample buyer!');
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect((await formOf('de')).text).not.toContain('Hallo');
  });

  it('422: an unknown placeholder is named, in the form and in the frame', async () => {
    for (const action of ['save_words', 'preview_words']) {
      const { status, text } = await send(action, { greeting: 'Hi {nome}' });
      expect([status, visibleText(text)]).toEqual([422, expect.stringContaining('No mail can fill in {nome}')]);
    }
    expect((await send('save_words', { subject: 'x'.repeat(121) })).status).toBe(422);
    expect((await send('save_words', { edit: 'sign_in' })).status).toBe(404);
  });

  it('422: more than 30 lines are refused, because they push the facts out of sight', async () => {
    const lines = (count: number) => ({ closing: Array(count).fill('.').join('\r\n') });
    expect((await send('preview_words', lines(30))).status).toBe(200);
    const { status, text } = await send('save_words', lines(31));
    expect([status, visibleText(text)]).toEqual([422, expect.stringContaining('Enter at most 30 lines.')]);
  });

  it('303: saved words are in the mails of their language only, until they are emptied', async () => {
    expect((await send('save_words')).status).toBe(303);
    const german = await look('language=de');
    expect(german.text).toContain('Own words');
    expect((await framesOf(german.text))[0]).toContain('Hallo &lt;b&gt;');
    expect((await framesOf((await look('language=fr')).text))[0]).toContain('Merci !');
    expect((await formOf('de')).text).toContain('Hallo &lt;b&gt;{name}');
    expect((await brands().get()).wordedIn).toEqual(['de']);
    await send('save_words', { subject: '', greeting: '' });
    expect((await brands().get()).wordedIn).toEqual([]);
    expect((await look('language=de')).text).not.toContain('Own words');
  });

  it('403: a viewer who may only read cannot save, but sees the form', async () => {
    const reader = await browse(api, await api.addKey({ access: 'read' }));
    expect((await send('save_words', {}, reader)).status).toBe(403);
    expect((await formOf('en')).text).toMatch(/<fieldset class="card" disabled>/);
  });
});
