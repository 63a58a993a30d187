import { chosenAmountPath } from '../../domain/checkout/cart.ts';
import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { DomainError, ErrorCode } from '../../domain/errors.ts';
import { currencyFloor } from '../../domain/money/currency.ts';
import { refusalCodes } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PageKey } from '../../texts/texts.ts';
import { type Advice, amountFieldId, type FieldMessage, limitsOf, type PageFault } from './faults.ts';
import { openPriceOf } from './read-fields.ts';

const amountKeys: Partial<Record<ErrorCode, PageKey>> = {
  PAY_AS_YOU_WANT_AMOUNT_REQUIRED: 'fault.amount.missing',
  REQUEST_AMOUNT_BELOW_MINIMUM: 'fault.amount.below_minimum',
  REQUEST_AMOUNT_ABOVE_MAXIMUM: 'fault.amount.above_maximum',
  INTEGER_CONVERSION_FAILURE: 'fault.amount.too_large',
};

/** The message for an error. Undefined if the page cannot show this error. */
export function adviceOf(problem: DomainError, session: CheckoutSession, locale: Locale): Advice | undefined {
  const missing = addressFaults(problem);
  if (missing.length > 0) return { faults: missing, notice: null };
  const path = problem.details.faults?.[0]?.path ?? '';
  const amountKey = amountKeys[problem.code];
  if (amountKey) return amountAdvice(amountKey, problem, session, locale);
  const field = fieldOf(problem.code, path);
  if (field) return { faults: [field], notice: null };
  if (problem.code === 'CONFLICT') return { faults: [], notice: null, payNews: [{ key: 'notice.total_changed' }] };
  const notice = subtotalNotice(problem, session, locale) ?? noticeOf(problem.code, session.currency, locale);
  return notice ? { faults: [], notice } : undefined;
}

const addressFields = { 'billing_address.street': 'street', 'billing_address.city': 'city' } as const;

/** The missing parts of the address that a business needs on its invoice. */
const addressFaults = ({ details }: DomainError): PageFault[] =>
  Object.entries(addressFields).flatMap(([path, field]) =>
    details.faults?.some((fault) => fault.path === path) ? [{ field, key: 'fault.address.missing' }] : [],
  );

/** Places the error at the line's field, or above the form if no single line causes it. */
function amountAdvice(key: PageKey, { details }: DomainError, session: CheckoutSession, locale: Locale): Advice {
  const path = details.faults?.[0]?.path ?? '';
  const isNamed = (line: CheckoutSession['lines'][number]) =>
    chosenAmountPath(line.productId) === path && openPriceOf(line) !== undefined;
  const lineIndex = session.lines.findIndex(isNamed);
  const line = session.lines[lineIndex];
  const least = details.extra?.['minimum_amount'];
  const atPlace: Record<string, string> =
    typeof least === 'number' ? { minimum: formatMoney(least, session.currency, locale) } : {};
  if (!line) return { faults: [], notice: { key, values: atPlace } };
  const values = { ...limitsOf(openPriceOf(line), locale), ...atPlace };
  return { faults: [{ field: amountFieldId(lineIndex), key, values }], notice: null };
}

function fieldOf(code: ErrorCode, path: string): PageFault | undefined {
  if (code === 'INVALID_TAX_ID') return { field: 'tax_id', key: 'fault.tax_id.invalid' };
  if (code === 'UNSUPPORTED_COUNTRY') return { field: 'country', key: 'fault.country.unsupported' };
  if (code !== 'INVALID_REQUEST_PARAMETERS') return undefined;
  if (path === 'billing_address.state') return { field: 'region', key: 'fault.region.missing' };
  return path === 'card' ? { field: 'card', key: 'fault.card.missing' } : undefined;
}

/** The message that the sum of a code's products is too low. It names the least sum. */
function subtotalNotice(
  { code, details }: DomainError,
  { currency }: CheckoutSession,
  locale: Locale,
): FieldMessage | null {
  if (code !== 'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET') return null;
  const minimum = formatMoney(Number(details.extra?.['minimum_amount']), currency, locale);
  return { key: 'fault.code.minimum', values: { minimum } };
}

/** Errors after which the order is unchanged, so it can be sent again. */
const busyCodes: ReadonlySet<ErrorCode> = new Set([
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'DISCOUNT_CONCURRENT_REDEMPTION',
]);

function noticeOf(code: ErrorCode, currency: string, locale: Locale): FieldMessage | null {
  if (code === 'EXCHANGE_RATE_NOT_FOUND') return { key: 'fault.code.currency', values: { currency } };
  if (busyCodes.has(code)) return { key: 'notice.busy' };
  if (code !== 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT') return null;
  return { key: 'notice.below_floor', values: { minimum: formatMoney(currencyFloor(currency), currency, locale) } };
}

const failures: Readonly<Record<string, PageKey>> = {
  INSUFFICIENT_FUNDS: 'notice.no_funds',
  AUTHENTICATION_FAILURE: 'notice.not_confirmed',
  INVALID_AMOUNT: 'notice.amount_refused',
  [refusalCodes.buyer]: 'notice.email_refused',
  [refusalCodes.request]: 'notice.shop_refused',
};

const declines: Readonly<Record<string, PageKey>> = {
  ...failures,
  INSUFFICIENT_FUNDS: 'notice.insufficient_funds',
  PROCESSING_ERROR: 'notice.processing_error',
};

/** Marks the field that the buyer must correct, if the processor refused its content. */
export const endFaults = ({ errorCode }: Pick<Payment, 'errorCode'>): PageFault[] =>
  errorCode === refusalCodes.buyer ? [{ field: 'email', key: 'fault.email.refused' }] : [];

/** Why a payment ended without success, in words that help the buyer. Only a card payment is called "declined". */
export function endNotice({ status, errorCode, card }: Pick<Payment, 'status' | 'errorCode' | 'card'>): FieldMessage {
  if (status === 'cancelled') return { key: 'notice.cancelled' };
  const code = errorCode ?? '';
  if (card) return { key: declines[code] ?? 'notice.declined' };
  return { key: failures[code] ?? 'notice.failed' };
}
