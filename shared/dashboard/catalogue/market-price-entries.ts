import type { Product } from '../../domain/catalogue/product.ts';
import type { DomainError, ErrorCode } from '../../domain/errors.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type Entry, type Filled, refusedEntries } from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import { faultsOf } from '../form-faults.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { chosenTerms } from './product-entries.ts';

export const isChosen = ({ price }: Pick<Product, 'price'>): boolean => price.kind === 'pay_what_you_want';

const { money, select } = kindsOf(dashboardTexts('prices'));

const country = select('country', 'country_code', { label: 'field.country', refused: 'fault.country' });

/** The country of a price by country. The list has all countries of buyers. */
const countryOfBuyers: Entry = {
  ...country,
  read: (text, filled) =>
    buyerCountries.includes(text)
      ? { value: text }
      : { value: null, fault: textsOf(dashboardTexts('prices'), filled)('fault.country') },
};

function amountEntry(label: 'field.amount' | 'field.minimum', missing: TextKey<'prices'>): Entry {
  const amount = money('amount', 'amount', { label, isRequired: true, refused: missing });
  return {
    ...amount,
    read: (text, filled) =>
      text === '' ? { value: 0, fault: textsOf(dashboardTexts('prices'), filled)(missing) } : amount.read(text, filled),
  };
}

const fixedAmount = amountEntry('field.amount', 'fault.missing');
const leastAmount = amountEntry('field.minimum', 'fault.missing.minimum');

/** The fields that exist only if the buyer chooses the price. Suggested amounts have a shorter name here. */
export const marketTerms = chosenTerms.map(([entry]) => ({
  ...entry,
  name: entry.name.replace('preset_amounts', 'presets'),
  path: entry.path.replace('price.', ''),
  applies: () => true,
}));

/**
 * The fields of a price for a market. Fields for a price that the buyer chooses are only there if the product has such
 * a price.
 */
export const marketEntries = ({ price, pricingMode }: Pick<Product, 'price' | 'pricingMode'>) => ({
  currency: select('currency', 'currency', { label: 'field.currency', refused: 'fault.currency' }),
  country: pricingMode === 'by_country' ? countryOfBuyers : country,
  amount: isChosen({ price }) ? leastAmount : fixedAmount,
  tax: {
    ...select('tax', 'tax_inclusive', { label: 'field.tax' }),
    read: (text: string) => ({ value: text === '' ? null : text === 'true' }),
  },
  ...(isChosen({ price }) && Object.fromEntries(marketTerms.map((entry) => [entry.name, entry]))),
});

/** The id of a field. It contains the id of the price, because each price has its own form on the page. */
export const marketField = (priceId: string) => (name: string) => `market_${name}_${priceId || 'new'}`;

/** Errors about the market itself. They are shown at the field of the currency. */
const ofMarket: readonly ErrorCode[] = [
  'LOCALIZED_PRICE_ALREADY_EXISTS',
  'LOCALIZED_PRICE_DUPLICATES_BASE',
  'LOCALIZED_PRICE_SHAPE_MISMATCH',
  'PRODUCT_PRICING_MODE_REQUIRED',
];

/** The names of a product's price fields, which errors of the domain use, with the names of the fields here. */
const termNames = Object.fromEntries(marketTerms.map(({ path, name }) => [`price.${path}`, name]));

/** The API's errors, with the texts of the page, at the fields of the form. */
export function marketFaults(refusal: DomainError, filled: Filled, product: Product): FormFault[] {
  const t = textsOf(dashboardTexts('prices'), filled, dashboardTexts('faults'));
  if (ofMarket.includes(refusal.code))
    return faultsOf(refusal, t).map(({ message }) => ({ field: 'currency', message }));
  return refusedEntries(marketEntries(product), refusal, { ...filled, t }, termNames);
}
