import * as z from 'zod';
import type { LocalizedPrice } from '../../domain/catalogue/localized-price.ts';
import type { PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { text } from '../text/texts.ts';
import { MoneyAmount } from '../values.ts';

/** The terms of a price that the buyer chooses, by their names in the API, with their names in the domain. */
const names = {
  suggested_price: 'suggested',
  maximum_price: 'maximum',
  preset_amounts: 'presetAmounts',
  allow_zero: 'allowZero',
  minimum_net: 'minimumNet',
  purpose: 'purpose',
  show_net: 'showsNet',
} as const;
type Names = typeof names;
type Term = keyof Names;

type MarketTerm = Exclude<Term, 'allow_zero' | 'purpose' | 'show_net'>;

/** The terms that localized prices also have. For the other terms, the product's own price applies. */
export const marketPart = <Terms extends Record<Term, unknown>>({ allow_zero, purpose, show_net, ...part }: Terms) =>
  part;

const allTerms = Object.keys(names) as Term[];
const marketTerms = () => Object.keys(marketPart(names)) as MarketTerm[];

/**
 * The schemas of the terms in a request for the product's own price. It is a function, so that code that only makes
 * answers builds no schemas.
 */
export const termInputs = () => ({
  suggested_price: MoneyAmount.nullish(),
  maximum_price: MoneyAmount.nullish(),
  preset_amounts: z
    .array(MoneyAmount)
    .max(6, says(sentences.too_many, { most: 6, entries: 'amounts' }))
    .nullish(),
  allow_zero: z.boolean().nullish(),
  minimum_net: MoneyAmount.nullish(),
  purpose: text(1, 200).nullish(),
  show_net: z.boolean().nullish(),
});

type Inputs = z.output<z.ZodObject<ReturnType<typeof termInputs>>>;

/** The schemas of the terms in a request for a localized price. */
export const marketTermInputs = () => marketPart(termInputs());

/** The terms that a fixed price refuses. It only ignores a suggested and a maximum price. */
export const refusedIfFixed = () =>
  allTerms.filter(
    (term): term is Exclude<Term, 'suggested_price' | 'maximum_price'> =>
      term !== 'suggested_price' && term !== 'maximum_price',
  );

type Named<Input> = { [Name in keyof Input & Term as Names[Name]]: Input[Name] };

/** The terms of a request, under their names in the domain. */
export const readTerms = <Input extends { [Name in Term]?: unknown }>(input: Input) =>
  Object.fromEntries(allTerms.flatMap((term) => (term in input ? [[names[term], input[term]]] : []))) as Named<Input>;

/** The terms of the product's own price. Empty optional terms are left out. */
export function readOwnTerms(input: Inputs) {
  const { suggested = null, maximum = null, ...optional } = readTerms(input);
  return { suggested, maximum, ...withoutEmpty(optional) };
}

const withoutEmpty = <Terms extends object>(terms: Terms) =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value)) as {
    [Name in keyof Terms]?: Exclude<Terms[Name], null | undefined | false>;
  };

/** The terms of a new localized price. A missing term is null. */
export const readMarketTerms = (input: Pick<Inputs, MarketTerm>) =>
  Object.fromEntries(marketTerms().map((term) => [names[term], input[term] ?? null])) as Pick<
    LocalizedPrice,
    Names[MarketTerm]
  >;

type TermValues = { [Name in Term as Names[Name]]?: unknown };

const presented = <Price extends TermValues, Shown extends Term>(terms: readonly Shown[], price: Price) =>
  Object.fromEntries(terms.map((term) => [term, price[names[term]] ?? null])) as {
    [Name in Shown]: NonNullable<Price[Names[Name]]> | null;
  };

/** The terms of the product's own price in an answer. A fixed price has none. */
export const presentTerms = (price: Partial<PayWhatYouWant>) => ({
  ...presented(allTerms, price),
  allow_zero: price.allowZero === true,
  show_net: price.showsNet === true,
});

/** The terms of a localized price in an answer. */
export const presentMarketTerms = (price: LocalizedPrice) => presented(marketTerms(), price);
