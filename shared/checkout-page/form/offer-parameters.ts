import type { PageRequest } from '../../http/page.ts';
import { OfferLink } from '../../wire/checkout/offer-link.ts';
import { parseInput } from '../../wire/parse.ts';

/** The parameters of a product's link, as text and parsed. */
export interface OfferParameters {
  carried: Readonly<Record<string, string>>;
  link: OfferLink;
}

const names = Object.keys(OfferLink.shape);

/** Parses the parameters of a product's link. Refuses invalid ones. */
export function offerParameters({ query }: PageRequest): OfferParameters {
  const entries = names.flatMap((name): [string, string][] => {
    const value = query(name);
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  const carried = Object.fromEntries(entries);
  return { carried, link: parseInput(OfferLink, carried, 'INVALID_QUERY_PARAMS') };
}
