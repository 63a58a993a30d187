import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dashboardLanguages, locales } from '../../shared/texts/texts.ts';
import { treeOf } from '../architecture/tree.ts';
import { textFiles, translationFaults } from './text-files.ts';

const faces = [
  { face: 'buyers', languages: locales },
  { face: 'dashboard', languages: dashboardLanguages },
];
const sections = faces.flatMap(({ face, languages }) =>
  Object.keys(textFiles[`${face}/en.json`] ?? {}).map((section) => ({ face, section, languages })),
);
const translations = sections.flatMap(({ face, section, languages }) =>
  languages.filter((language) => language !== 'en').map((language) => ({ face, section, language })),
);
const sectionOf = (face: string, section: string, language: string) =>
  textFiles[`${face}/${language}.json`]?.[section] ?? {};

/** Texts of buyers that are the same words in several languages: names of taxes, `Total`, `E-mail`. */
const sameWords: Readonly<Record<string, RegExp>> = {
  taxes: /^tax\.([A-Z]|added|part)/,
  pages:
    /^(language$|field\.(name|email)$|order\.(total|net|displayed)$|amount\.minimum$|sandbox\.badge|receipt\.documents|details)/,
  instructions: /^form\.date$/,
  templates: /^(email|row)$/,
  documents:
    /^(net|total|number|line\.(net|quantity)|taxes\.(rate|amount)|reverse_charge|refund|payment|order|page|vat_id|title\.invoice|mail\.document)$/,
};

/** Names of taxes, and texts of placeholders only, are the same in every language. */
const isName = (text: string) => /^(?:[A-Z]{3}|[^a-z]*(?:\{\w+\}[^a-z]*)+)$/.test(text);

/** What is written as in English in another language, as `[key, text]`. */
function sameAsEnglish(face: string, section: string, language: string): [string, string][] {
  const english = sectionOf(face, section, 'en');
  return Object.entries(sectionOf(face, section, language)).filter(([key, text]) => text === english[key]);
}

const namesNoSection = (source: string): boolean => /\b(buyer|dashboard)Texts\((?!'\w+'\))/.test(source);

describe('the translation files', () => {
  it('exist once for each user interface and language', () => {
    const paths = faces.flatMap(({ face, languages }) => languages.map((language) => `${face}/${language}.json`));
    expect(Object.keys(textFiles).sort()).toEqual(paths.sort());
  });

  it.each(faces)('of the user interface $face have every English text in every language', ({ face, languages }) => {
    expect(translationFaults(textFiles, face, languages)).toEqual([]);
  });

  it.each(translations.filter(({ face }) => face === 'buyers'))(
    'of the buyers’ section $section in $language are translated, except for words that languages share',
    ({ face, section, language }) => {
      const same = sameAsEnglish(face, section, language);
      expect(same.filter(([key]) => !sameWords[section]?.test(key))).toEqual([]);
    },
  );

  it.each(translations.filter(({ face }) => face === 'dashboard'))(
    'of the dashboard’s section $section in $language are translated, except for single words that languages share',
    ({ face, section, language }) => {
      const words = Object.values(sectionOf(face, section, language)).filter((text) => !isName(text));
      const same = sameAsEnglish(face, section, language).filter(([, text]) => !isName(text));
      expect(same.filter(([, text]) => text.split(' ').length > 2)).toEqual([]);
      expect(same.length).toBeLessThanOrEqual(words.length / 5);
    },
  );

  it.each(sections)('of the user interface $face have singular and plural texts in $section', ({ face, section }) => {
    const keys = Object.keys(sectionOf(face, section, 'en'));
    const counted = keys.filter((key) => key.endsWith('.one'));
    expect(keys).toEqual(expect.arrayContaining(counted.map((key) => key.replace(/one$/, 'other'))));
  });

  it('are exactly the files that texts.ts reads', () => {
    const reader = readFileSync(new URL('../../shared/texts/texts.ts', import.meta.url), 'utf8');
    const read = [...reader.matchAll(/ from '\.\/(.+)' with \{ type: 'json' \};/g)].map(([, path]) => path);
    expect(read.sort()).toEqual(Object.keys(textFiles).sort());
  });

  it('are read by the literal name of a section, so a bundle contains only its sections', () => {
    const unfound = Object.entries(treeOf('shared', 'functions')).filter(([, source]) => namesNoSection(source));
    expect(unfound.map(([path]) => path)).toEqual([]);
    expect(['buyerTexts(section)', "dashboardTexts('mails')"].map(namesNoSection)).toEqual([true, false]);
  });

  it('never repeat a key in the sections that one buyer page reads', () => {
    for (const own of ['checkout', 'order', 'download']) {
      const keys = ['taxes', 'pages', own].flatMap((section) => Object.keys(sectionOf('buyers', section, 'en')));
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the list of missing translations', () => {
  const files = {
    'shop/en.json': { pay: { pay: 'Pay {total}' }, thanks: { thanks: 'Thank you' } },
    'shop/de.json': { pay: { pay: '{total} zahlen' }, thanks: { thanks: 'Danke' } },
    'shop/fr.json': { pay: { pay: 'Payer {totale}' }, thanks: { thanks: '', merci: 'Merci' } },
  };

  it('is empty for a language with all texts', () => {
    expect(translationFaults(files, 'shop', ['en', 'de'])).toEqual([]);
  });

  it('names each text that is missing, empty, unknown or has other placeholders', () => {
    expect(translationFaults(files, 'shop', ['fr', 'sv'])).toEqual([
      'shop/fr.json, pay: has other placeholders in "pay": "{totale}" instead of "{total}"',
      'shop/fr.json, thanks: has white space around "thanks", or no text',
      'shop/fr.json, thanks: has "merci", which English does not have',
      'shop/sv.json, pay: lacks "pay": Pay {total}',
      'shop/sv.json, thanks: lacks "thanks": Thank you',
    ]);
  });
});
