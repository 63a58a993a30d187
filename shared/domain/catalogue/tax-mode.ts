import * as z from 'zod';
import type { Merchant } from '../merchant.ts';

/** How the tax of a price follows from the buyer's country. */
export const TaxByPlace = z.object({
  /** The country whose tax mode applies while the buyer's country is unknown. */
  anchor: z.string(),
  /** The countries in which tax is added to the price. Elsewhere the price includes it. */
  exclusiveIn: z.array(z.string()),
});
type TaxByPlace = z.infer<typeof TaxByPlace>;

/** Whether a price includes its tax. */
export interface PriceTax {
  /** Whether the price includes tax: everywhere, or in the anchor country of `taxByPlace`. */
  taxInclusive: boolean;
  /** Tax by place; absent if the price is the same everywhere. */
  taxByPlace?: TaxByPlace | undefined;
}

/** The countries in which the merchant shows prices without tax. */
export interface TaxCustom {
  merchantCountry: string;
  exclusiveCountries: readonly string[];
}

/** The merchant's choice of countries; by default the United States and Canada. */
export const taxCustomOf = ({
  country,
  exclusiveCountries = ['US', 'CA'],
}: Pick<Merchant, 'country' | 'exclusiveCountries'>): TaxCustom => ({ merchantCountry: country, exclusiveCountries });

/** Whether a price includes its tax for a buyer in a country. The shown number is the same everywhere. */
export const isInclusiveIn = ({ taxInclusive, taxByPlace }: PriceTax, country: string): boolean =>
  taxByPlace ? !taxByPlace.exclusiveIn.includes(country) : taxInclusive;

/** Whether there may be a country in which the price includes its tax. */
export const mayBeInclusive = ({ taxInclusive, taxByPlace }: PriceTax): boolean =>
  taxInclusive || taxByPlace !== undefined;

/** The price for a buyer in a country: with its tax included, or without. */
export function taxedIn<P extends PriceTax>(price: P, country: string): P {
  if (!price.taxByPlace) return price;
  const { taxByPlace: _, ...terms } = price;
  return { ...terms, taxInclusive: isInclusiveIn(price, country) } as P;
}

/** Tax by place, with the merchant's current list of countries. */
export function taxByPlaceOf(anchor: string | null, { merchantCountry, exclusiveCountries }: TaxCustom): PriceTax {
  const taxByPlace = { anchor: anchor ?? merchantCountry, exclusiveIn: [...exclusiveCountries] };
  return { taxByPlace, taxInclusive: isInclusiveIn({ taxInclusive: true, taxByPlace }, taxByPlace.anchor) };
}
