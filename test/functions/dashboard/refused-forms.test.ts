import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { type RefusedForm, refusedForms } from '../../support/forms/refused-forms.ts';
import { leftInEnglish } from '../../support/forms/spoken.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { browseAs } from '../../support/shop/members.ts';
import { changeEnglish, mark, restoreEnglish } from '../../support/wire/other-english.ts';
import { textFiles } from '../../texts/text-files.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let forms: RefusedForm[];
let viewer: Awaited<ReturnType<typeof browseAs>>;

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: mails });
  const refused = await refusedForms(api);
  forms = refused.forms;
  viewer = await browseAs(api, refused.owner);
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

type Locale = 'de' | 'fr' | 'es';

async function send({ command, path, fields }: RefusedForm, locale: Locale) {
  const keys = { action: command.split('.')[1] ?? '', token: viewer.token, form_id: randomUUID() };
  const isGate = command.startsWith('/dashboard/sign-in');
  const cookies = [...(isGate ? [] : viewer.cookies), `tillstack-language=${locale}`];
  return postForm(api, path, { ...keys, ...fields }, cookies);
}

/** What a page says about a refusal. */
const refusalsIn = (page: string): string[] =>
  [...page.matchAll(/<(\w+)[^>]*(?:class="[^"]*\bfault|role="alert")[^>]*>(.*?)<\/\1>/gs)].map(([, , said = '']) =>
    said.replace(/<[^>]*>/g, ' ').trim(),
  );

afterEach(restoreEnglish);

/** Forms that answer with texts of their own page, and so show no sentence of the API. Their own tests read those. */
const withOwnWords = /^\/dashboard\/withdrawals\b| (?:add_codes|import_keys)$/;

describe('the test of refused dashboard forms', () => {
  it('covers every command and every form in the route table', () => {
    const routes = endpoints.filter(
      ({ method, paths: [path] }) => path.startsWith('/dashboard') && ['POST', 'ANY'].includes(method),
    );
    const posted = routes.flatMap(({ paths, commands }) => {
      if (!commands) return paths.map((path) => [path]);
      return Object.keys(commands).map((command) => paths.map((path) => `${path} ${command}`));
    });
    const sent = new Set(forms.map(({ command, path }) => `${path} ${command.split('.')[1] ?? ''}`.trim()));
    const isSent = (route: string): boolean => {
      const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/ ]+')}$`);
      return [...sent].some((one) => pattern.test(one));
    };
    const isOwn = (route: string): boolean => withOwnWords.test(route);
    expect(posted.filter((routesOfForm) => !routesOfForm.some(isSent) && !routesOfForm.some(isOwn))).toEqual([]);
  });

  it('can change the API’s messages', async () => {
    changeEnglish();
    expect((await api.call('POST /brands', { body: { name: '' } })).body.message).toContain(mark);
  });

  /** German gets every form, the other languages the first form of each command. */
  const firstOfEach = () =>
    forms.filter(({ command }, index) => forms.findIndex((one) => one.command === command) === index);

  it.each(['de', 'fr', 'es'] as const)(
    'finds the reason in %s on each page, without English, even when the API’s messages change',
    async (locale) => {
      const { frame } = textFiles[`dashboard/${locale}.json`] ?? {};
      const vague = [frame?.['fault.other'] ?? '', frame?.['fault.exists'] ?? ''];
      const wrong: unknown[] = [];
      for (const form of locale === 'de' ? forms : firstOfEach()) {
        const { status, text } = await send(form, locale);
        const said = refusalsIn(text);
        const isRefused = status >= 400 || said.length > 0 || form.command === '/dashboard/sign-in/link';
        if (!isRefused) wrong.push([form, 'is accepted', status]);
        const isVague = said.some((one) => vague.some((words) => one.includes(words)));
        if (isVague) wrong.push([form, 'has no reason of its own', said]);
        const english = leftInEnglish(text, locale);
        if (english.length > 0) wrong.push([form, 'shows English', english]);
        changeEnglish();
        const again = await send(form, locale);
        restoreEnglish();
        const isUnmoved = again.status === status && JSON.stringify(refusalsIn(again.text)) === JSON.stringify(said);
        if (!isUnmoved || again.text.includes(mark)) wrong.push([form, 'follows the English', refusalsIn(again.text)]);
      }
      expect(wrong).toEqual([]);
    },
  );
});
