import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { amountText } from '../../pages/amount-input.ts';
import type { CatalogueKey } from '../../texts/texts.ts';
import type { DashboardForm } from '../form.ts';
import type { Texts } from '../texts.ts';
import { noOffer, type OfferEntries, offerEntriesFrom, offerEntriesOf } from './offer-entries.ts';

/** The entries of the product form, with amounts as typed. */
export interface ProductDraft {
  name: string;
  description: string;
  brandId: string;
  taxCategory: string;
  currency: string;
  isOpen: boolean;
  price: string;
  minimum: string;
  suggested: string;
  maximum: string;
  /** What the merchant keeps at least. */
  minimumNet: string;
  allowsZero: boolean;
  /** The amounts to choose from, with spaces between; `none` for none. */
  presets: string;
  taxInclusive: boolean;
  isTaxByPlace: boolean;
  /** The country whose custom holds while none is known; empty: the merchant's. */
  taxAnchor: string;
  offer: OfferEntries;
  /** Where the buyer of the example is: `DE`, `US-TX`. */
  place: string;
}

export const newDraft = (brandId: string, currency: string, place: string): ProductDraft => ({
  name: '',
  description: '',
  brandId,
  taxCategory: 'digital_products',
  currency,
  isOpen: false,
  price: '',
  minimum: '',
  suggested: '',
  maximum: '',
  minimumNet: '',
  allowsZero: false,
  presets: '',
  taxInclusive: true,
  isTaxByPlace: false,
  taxAnchor: '',
  offer: noOffer,
  place,
});

export function draftOf({ price, ...product }: Product, place: string, t: Texts<CatalogueKey>): ProductDraft {
  const { name, description, brandId, taxCategory } = product;
  const { currency, taxInclusive, taxByPlace } = price;
  const tax = { taxInclusive, isTaxByPlace: taxByPlace !== undefined, taxAnchor: taxByPlace?.anchor ?? '' };
  const own = { name, description, brandId, taxCategory, currency, ...tax, place };
  const offer = offerEntriesOf({ ...product, price });
  return { ...own, offer, isOpen: price.kind === 'pay_what_you_want', ...typedAmounts(price, t) };
}

type ChosenEntries = Pick<
  ProductDraft,
  'price' | 'minimum' | 'suggested' | 'maximum' | 'minimumNet' | 'allowsZero' | 'presets'
>;

function typedAmounts(price: Price, t: Texts<CatalogueKey>): ChosenEntries {
  const typed = (amount: number | null = null) => (amount === null ? '' : amountText(amount, price.currency, t.locale));
  const unset = { price: '', minimum: '', suggested: '', maximum: '', minimumNet: '', allowsZero: false, presets: '' };
  if (price.kind === 'fixed') return { ...unset, price: typed(price.unitAmount) };
  const { minimum, suggested, maximum, minimumNet, allowZero: allowsZero = false, presetAmounts } = price;
  const presets = presetAmounts?.length === 0 ? t('product.presets.none') : (presetAmounts ?? []).map(typed).join(' ');
  const limits = { minimum: typed(minimum), suggested: typed(suggested), maximum: typed(maximum) };
  return { price: '', ...limits, minimumNet: typed(minimumNet), allowsZero, presets };
}

export const draftFrom = (form: DashboardForm): ProductDraft => ({
  name: form.text('name'),
  description: form.text('description'),
  brandId: form.text('brand_id'),
  taxCategory: form.text('tax_category'),
  currency: form.text('currency'),
  isOpen: form.has('pay_what_you_want'),
  price: form.text('price'),
  minimum: form.text('minimum'),
  suggested: form.text('suggested'),
  maximum: form.text('maximum'),
  minimumNet: form.text('minimum_net'),
  allowsZero: form.has('allow_zero'),
  presets: form.text('preset_amounts'),
  taxInclusive: form.has('tax_inclusive'),
  isTaxByPlace: form.has('tax_by_place'),
  taxAnchor: form.text('tax_anchor'),
  offer: offerEntriesFrom(form),
  place: form.text('place'),
});
