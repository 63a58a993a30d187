import { expect, it } from 'vitest';
import { checkoutStrings } from '../../shared/checkout-page/languages/checkout-strings.ts';
import { locales, strings } from '../../shared/pages/locale.ts';

const keys = Object.keys(checkoutStrings.en) as (keyof typeof checkoutStrings.en)[];
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

it.each(locales)(
  '%s has every text of the checkout page, with its placeholders, and none that all pages have',
  (locale) => {
    expect(Object.keys(checkoutStrings[locale]).sort()).toEqual([...keys].sort());
    for (const key of keys) {
      expect(checkoutStrings[locale][key], key).toMatch(/^\S(.*\S)?$/);
      expect(placeholders(checkoutStrings[locale][key]), key).toEqual(placeholders(checkoutStrings.en[key]));
      expect(strings.en).not.toHaveProperty([key]);
    }
  },
);

it.each(locales.filter((locale) => locale !== 'en'))('%s is translated', (locale) => {
  expect(keys.filter((key) => checkoutStrings[locale][key] === checkoutStrings.en[key])).toEqual([]);
});
