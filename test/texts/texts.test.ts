import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locales } from '../../shared/pages/locale.ts';
import { dashboardLanguages } from '../../shared/texts/texts.ts';
import { textFiles, textFolders, translationFaults } from './text-files.ts';

const folders = textFolders(textFiles);
const languagesOf = (folder: string) => (folder.startsWith('dashboard/') ? dashboardLanguages : locales);
const cases = folders.flatMap((folder) =>
  languagesOf(folder)
    .filter((language) => language !== 'en')
    .map((language) => ({ folder, language })),
);

/** Texts that are the same words in several languages: names of taxes, `Total`, `E-mail`. */
const sameWords: Readonly<Record<string, RegExp>> = {
  pages:
    /^(tax\.name\.|tax\.added|tax\.part|language$|field\.(name|email)$|order\.(total|net|displayed)$|amount\.minimum$|sandbox\.badge|receipt\.documents|details)/,
  documents:
    /^(net|total|number|line\.(net|quantity)|taxes\.(rate|amount)|reverse_charge|refund|payment|page|vat_id|title\.invoice|mail\.document)$/,
};

/** Names of taxes, and texts of placeholders only, are the same in every language. */
const isName = (text: string) => /^(?:[A-Z]{3}|[^a-z]*(?:\{\w+\}[^a-z]*)+)$/.test(text);

/** What is written as in English in another language, as `[key, text]`. */
function sameAsEnglish(folder: string, language: string): [string, string][] {
  const english = textFiles[`${folder}/en.json`] ?? {};
  return Object.entries(textFiles[`${folder}/${language}.json`] ?? {}).filter(([key, text]) => text === english[key]);
}

describe('the files of texts', () => {
  it('belong to the buyers’ faces and to the dashboard', () => {
    const faces = new Set(folders.map((folder) => folder.split('/')[0]));
    expect([...faces]).toEqual(['checkout', 'dashboard', 'documents', 'pages', 'recovery']);
  });

  it.each(folders)('of %s have every English text in every language', (folder) => {
    expect(translationFaults(textFiles, folder, languagesOf(folder))).toEqual([]);
  });

  it.each(cases.filter(({ folder }) => !folder.startsWith('dashboard/')))(
    'of $folder in $language are translated, except for words that languages share',
    ({ folder, language }) => {
      const same = sameAsEnglish(folder, language);
      expect(same.filter(([key]) => !sameWords[folder]?.test(key))).toEqual([]);
    },
  );

  it.each(cases.filter(({ folder }) => folder.startsWith('dashboard/')))(
    'of $folder in $language are translated, except for single words that languages share',
    ({ folder, language }) => {
      const words = Object.values(textFiles[`${folder}/${language}.json`] ?? {}).filter((text) => !isName(text));
      const same = sameAsEnglish(folder, language).filter(([, text]) => !isName(text));
      expect(same.filter(([, text]) => text.split(' ').length > 2)).toEqual([]);
      expect(same.length).toBeLessThan(words.length / 5);
    },
  );

  it.each(folders)('of %s have both forms of what depends on a number', (folder) => {
    const keys = Object.keys(textFiles[`${folder}/en.json`] ?? {});
    const counted = keys.filter((key) => key.endsWith('.one'));
    expect(keys).toEqual(expect.arrayContaining(counted.map((key) => key.replace(/one$/, 'other'))));
  });

  it('are all read by texts.ts, and nothing else is', () => {
    const reader = readFileSync(new URL('../../shared/texts/texts.ts', import.meta.url), 'utf8');
    const read = [...reader.matchAll(/ from '\.\/(.+)' with \{ type: 'json' \};/g)].map(([, path]) => path);
    expect(read.sort()).toEqual(Object.keys(textFiles).sort());
  });

  it('of the checkout page repeat no key of the pages around it', () => {
    const keys = Object.keys(textFiles['checkout/en.json'] ?? {});
    expect(keys.filter((key) => key in (textFiles['pages/en.json'] ?? {}))).toEqual([]);
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the list of what is missing', () => {
  const files = {
    'shop/en.json': { pay: 'Pay {total}', thanks: 'Thank you' },
    'shop/de.json': { pay: '{total} zahlen', thanks: 'Danke' },
    'shop/fr.json': { pay: 'Payer {totale}', thanks: '', merci: 'Merci' },
  };

  it('is empty for a language that has everything', () => {
    expect(translationFaults(files, 'shop', ['en', 'de'])).toEqual([]);
  });

  it('names each text that lacks, is empty, is not known or has other placeholders', () => {
    expect(translationFaults(files, 'shop', ['fr', 'sv'])).toEqual([
      'shop/fr.json has other placeholders in "pay": "{totale}" instead of "{total}"',
      'shop/fr.json has white space around "thanks", or no text',
      'shop/fr.json has "merci", which English does not have',
      'shop/sv.json lacks "pay": Pay {total}',
      'shop/sv.json lacks "thanks": Thank you',
    ]);
  });
});
