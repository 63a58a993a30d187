import { type CheckoutSession, maxAttempts } from '../domain/checkout-session.ts';
import { currencyFloor, minorUnitDigits } from '../domain/currency.ts';
import type { DomainError, ErrorCode } from '../domain/errors.ts';
import { buyerFaults, type CheckoutForm, type FieldFault } from '../wire/checkout-form.ts';
import { exampleAmount } from './amount-input.ts';
import { type ChoiceFault, openPriceOf, type Places, type ReadAmounts } from './draft.ts';
import { formatMoney } from './format.ts';
import type { Locale, StringKey } from './locale.ts';

/** A text of the page that is still to be said in the buyer's language. */
export interface Message {
  key: StringKey;
  values?: Readonly<Record<string, string>>;
}

/** Something to correct, at the element that has the id. */
export interface PageFault extends Message {
  field: string;
}

/** What the buyer is told: at the fields, and above the form. */
export interface Advice {
  faults: PageFault[];
  notice: Message | null;
}

export const amountFieldId = (lineIndex: number): string => `amount-${lineIndex}`;

const textKeys: Readonly<Record<string, StringKey>> = {
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

/** What is wrong with the amounts that were chosen. */
export const choiceFaults = (session: CheckoutSession, read: ReadAmounts, locale: Locale): PageFault[] =>
  read.faults.map(({ lineIndex, fault }) => ({
    field: amountFieldId(lineIndex),
    ...choiceMessage(fault, session.lines[lineIndex] as CheckoutSession['lines'][number], locale),
  }));

function choiceMessage(fault: ChoiceFault, line: CheckoutSession['lines'][number], locale: Locale): Message {
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

function limitsOf(line: CheckoutSession['lines'][number], locale: Locale): Record<string, string> {
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
  ...missingRegion(form, places),
];

function missingRegion({ buyer: { country, region } }: CheckoutForm, places: Places): PageFault[] {
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

const amountKeys: Partial<Record<ErrorCode, StringKey>> = {
  PAY_AS_YOU_WANT_AMOUNT_REQUIRED: 'fault.amount.missing',
  REQUEST_AMOUNT_BELOW_MINIMUM: 'fault.amount.below_minimum',
  REQUEST_AMOUNT_ABOVE_MAXIMUM: 'fault.amount.above_maximum',
  INTEGER_CONVERSION_FAILURE: 'fault.amount.too_large',
};

/** What a refusal means on the page; undefined for one that has no place there. */
export function adviceOf(problem: DomainError, session: CheckoutSession, locale: Locale): Advice | undefined {
  const path = problem.details.faults?.[0]?.path ?? '';
  const amountKey = amountKeys[problem.code];
  if (amountKey) return amountAdvice(amountKey, path, session, locale);
  const field = fieldOf(problem.code, path);
  if (field) return { faults: [field], notice: null };
  const notice = noticeOf(problem.code, session.currency, locale);
  return notice ? { faults: [], notice } : undefined;
}

/** At the line's field, or above the form where no single line is to blame. */
function amountAdvice(key: StringKey, path: string, session: CheckoutSession, locale: Locale): Advice {
  const lineIndex = Number(/^product_cart\[(\d+)\]/.exec(path)?.[1] ?? -1);
  const line = session.lines[lineIndex];
  if (!line || !openPriceOf(line)) return { faults: [], notice: { key } };
  return { faults: [{ field: amountFieldId(lineIndex), key, values: limitsOf(line, locale) }], notice: null };
}

function fieldOf(code: ErrorCode, path: string): PageFault | undefined {
  if (code === 'INVALID_TAX_ID') return { field: 'tax_id', key: 'fault.tax_id.invalid' };
  if (code === 'UNSUPPORTED_COUNTRY') return { field: 'country', key: 'fault.country.unsupported' };
  if (code !== 'INVALID_REQUEST_PARAMETERS') return undefined;
  if (path === 'billing_address.state') return { field: 'region', key: 'fault.region.missing' };
  return path === 'card' ? { field: 'card', key: 'fault.card.missing' } : undefined;
}

function noticeOf(code: ErrorCode, currency: string, locale: Locale): Message | null {
  if (code === 'CONFLICT') return { key: 'notice.total_changed' };
  if (code === 'SERVICE_UNAVAILABLE' || code === 'TOO_MANY_REQUESTS') return { key: 'notice.busy' };
  if (code !== 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT') return null;
  return { key: 'notice.below_floor', values: { minimum: formatMoney(currencyFloor(currency), currency, locale) } };
}

const declines: Readonly<Record<string, StringKey>> = {
  INSUFFICIENT_FUNDS: 'notice.insufficient_funds',
  PROCESSING_ERROR: 'notice.processing_error',
};

/** Why a payment failed, in words that help. */
export const declineNotice = (errorCode: string | null): Message => ({
  key: declines[errorCode ?? ''] ?? 'notice.declined',
});

/** Whether the last attempt that a session allows has failed. */
export const isExhausted = ({ attempts, paymentStatus }: CheckoutSession): boolean =>
  attempts >= maxAttempts && paymentStatus === 'failed';
