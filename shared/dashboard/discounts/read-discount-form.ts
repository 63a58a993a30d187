import type { CountedDiscount, Discount } from '../../domain/discounts/discount.ts';
import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import type { DiscountsKey } from '../../texts/texts.ts';
import type { FormFault } from '../parts.ts';
import type { Texts } from '../texts.ts';
import { type CurrencyRow, type DiscountDraft, minuteOf } from './discount-draft.ts';

/** In which language a form was typed, and the code that it changes; null for a new one. */
export interface FormContext {
  locale: Locale;
  t: Texts<DiscountsKey>;
  known: Discount | null;
}

/** What the API would be sent, and what cannot be read. */
export function discountBody(draft: DiscountDraft, context: FormContext) {
  const { t, known } = context;
  const faults: FormFault[] = [];
  const refused = (field: string, message: string) => {
    faults.push({ field, message });
    return null;
  };
  const count = (field: 'usage_limit' | 'per_customer', typed: string) => {
    if (typed === '') return null;
    return /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : refused(field, t('fault.limit'));
  };
  const instant = (field: 'starts_at' | 'expires_at', typed: string, before: string | null = null) =>
    readInstant(typed, before) ?? (typed === '' ? null : refused(field, t('fault.time')));
  const body = {
    code: draft.code,
    name: draft.name || null,
    ...takenOff(draft, context, refused),
    restricted_to: draft.products,
    usage_limit: count('usage_limit', draft.usageLimit),
    per_customer_usage_limit: count('per_customer', draft.perCustomer),
    starts_at: instant('starts_at', draft.startsAt, known?.startsAt),
    expires_at: instant('expires_at', draft.expiresAt, known?.expiresAt),
    customer_eligibility: draft.eligibility,
    below_minimum: draft.belowMinimum,
  };
  return { body, faults };
}

type Refuse = (field: string, message: string) => null;

/** The instant of a typed minute in UTC. What is shown and not changed keeps its seconds. */
function readInstant(typed: string, before: string | null): string | null {
  if (typed === '') return null;
  if (before !== null && typed === minuteOf(before)) return before;
  const isMinute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(typed);
  const at = isMinute ? new Date(`${typed}Z`) : new Date(Number.NaN);
  const instant = Number.isNaN(at.getTime()) ? '' : at.toISOString();
  return instant.startsWith(typed) ? instant : null;
}

function takenOff(draft: DiscountDraft, context: FormContext, refused: Refuse) {
  if (draft.type === 'flat') {
    const rows = readRows('flat', draft.flat, context, refused);
    return { type: draft.type, amount: rows[0]?.max_amount_possible ?? 1, currency_options: rows };
  }
  const basisPoints = readPercent(draft.percent) ?? refused('percent', context.t('fault.percent')) ?? 1;
  const currency_options = readRows('cap', draft.caps, context, refused);
  return { type: draft.type, amount: basisPoints, currency_options };
}

/** `12.5`, `12,5 %` → 1250: from its digits, never through a float. Null unless it is above 0 and at most 100. */
function readPercent(typed: string): number | null {
  const [, whole, places = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed) ?? [];
  if (whole === undefined) return null;
  const basisPoints = Number(whole + places.padEnd(2, '0'));
  return basisPoints > 0 && basisPoints <= 10_000 ? basisPoints : null;
}

const isFilled = (kind: 'flat' | 'cap', { currency, amount, minimum }: CurrencyRow, index: number): boolean =>
  amount !== '' || minimum !== '' || (kind === 'cap' ? currency !== '' : index === 0);

/** The rows of currencies, the first one the default. */
function readRows(kind: 'flat' | 'cap', rows: readonly CurrencyRow[], context: FormContext, refused: Refuse) {
  const filled = rows.flatMap((row, index) => (isFilled(kind, row, index) ? { ...row, index } : []));
  const named = filled.map(({ currency }) => currency);
  return filled.flatMap(({ currency, index, ...row }, at) => {
    const field = `${kind}_currency_${index}`;
    if (!isCurrency(currency)) return refused(field, context.t('fault.currency')) ?? [];
    if (named.indexOf(currency) < at) refused(field, context.t('fault.currency.twice'));
    const amountField = { field: `${kind}_amount_${index}`, typed: row.amount, currency };
    const isNeeded = kind === 'flat' || row.amount !== '';
    const minimumField = { field: `${kind}_minimum_${index}`, typed: row.minimum || '0', currency };
    return {
      currency,
      max_amount_possible: isNeeded ? readPositive(amountField, context, refused) : null,
      minimum_subtotal: readAmount(minimumField, context, refused) ?? 0,
      is_default: at === 0,
    };
  });
}

interface TypedAmount {
  field: string;
  typed: string;
  currency: string;
}

function readAmount({ field, typed, currency }: TypedAmount, { locale, t }: FormContext, refused: Refuse) {
  const reading = parseAmount(typed, currency, locale);
  if ('amount' in reading) return reading.amount;
  const example = exampleAmount(currency, locale);
  return refused(field, reading.fault === 'too_large' ? t('fault.amount.large') : t('fault.amount', { example }));
}

function readPositive(amount: TypedAmount, context: FormContext, refused: Refuse) {
  const missing = () => refused(amount.field, context.t('fault.amount.missing'));
  const read = amount.typed === '' ? 0 : readAmount(amount, context, refused);
  return read === 0 ? missing() : read;
}

/** What the use cases refuse, at its field and in the merchant's words. */
export function discountFaults(
  { code, message, details }: DomainError,
  used: CountedDiscount['used'],
  t: Texts<DiscountsKey>,
): FormFault[] {
  const other = { field: '', message: t('fault.other', { message }) };
  if (code === 'DISCOUNT_CODE_ALREADY_EXISTS') return [{ field: 'code', message: t('fault.code.taken') }];
  const { faults = [] } = details;
  if (faults.length === 0) return [other];
  return faults.map(({ path }) => {
    const named = fieldOf[path.replace(/\[.*/, '')];
    return named ? { field: named[0], message: t(named[1], { used: String(used) }) } : other;
  });
}

/** The API's paths, the fields of the form that they are about, and what to say there. */
const fieldOf: Readonly<Record<string, readonly [string, Parameters<Texts<DiscountsKey>>[0]]>> = {
  code: ['code', 'fault.code'],
  name: ['name', 'fault.name'],
  type: ['type_percentage', 'fault.percent'],
  amount: ['percent', 'fault.percent'],
  currency_options: ['flat_currency_0', 'fault.currency'],
  restricted_to: ['products', 'fault.products'],
  usage_limit: ['usage_limit', 'fault.limit.used'],
  per_customer_usage_limit: ['per_customer', 'fault.perCustomer'],
  starts_at: ['starts_at', 'fault.time'],
  expires_at: ['expires_at', 'fault.expires'],
};
