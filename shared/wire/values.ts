import * as z from 'zod';
import { type TaxCategory, taxCategories } from '../domain/checkout/tax.ts';
import { currencies, isCurrency, isPaidCurrency, paidCurrencies } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { brokenRule } from '../domain/rules/rules.ts';
import { keepRule, says, saysWith } from './says.ts';
import { countryCode } from './text/texts.ts';

const notWhole = says(sentences.whole_amount);
/**
 * The limits of an amount as JSON Schema, for the published contract. The schema itself checks them with code, which
 * the contract cannot show.
 */
const amountBounds = { type: 'integer', minimum: 0, maximum: maxAmount } as const;

const isInRange = (value: number): boolean => !Number.isInteger(value) || (value >= 0 && value <= maxAmount);

/** An amount in minor units. -0 becomes 0. Fractions and amounts above 32 bits are refused. */
export const MoneyAmount = z
  .number(notWhole)
  .refine(Number.isInteger, notWhole)
  .refine(isInRange, saysWith('INTEGER_CONVERSION_FAILURE', sentences.range, { least: 0, most: maxAmount }))
  .meta(amountBounds)
  .transform((value) => value + 0);

export const CurrencyCode = z
  .string()
  .refine(isCurrency, saysWith('UNSUPPORTED_CURRENCY', sentences.currency_code, { count: currencies.length }))
  .meta({ enum: [...currencies] });

/** A currency in a search for payments. Currencies that ISO 4217 has withdrawn are allowed. */
export const PaidCurrencyCode = z
  .string()
  .refine(isPaidCurrency, saysWith('UNSUPPORTED_CURRENCY', sentences.paid_currency, { count: paidCurrencies.length }))
  .meta({ enum: [...paidCurrencies] });

export const TaxCategoryName = z
  .string()
  .refine(
    (value): value is TaxCategory => (taxCategories as readonly string[]).includes(value),
    saysWith('UNSUPPORTED_TAX_CATEGORY', sentences.one_of, { options: taxCategories.join(', ') }),
  )
  .meta({ enum: [...taxCategories] })
  .transform((value) => value as TaxCategory);

/** An id with its prefix, such as `pdt_` and 21 letters or digits. */
export const idOf = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{21}$`), {
    error: (issue) =>
      keepRule(
        issue,
        brokenRule(String(issue.input).startsWith(`${prefix}_`) ? sentences.id_length : sentences.id, { prefix }),
      ),
  });

/** A country code by ISO 3166-1 alpha-2. Whether the country exists is checked later. */
export const CountryCode = countryCode();

/** A language tag, such as `fr` or `pt-BR`. */
export const localeText = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, says(sentences.language));

/** Removes fields of the API that have no effect here. So the schema can refuse all other unknown fields. */
export function ignoring<T extends z.ZodType>(names: readonly string[], schema: T) {
  const ignored = new Set(names);
  const rest = z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.has(name)));
  }, schema);
  return rest.meta({ 'x-ignored-fields': names });
}

/** A copy without the members that are undefined. */
export const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
