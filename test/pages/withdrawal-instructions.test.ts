import { describe, expect, it } from 'vitest';
import { withdrawalInstructions } from '../../shared/pages/withdrawal-instructions.ts';
import { longerTexts } from '../../shared/texts/legal-words.ts';
import { checkoutTranslator, type Locale, locales } from '../../shared/texts/texts.ts';

const contact = {
  seller: 'Kestrel Press (example)',
  address: ['Quay 4', '20457 Hamburg'],
  phone: '+49 40 5550100',
  email: 'help@kestrel.example',
  url: 'https://pay.kestrel.example/withdraw',
};

const textOf = (locale: Locale, supplies: Parameters<typeof withdrawalInstructions>[2], of = contact): string =>
  JSON.stringify(withdrawalInstructions(locale, of, supplies)).replace(/[\u2066-\u2069]/g, '');

describe('the instructions about the right of withdrawal', () => {
  it.each(locales)('in %s name the seller, every way of contact and the address of the withdrawal page', (locale) => {
    const { parts, form } = withdrawalInstructions(locale, contact, ['content', 'service']);
    expect(parts.map(({ paragraphs }) => paragraphs.length)).toEqual([5, 2, 2]);
    expect(form.lines).toHaveLength(9);
    const whom = `${contact.seller}, Quay 4, 20457 Hamburg`;
    const [right = '', to = ''] = [parts[0]?.paragraphs[2], form.lines[1]].map((text) =>
      text?.replace(/[\u2066-\u2069]/g, ''),
    );
    for (const text of [right, to])
      for (const part of [whom, contact.phone, contact.email]) expect(text).toContain(part);
    expect(parts[0]?.paragraphs[3]).toContain(contact.url);
    expect(textOf(locale, ['content', 'service'])).not.toMatch(/\{\w+\}/);
    expect(parts[0]?.paragraphs.join(' ')).toMatch(/14|vierzehn|quatorze/);
  });

  it('cover only the kinds of goods that are sold', () => {
    const [content, service] = [textOf('en', ['content']), textOf('en', ['service'])];
    expect(content).toContain('For digital content');
    expect(content).not.toContain('services');
    expect(service).toContain('an amount which is in proportion');
    expect(service).not.toContain('digital content');
  });

  it('omit a telephone number or an e-mail address that the seller does not have', () => {
    expect(textOf('en', ['content'], { ...contact, phone: null as never })).not.toContain('telephone');
    expect(textOf('en', ['content'], { ...contact, email: null as never })).not.toContain('e-mail:');
  });

  it.each(locales)('in %s are marked as translated or as adapted from a law', (locale) => {
    const isOurs = ['ja', 'ko', 'th', 'zh', 'zh-TW', 'ar', 'he'].includes(locale);
    expect(longerTexts[locale].review).toBe(isOurs ? 'translated' : 'adapted');
  });
});

describe('the texts of the two consent checkboxes', () => {
  it.each(locales)('in %s name the seller, and differ from each other', (locale) => {
    const t = checkoutTranslator(locale);
    const texts = (['consent.immediate_supply', 'consent.early_start'] as const).map((key) =>
      t(key, { seller: contact.seller }),
    );
    for (const text of texts) expect(text).toContain(contact.seller);
    expect(new Set(texts).size).toBe(2);
  });
});
