import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { languageOf, offeredLanguages, withLanguage } from '../../shared/dashboard/language/language.ts';
import { reportsTexts } from '../../shared/dashboard/language/reports/dictionary.ts';
import { type Dictionary, languagesOf, textsOf } from '../../shared/dashboard/language/texts.ts';

const files = globSync('shared/dashboard/language/*/dictionary.ts');
const dictionaries = await Promise.all(
  files.map(async (file) => {
    const exported = Object.values(await import(pathToFileURL(file).href));
    return { file, dictionary: exported.find((one) => typeof one === 'object') as Dictionary<string> };
  }),
);
const cases = dictionaries.flatMap(({ file, dictionary }) =>
  languagesOf(dictionary).map((locale) => ({ area: file.split('/').at(-2), locale, dictionary })),
);
const others = cases.filter(({ locale }) => locale !== 'en');
/** Names of taxes, and texts of placeholders only, are the same in every language. */
const isName = (text: string) => /^(?:[A-Z]{3}|[^a-z]*(?:\{\w+\}[^a-z]*)+)$/.test(text);
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the texts of the dashboard', () => {
  it.each(dictionaries)('$file has German, French and Spanish, which can be chosen', ({ dictionary }) => {
    expect(languagesOf(dictionary)).toEqual(expect.arrayContaining(['en', 'de', 'fr', 'es']));
    expect(offeredLanguages.map(({ locale }) => locale)).toEqual(['en', 'de', 'fr', 'es']);
  });

  it.each(cases)('of $area in $locale are all there, none empty, with the placeholders of English', (one) => {
    const { locale, dictionary } = one;
    const texts = dictionary[locale]!;
    expect(Object.keys(texts).sort()).toEqual(Object.keys(dictionary.en).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect([key, text]).toEqual([key, expect.stringMatching(/^\S([\s\S]*\S)?$/)]);
      expect([key, placeholders(text)]).toEqual([key, placeholders(dictionary.en[key]!)]);
    }
  });

  it.each(others)(
    'of $area in $locale are translated, but for words that the languages share',
    ({ locale, dictionary }) => {
      const words = Object.entries(dictionary[locale]!).filter(([, text]) => !isName(text));
      const same = words.filter(([key, text]) => text === dictionary.en[key]);
      const sentences = same.filter(([, text]) => text.split(' ').length > 2);
      expect(sentences).toEqual([]);
      expect(same.length).toBeLessThan(words.length / 5);
    },
  );

  it.each(cases)('of $area in $locale have both forms of what depends on a number', ({ locale, dictionary }) => {
    const texts = dictionary[locale]!;
    const counted = Object.keys(texts).filter((key) => key.endsWith('.one'));
    for (const one of counted) expect(texts).toHaveProperty([one.replace(/one$/, 'other')]);
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
  ] as const)('in %s count %d as %s', (locale, count, text) => {
    expect(reportsTexts({ locale }).count('payments', count)).toBe(text);
  });

  it('fall back to English where a language is missing, and put in values literally', () => {
    const dictionary = { en: { greeting: 'Hello {name}{name}{other}' } };
    expect(textsOf(dictionary, 'ja')('greeting', { name: '$&{other}' })).toBe('Hello $&{other}$&{other}{other}');
  });
});

const asking = ({ lang, cookies = {}, accepted }: { lang?: string; cookies?: object; accepted?: string }) => ({
  query: (name: string) => (name === 'lang' ? lang : undefined),
  cookie: (name: string) => new Map<string, string>(Object.entries(cookies)).get(name),
  headers: { 'accept-language': accepted },
});

describe('the language of a page', () => {
  it.each([
    [{ lang: 'fr', cookies: { 'tillstack-language': 'de' }, accepted: 'es' }, 'fr'],
    [{ cookies: { 'tillstack-language': 'de' }, accepted: 'es' }, 'de'],
    [{ cookies: { '__Host-tillstack-language': 'es' }, accepted: 'de' }, 'es'],
    [{ accepted: 'ja, fr-CA;q=0.9, de;q=0.8' }, 'fr'],
    [{ lang: 'ja', accepted: 'de-AT' }, 'de'],
    [{ lang: '__proto__', cookies: { 'tillstack-language': 'constructor' } }, 'en'],
    [{}, 'en'],
  ])('of %j is %s', (request, locale) => {
    expect(languageOf(asking(request as Parameters<typeof asking>[0]))).toBe(locale);
  });

  it('is remembered only when it was chosen, and of what is offered', () => {
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
