import { expect, it } from 'vitest';
import { locales } from '../../shared/pages/locale.ts';
import { documentTranslator, translator } from '../../shared/texts/texts.ts';

/** What inflection leaves of the term, where a suffix or an article changes its first or last letters. */
const stems: Readonly<Record<string, string>> = { ar: 'ضريبي', en: 'tax id' };

it.each(locales)('in %s, the checkout, the mail and the later page use the same word for the tax id', (locale) => {
  const [checkout, later] = [translator(locale), documentTranslator(locale)];
  const name = checkout('field.tax_id');
  expect(later('add.tax_id')).toBe(name);
  const term = stems[locale] ?? name.toLowerCase();
  const values = { merchant: 'M', total: '1', country: 'C' };
  const asked = (
    ['mail.corrected.text', 'mail.tax_id', 'add.title', 'add.text', 'add.invalid', 'add.missing'] as const
  ).map((key) => later(key, values));
  for (const text of [checkout('business.hint'), checkout('fault.tax_id.invalid'), ...asked])
    expect(text.toLowerCase()).toContain(term);
});
