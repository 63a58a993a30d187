import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { ConsentKind, GivenConsent } from '../../domain/checkout/consent.ts';
import { minorUnitDigits } from '../../domain/money/currency.ts';
import { exampleAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { CheckoutKey, PageKey } from '../../texts/texts.ts';
import { buyerFaults, type CheckoutForm, type FieldFault } from './checkout-form.ts';
import type { Places } from './places.ts';
import { type ChoiceFault, openPriceOf, type ReadAmounts } from './read-fields.ts';
import type { ReadQuantities } from './read-quantities.ts';

/** A text of the page that is still to be said in the buyer's language. */
export interface FieldMessage {
  key: CheckoutKey;
  values?: Readonly<Record<string, string>>;
}

/** Something to correct, at the element that has the id. */
export interface PageFault extends FieldMessage {
  field: string;
  /** What the list above the form says instead. */
  listedAs?: string;
}

/** What the page tells the buyer: at the fields, and above the form. */
export interface Advice {
  faults: PageFault[];
  notice: FieldMessage | null;
  /** What has happened to a code or the currency, for its place on the page. */
  news?: FieldMessage;
  currencyNews?: FieldMessage;
}

export const consentFieldId = (kind: ConsentKind): string => `consent-${kind}`;

/** The consents that are asked for and not given. Above the form, each is told by its own words. */
export const missingConsents = (asked: readonly GivenConsent[], { consents }: CheckoutForm): PageFault[] =>
  asked
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
    ...choiceMessage(fault, session.lines[lineIndex] as CheckoutSession['lines'][number], locale),
  }));

function choiceMessage(fault: ChoiceFault, line: CheckoutSession['lines'][number], locale: Locale): FieldMessage {
  const { currency } = line.price;
  const digits = minorUnitDigits(currency);
  const values = {
    example: exampleAmount(currency, locale),
    currency,
    digits: String(digits),
    ...limitsOf(line, locale),
  };
  const isWhole = fault === 'too_precise' && digits === 0;
  return { key: isWhole ? 'fault.amount.too_precise.0' : `fault.amount.${fault}`, values };
}

export function limitsOf(line: CheckoutSession['lines'][number], locale: Locale): Record<string, string> {
  const price = openPriceOf(line);
  const money = (amount: number | null = 0) => formatMoney(amount ?? 0, line.price.currency, locale);
  return { minimum: money(price?.minimum), maximum: money(price?.maximum) };
}

/** Everything that keeps a buyer from paying and can be seen without a price. */
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

/** The faults of entries that the price had to ignore. They are shown at once. */
export const unusedFaults = (buyer: CheckoutForm['buyer']): PageFault[] =>
  buyerFaults(buyer)
    .filter(({ field, kind }) => kind === 'invalid' && pricedFields.includes(field))
    .map(fieldFault);

/** Whether the country is unknown, or needs a region that is missing. */
function unknownPlace({ buyer: { country, region } }: CheckoutForm, places: Places): PageFault[] {
  if (/^[A-Z]{2}$/.test(country) && !places.countries.includes(country))
    return [{ field: 'country', key: 'fault.country.missing' }];
  const isMissing = places.regionsOf(country).length > 0 && !places.findRegion(country, region);
  return isMissing ? [{ field: 'region', key: 'fault.region.missing' }] : [];
}

/** Amounts that still have to be chosen. */
const missingAmounts = (session: CheckoutSession, read: ReadAmounts): PageFault[] =>
  session.lines.flatMap((line, index): PageFault[] =>
    openPriceOf(line) && read.typed.get(line.productId) === ''
      ? [{ field: amountFieldId(index), key: 'fault.amount.missing' }]
      : [],
  );
