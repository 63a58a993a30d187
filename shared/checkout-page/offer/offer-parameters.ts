import type { PageRequest } from '../../http/page.ts';
import { OfferLink } from '../../wire/checkout/offer-link.ts';
import { parseInput } from '../../wire/parse.ts';

/** The parameters of a product's link, as text and parsed. */
export interface OfferParameters {
  carried: Readonly<Record<string, string>>;
  link: OfferLink;
}

/** What the buyer has typed on the product's page. The amount counts only in the currency in which it was typed. */
export interface TypedAmount {
  amount: string;
  currency: string;
}

/** The names of the fields on the product's page. */
export const offerFields = { amount: 'typed', currency: 'typed_in', country: 'country' } as const;

const names = Object.keys(OfferLink.shape);

/** The longest amount that is shown again. */
const maxTyped = 40;

/** Parses the parameters of a product's link. Refuses invalid ones. */
export function offerParameters({ query }: PageRequest): OfferParameters {
  const entries = names.flatMap((name): [string, string][] => {
    const value = query(name);
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  const carried = Object.fromEntries(entries);
  return { carried, link: parseInput(OfferLink, carried, 'INVALID_QUERY_PARAMS') };
}

/** The amount in the fields of the product's page. Undefined if the buyer has typed none. */
export function typedAmount(field: (name: string) => string | null | undefined): TypedAmount | undefined {
  const amount = field(offerFields.amount)?.trim().slice(0, maxTyped) ?? '';
  return amount === '' ? undefined : { amount, currency: field(offerFields.currency) ?? '' };
}
