import type { PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { ConsentKind, GivenConsent, SupplyConsentKind } from '../../domain/checkout/consent.ts';
import { minorUnitDigits } from '../../domain/money/currency.ts';
import { exampleAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { CheckoutKey, PageKey } from '../../texts/texts.ts';
import { buyerFaults, type CheckoutForm, type FieldFault } from './checkout-form.ts';
import type { Places } from './places.ts';
import { type ChoiceFault, openPriceOf, type ReadAmounts } from './read-fields.ts';
import type { ReadQuantities } from './read-quantities.ts';

/** A message by its text key. Its text is made later, in the buyer's language. */
export interface FieldMessage {
  key: CheckoutKey;
  values?: Readonly<Record<string, string>>;
}

/** An error about the element with this id. */
export interface PageFault extends FieldMessage {
  field: string;
  /** The text for the list above the form, if it differs from the text at the field. */
  listedAs?: string;
}

/** The messages to the buyer, at the fields and above the form. */
export interface Advice {
  faults: PageFault[];
  notice: FieldMessage | null;
  /** A message about a code or the currency. The page shows it beside that part. */
  news?: FieldMessage;
  currencyNews?: FieldMessage;
  /** Messages beside the Pay button, after which the buyer presses it again. Each may name the `{total}`. */
  payNews?: readonly FieldMessage[];
}

export const consentFieldId = (kind: ConsentKind | SupplyConsentKind): string => `consent-${kind}`;

/** The required consents that the buyer has not given. Above the form, each has its own text. */
export const missingConsents = (requested: readonly GivenConsent[], { consents }: CheckoutForm): PageFault[] =>
  requested
    .filter(({ kind }) => !consents.includes(kind))
    .map(({ kind, text }) => ({ field: consentFieldId(kind), key: 'fault.consent.missing', listedAs: text }));

export const amountFieldId = (lineIndex: number): string => `amount-${lineIndex}`;

export const quantityFieldId = (lineIndex: number): string => `quantity-${lineIndex}`;

/** The faults of the chosen quantities. */
export const quantityFaults = ({ faults }: ReadQuantities): PageFault[] =>
  faults.map(({ lineIndex, limits: { minimum, maximum } }) => ({
    field: quantityFieldId(lineIndex),
    key: 'fault.quantity',
    values: { minimum: String(minimum), maximum: String(maximum) },
  }));

const textKeys: Readonly<Record<string, PageKey>> = {
  'email.missing': 'fault.email.missing',
  'email.invalid': 'fault.email.invalid',
  'name.missing': 'fault.name.missing',
  'name.invalid': 'fault.name.invalid',
  'country.missing': 'fault.country.missing',
  'country.invalid': 'fault.country.missing',
  'region.invalid': 'fault.region.missing',
  'tax_id.invalid': 'fault.tax_id.invalid',
  'card.missing': 'fault.card.missing',
};

const fieldFault = ({ field, kind }: FieldFault): PageFault => ({
  field,
  key: textKeys[`${field}.${kind}`] ?? 'fault.text.invalid',
});

/** The faults of the chosen amounts. */
export const choiceFaults = (session: CheckoutSession, read: ReadAmounts, locale: Locale): PageFault[] =>
  read.faults.map(({ lineIndex, fault }) => ({
    field: amountFieldId(lineIndex),
    ...choiceMessage(fault, openPriceOf(session.lines[lineIndex] as CheckoutSession['lines'][number]), locale),
  }));

/** The message about an amount that the buyer cannot choose. */
export function choiceMessage(fault: ChoiceFault, price: PayWhatYouWant | undefined, locale: Locale): FieldMessage {
  const { currency = '' } = price ?? {};
  const digits = minorUnitDigits(currency);
  const values = {
    example: exampleAmount(currency, locale),
    currency,
    digits: String(digits),
    ...limitsOf(price, locale),
  };
  const isWhole = fault === 'too_precise' && digits === 0;
  return { key: isWhole ? 'fault.amount.too_precise.0' : `fault.amount.${fault}`, values };
}

export function limitsOf(price: PayWhatYouWant | undefined, locale: Locale): Record<string, string> {
  if (!price) return {};
  const money = (amount: number | null) => formatMoney(amount ?? 0, price.currency, locale);
  return { minimum: money(price.minimum), maximum: money(price.maximum) };
}

/** All errors that stop the payment and that can be found without a price. */
export const formFaults = (
  session: CheckoutSession,
  form: CheckoutForm,
  read: ReadAmounts,
  places: Places,
): PageFault[] => [
  ...missingAmounts(session, read),
  ...buyerFaults(form.buyer).map(fieldFault),
  ...unknownPlace(form, places),
];

const pricedFields: readonly FieldFault['field'][] = ['region', 'postal_code', 'street', 'city', 'tax_id'];

/** Errors in entries that the price calculation has ignored. They are shown at once. */
export const unusedFaults = (buyer: CheckoutForm['buyer']): PageFault[] =>
  buyerFaults(buyer)
    .filter(({ field, kind }) => kind === 'invalid' && pricedFields.includes(field))
    .map(fieldFault);

/** The error if the country is unknown, or if it requires a region and has none. */
function unknownPlace({ buyer: { country, region } }: CheckoutForm, places: Places): PageFault[] {
  if (/^[A-Z]{2}$/.test(country) && !places.countries.includes(country))
    return [{ field: 'country', key: 'fault.country.missing' }];
  const isMissing = places.regionsOf(country).length > 0 && !places.findRegion(country, region);
  return isMissing ? [{ field: 'region', key: 'fault.region.missing' }] : [];
}

/** The errors for lines whose amount the buyer has not chosen yet. */
const missingAmounts = (session: CheckoutSession, read: ReadAmounts): PageFault[] =>
  session.lines.flatMap((line, index): PageFault[] =>
    openPriceOf(line) && read.typed.get(line.productId) === ''
      ? [{ field: amountFieldId(index), key: 'fault.amount.missing' }]
      : [],
  );
