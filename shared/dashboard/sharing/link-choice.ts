import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import { limitFault } from '../../domain/catalogue/pay-what-you-want.ts';
import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { PageRequest } from '../../http/page.ts';
import { parseAmount } from '../../pages/amount-input.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';

/** The merchant's choices for a product's link, as they were typed. */
export interface LinkChoice {
  quantity: string;
  amount: string;
  discount: string;
  language: string;
}

type LinkField = keyof LinkChoice;

/** The name of a field in the form. It differs from the names of the page's own parameters. */
export const linkFieldName = (field: LinkField): string => `link_${field}`;

export function linkChoiceOf({ query }: Pick<PageRequest, 'query'>): LinkChoice {
  const typed = (field: LinkField) => (query(linkFieldName(field)) ?? '').trim().slice(0, 40);
  return {
    quantity: typed('quantity'),
    amount: typed('amount'),
    discount: typed('discount'),
    language: typed('language'),
  };
}

/** A product, and the choices for its link. They were typed in the language of the page. */
export interface Shared {
  product: Pick<Product, 'id' | 'price'>;
  choice: LinkChoice;
  publicUrl: string;
  locale: Locale;
}

export interface ProductLink {
  url: string;
  /** The choices that are left out of the link, because no buyer could use them. */
  faults: readonly LinkField[];
}

/** The link with the chosen parameters. */
export function productLink({ product: { id, price }, choice, publicUrl, locale }: Shared): ProductLink {
  const quantity = /^\d{1,4}$/.test(choice.quantity) ? Number(choice.quantity) : 0;
  const amount = minorUnitsOf(choice.amount, price, locale);
  const isOrderable = quantity >= 1 && quantity <= mostUnits;
  const carried = {
    lang: findLocale(choice.language) ?? '',
    quantity: isOrderable && quantity > 1 ? String(quantity) : '',
    amount: amount === undefined ? '' : String(amount),
    discount: choice.discount,
  };
  const parameters = new URLSearchParams(Object.entries(carried).filter(([, value]) => value !== ''));
  const faults: LinkField[] = [
    ...(choice.quantity !== '' && !isOrderable ? (['quantity'] as const) : []),
    ...(choice.amount !== '' && amount === undefined ? (['amount'] as const) : []),
  ];
  return { url: [`${publicUrl}/buy/${id}`, String(parameters)].filter(Boolean).join('?'), faults };
}

/** An amount that a buyer may choose, in minor units; undefined if it is not allowed. */
function minorUnitsOf(typed: string, price: Price, locale: Locale): number | undefined {
  if (price.kind === 'fixed' || typed === '') return undefined;
  const reading = parseAmount(typed, price.currency, locale);
  return 'amount' in reading && !limitFault(reading.amount, price) ? reading.amount : undefined;
}
