import { describe, expect, it, vi } from 'vitest';
import { languageOf, offeredLanguages, withLanguage } from '../../shared/dashboard/language.ts';
import { textsOf } from '../../shared/dashboard/texts.ts';
import { dashboardTexts } from '../../shared/texts/texts.ts';

describe('the texts of the dashboard', () => {
  it('exist in English, German, French and Spanish', () => {
    expect(offeredLanguages).toEqual([
      { locale: 'en', name: 'English' },
      { locale: 'de', name: 'Deutsch' },
      { locale: 'fr', name: 'Français' },
      { locale: 'es', name: 'Español' },
    ]);
  });

  it.each([
    ['en', 0, '0 payments'],
    ['en', 1, '1 payment'],
    ['de', 1, '1 Zahlung'],
    ['de', 1_234, '1.234 Zahlungen'],
    ['fr', 0, '0 paiement'],
    ['fr', 2, '2 paiements'],
    ['es', 1, '1 pago'],
    ['es', 0, '0 pagos'],
    ['es', 1_000_000, '1.000.000 pagos'],
  ] as const)('in %s use for the number %d the plural form %s', (locale, count, text) => {
    expect(textsOf(dashboardTexts('reports'), { locale }).count('payments', count)).toBe(text);
  });

  it('fall back to English when a language is missing, and insert values literally', () => {
    const english = { en: { greeting: 'Hello {name}{name}{other}' } };
    expect(textsOf(english, { locale: 'ja' })('greeting', { name: '$&{other}' })).toBe(
      'Hello $&{other}$&{other}{other}',
    );
  });
});

const asking = ({ lang, cookies = {}, accepted }: { lang?: string; cookies?: object; accepted?: string }) => ({
  query: (name: string) => (name === 'lang' ? lang : undefined),
  cookie: (name: string) => new Map<string, string>(Object.entries(cookies)).get(name),
  headers: { 'accept-language': accepted },
});

describe('the language of a dashboard page', () => {
  it.each([
    [{ lang: 'fr', cookies: { 'tillstack-language': 'de' }, accepted: 'es' }, 'fr'],
    [{ cookies: { 'tillstack-language': 'de' }, accepted: 'es' }, 'de'],
    [{ cookies: { '__Host-tillstack-language': 'es' }, accepted: 'de' }, 'es'],
    [{ accepted: 'ja, fr-CA;q=0.9, de;q=0.8' }, 'fr'],
    [{ lang: 'ja', accepted: 'de-AT' }, 'de'],
    [{ lang: '__proto__', cookies: { 'tillstack-language': 'constructor' } }, 'en'],
    [{}, 'en'],
  ])('for the preferences %j is %s', (request, locale) => {
    expect(languageOf(asking(request as Parameters<typeof asking>[0]))).toBe(locale);
  });

  it('is remembered only when the user chose it and it is offered', () => {
    const page = { statusCode: 200, headers: {}, body: '', cookies: ['a=b'] };
    vi.stubEnv('PUBLIC_URL', 'https://shop.example');
    expect(withLanguage(asking({ lang: 'de' }), page).cookies).toEqual([
      'a=b',
      '__Host-tillstack-language=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
    ]);
    for (const lang of [undefined, 'xx', 'de; Domain=evil', 'ja'])
      expect([lang, withLanguage(asking(lang === undefined ? {} : { lang }), page).cookies]).toEqual([lang, ['a=b']]);
    vi.unstubAllEnvs();
  });
});
