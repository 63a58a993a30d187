import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { maxAmount } from '../../domain/money/money.ts';
import { type AmountFault, amountText, exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import type { FormFault } from '../parts.ts';

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
  taxInclusive: boolean;
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
  taxInclusive: true,
  place,
});

export function draftOf({ price, ...product }: Product, place: string): ProductDraft {
  const { name, description, brandId, taxCategory } = product;
  const { currency, taxInclusive } = price;
  const own = { name, description, brandId, taxCategory, currency, taxInclusive, place };
  return { ...own, isOpen: price.kind === 'pay_what_you_want', ...typedAmounts(price) };
}

function typedAmounts(price: Price): Pick<ProductDraft, 'price' | 'minimum' | 'suggested' | 'maximum'> {
  const typed = (amount: number | null) => (amount === null ? '' : amountText(amount, price.currency, 'en'));
  if (price.kind === 'fixed') return { price: typed(price.unitAmount), minimum: '', suggested: '', maximum: '' };
  const { minimum, suggested, maximum } = price;
  return { price: '', minimum: typed(minimum), suggested: typed(suggested), maximum: typed(maximum) };
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
  taxInclusive: form.has('tax_inclusive'),
  place: form.text('place'),
});

/** What the API would be sent, and what cannot be read. */
export function productBody(draft: ProductDraft): { body: Record<string, unknown>; faults: FormFault[] } {
  const { name, description, taxInclusive: tax_inclusive, currency } = draft;
  const amounts = draft.isOpen ? openAmounts(draft) : { price: readAmount(draft, 'price', true) };
  const read = Object.values(amounts);
  const faults = read.flatMap((amount) => (amount.fault ? [amount.fault] : []));
  const values = Object.fromEntries(Object.entries(amounts).map(([key, { amount }]) => [key, amount]));
  const price = { type: 'one_time_price', currency, pay_what_you_want: draft.isOpen, ...values };
  const body = { name, description, tax_category: draft.taxCategory, brand_id: draft.brandId || null, tax_inclusive };
  return { body: { ...body, price }, faults };
}

const openAmounts = (draft: ProductDraft) => ({
  price: readAmount(draft, 'minimum', true),
  suggested_price: readAmount(draft, 'suggested', false),
  maximum_price: readAmount(draft, 'maximum', false),
});

const labels = {
  price: 'price',
  minimum: 'minimum price',
  suggested: 'suggested price',
  maximum: 'maximum price',
} as const;
type AmountField = keyof typeof labels;

function readAmount(
  draft: ProductDraft,
  field: AmountField,
  isRequired: boolean,
): { amount: number | null; fault?: FormFault } {
  const { [field]: typed, currency } = draft;
  if (!isCurrency(currency)) return { amount: 0 };
  if (typed === '') return isRequired ? faulty(field, `Enter the ${labels[field]}. It can be 0.`) : { amount: null };
  const reading = parseAmount(typed, currency, 'en');
  return 'amount' in reading ? reading : faulty(field, amountMessage(reading.fault, labels[field], currency));
}

const faulty = (field: string, message: string) => ({ amount: 0, fault: { field, message } });

function amountMessage(fault: AmountFault, label: string, currency: string): string {
  const example = exampleAmount(currency, 'en');
  if (fault === 'too_large') return `The ${label} can be at most ${formatMoney(maxAmount, currency, 'en')}.`;
  if (fault === 'ambiguous') return `The ${label} is not clear. Enter it like ${example}.`;
  if (fault === 'too_precise')
    return `The ${label} has more decimal places than ${currency} has. Enter it like ${example}.`;
  return `Enter the ${label} in digits, such as ${example}.`;
}

/** The API's paths, and the fields of the form that they are about. */
const fieldOf: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  brand_id: 'brand_id',
  tax_category: 'tax_category',
  tax_inclusive: 'tax_inclusive',
  'price.currency': 'currency',
  'price.suggested_price': 'suggested',
  'price.maximum_price': 'maximum',
  image_id: 'image',
};

/** The API's faults for a form, at its fields and in the merchant's words. */
export function formFaultsOf(refusal: DomainError, draft: ProductDraft): FormFault[] {
  const named = faultsOf(refusal, { ...fieldOf, 'price.price': draft.isOpen ? 'minimum' : 'price' });
  const words = { ...spoken, ...limitWords(draft) };
  return named.map(({ field, message }) => ({ field, message: words[field] ?? message }));
}

/** What the amounts must be, with the amount that they are compared with. */
function limitWords(draft: ProductDraft): Record<string, string> {
  const { currency } = draft;
  if (!isCurrency(currency)) return {};
  const read = (field: 'minimum' | 'suggested') => readAmount(draft, field, false).amount ?? 0;
  const [minimum, suggested] = [read('minimum'), read('suggested')];
  const least = (thing: string, amount: number) => `at least the ${thing}, ${formatMoney(amount, currency, 'en')}`;
  const bound = suggested > minimum ? least('suggestion', suggested) : least('minimum', minimum);
  return {
    suggested: `The suggestion must be ${least('minimum', minimum)}.`,
    maximum: `The maximum must be ${bound}.`,
  };
}

const spoken: Readonly<Record<string, string>> = {
  name: 'Enter a name of 1 to 100 characters, without card numbers.',
  description: 'Enter a description of 1 to 1,000 characters, without card numbers.',
  currency: 'Choose a currency.',
  tax_category: 'Choose a tax category.',
  brand_id: 'Choose one of your brands.',
};
