import * as z from 'zod';
import { type TaxCategory, taxCategories } from '../domain/checkout/tax.ts';
import { currencies, isCurrency, isPaidCurrency, paidCurrencies } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import { countryCode } from './text/texts.ts';
import { withCode } from './with-code.ts';

const notWhole = 'must be a whole number of minor units';
/** What a schema cannot say by itself, for the published contract: its refinements are code. */
const amountBounds = { type: 'integer', minimum: 0, maximum: maxAmount } as const;

const isInRange = (value: number): boolean => !Number.isInteger(value) || (value >= 0 && value <= maxAmount);

/** An amount in minor units. -0 becomes 0; fractions and values above 32 bits are refused. */
export const MoneyAmount = z
  .number({ error: ({ input }) => (input === undefined ? undefined : notWhole) })
  .refine(Number.isInteger, notWhole)
  .refine(isInRange, withCode('INTEGER_CONVERSION_FAILURE', `must be between 0 and ${maxAmount}`))
  .meta(amountBounds)
  .transform((value) => value + 0);

export const CurrencyCode = z
  .string()
  .refine(
    isCurrency,
    withCode('UNSUPPORTED_CURRENCY', `must be one of the ${currencies.length} supported ISO 4217 codes`),
  )
  .meta({ enum: [...currencies] });

/** A currency to search payments by. Those that ISO 4217 has withdrawn are allowed. */
export const PaidCurrencyCode = z
  .string()
  .refine(isPaidCurrency, withCode('UNSUPPORTED_CURRENCY', `must be one of ${paidCurrencies.length} ISO 4217 codes`))
  .meta({ enum: [...paidCurrencies] });

export const TaxCategoryName = z
  .string()
  .refine(
    (value): value is TaxCategory => (taxCategories as readonly string[]).includes(value),
    withCode('UNSUPPORTED_TAX_CATEGORY', `must be one of ${taxCategories.join(', ')}`),
  )
  .meta({ enum: [...taxCategories] })
  .transform((value) => value as TaxCategory);

/** `pdt_` and 21 letters or digits. */
export const idOf = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{21}$`), {
    error: ({ input }) =>
      String(input).startsWith(`${prefix}_`)
        ? `must have exactly 21 letters or digits after ${prefix}_`
        : `must be an id that starts with ${prefix}_`,
  });

/** ISO 3166-1 alpha-2, whether or not the country is known. */
export const CountryCode = countryCode();

/** A language tag, such as `fr` or `pt-BR`. */
export const localeText = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag, such as fr or pt-BR');

/** Removes the dialect's fields that have no effect here, so the rest can be strict. */
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
