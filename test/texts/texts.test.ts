import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locales } from '../../shared/pages/locale.ts';
import { textFiles, textFolders, translationFaults } from './text-files.ts';

const folders = textFolders(textFiles);
const others = locales.filter((language) => language !== 'en');

/** Texts that are the same words in several languages: names of taxes, `Total`, `E-mail`. */
const sameWords: Readonly<Record<string, RegExp>> = {
  pages:
    /^(tax\.name\.|tax\.added|tax\.part|language$|field\.(name|email)$|order\.(total|net|displayed)$|amount\.minimum$|sandbox\.badge|receipt\.documents|details)/,
  documents:
    /^(net|total|number|line\.(net|quantity)|taxes\.(rate|amount)|reverse_charge|refund|payment|page|vat_id|title\.invoice|mail\.document)$/,
};

describe('the files of texts', () => {
  it('belong to the buyers’ faces', () => {
    expect(folders).toEqual(['checkout', 'documents', 'pages', 'recovery']);
  });

  it.each(folders)('of %s have every English text in every language', (folder) => {
    expect(translationFaults(textFiles, folder, locales)).toEqual([]);
  });

  it.each(folders)('of %s are translated, except for words that languages share', (folder) => {
    const english = textFiles[`${folder}/en.json`] ?? {};
    const untranslated = others.flatMap((language) =>
      Object.entries(textFiles[`${folder}/${language}.json`] ?? {})
        .filter(([key, text]) => text === english[key] && !sameWords[folder]?.test(key))
        .map(([key]) => `${folder}/${language}.json: ${key}`),
    );
    expect(untranslated).toEqual([]);
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
