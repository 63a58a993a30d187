import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { refuseCode } from '../../domain/discounts/discount.ts';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { formatMoney } from '../../pages/format.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';
import type { CheckoutKey } from '../../texts/texts.ts';
import { addCode, type EnterCodesDeps, removeCode } from '../../use-cases/discounts/enter-codes.ts';
import { codeText } from '../../wire/discounts/code-text.ts';
import type { CheckoutForm } from './checkout-form.ts';
import { codeFieldId, isEntered, noCode } from './code-entry.ts';
import type { Advice, FieldMessage, PageFault } from './faults.ts';
import type { PricedForm } from './receive-form.ts';

const keys: Partial<Record<ErrorCode, CheckoutKey>> = {
  INVALID_DISCOUNT_CODE: 'fault.code.invalid',
  DISCOUNT_CODE_EXPIRED: 'fault.code.expired',
  DISCOUNT_NOT_YET_ACTIVE: 'fault.code.not_yet',
  DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: 'fault.code.used_up',
  DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT: 'fault.code.products',
  DISCOUNT_NOT_COMBINABLE: 'fault.code.combinable',
  EXCHANGE_RATE_NOT_FOUND: 'fault.code.currency',
  DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET: 'fault.code.minimum',
  TOO_MANY_REQUESTS: 'fault.code.tries',
  INVALID_REQUEST_PARAMETERS: 'fault.code.too_many',
};

type RefusedCode = NonNullable<CheckoutSession['refusedCode']>;

/** Why a code is refused. Undefined if the error is not about a code. */
function refusalOf(error: unknown): Omit<RefusedCode, 'text'> | undefined {
  if (!(error instanceof DomainError) || keys[error.code] === undefined) return undefined;
  const minimum = error.details.extra?.['minimum_amount'];
  const { discountCode: code } = error.details;
  return { reason: error.code, ...(typeof minimum === 'number' && { minimum }), ...(code && { code }) };
}

/** The refusal as a message at the field of the code. */
function faultFor(
  { reason, minimum = 0, code = '' }: Omit<RefusedCode, 'text'>,
  currency: string,
  locale: Locale,
): PageFault {
  const key = keys[reason as ErrorCode] ?? 'fault.code.invalid';
  return { field: codeFieldId, key, values: { currency, code, minimum: formatMoney(minimum, currency, locale) } };
}

/** The message about a code that an error refuses. Undefined if the error is not about a code. */
export function codeFault(error: unknown, currency: string, locale: Locale): PageFault | undefined {
  const refusal = refusalOf(error);
  return refusal && faultFor(refusal, currency, locale);
}

/**
 * Whether a text can be a code. Other text is dropped. Anyone can write a link, and its text must not appear on the
 * merchant's page.
 */
export const isCode = (typed: string | undefined): typed is string => codeText.safeParse(typed).success;

/** The code in a form or a link. Refuses text that cannot be a code. */
export function codeIn(typed: string): string {
  const code = codeText.safeParse(typed).data;
  if (code !== undefined) return code;
  throw refuseCode('INVALID_DISCOUNT_CODE', typed, 'discount_codes');
}

/**
 * Applies the code of a product's link, as if the buyer had typed it. If it is refused, the session stores the reason.
 */
export async function applyLinkedCode(deps: EnterCodesDeps, session: CheckoutSession, typed: string): Promise<void> {
  try {
    await addCode(deps, session, codeIn(typed));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    await deps.sessions.save({ ...(await deps.sessions.get(session.id)), refusedCode: { text: typed, ...refusal } });
  }
}

/** The first form of a session. If the code of the link was refused, the form shows it. */
export function withLinkedCode({ refusedCode }: CheckoutSession, form: CheckoutForm): CheckoutForm {
  const text = refusedCode?.text ?? '';
  return { ...form, code: { ...noCode, typed: text, refused: text } };
}

/** The message about the refused code of the link. */
export const linkedCodeFaults = ({ refusedCode, currency }: CheckoutSession, locale: Locale): PageFault[] =>
  refusedCode ? [faultFor(refusedCode, currency, locale)] : [];

/** A form after the buyer's changes of codes were applied. */
export interface CodedForm {
  form: PricedForm;
  advice: Advice;
  /** Whether the session's codes have changed. */
  isChanged: boolean;
}

/**
 * Applies or removes a code. If a code is refused, its field gets a message, and the rest of the form is still
 * processed.
 */
export async function withCodes(deps: EnterCodesDeps, form: PricedForm): Promise<CodedForm> {
  const { session, context } = form;
  const { code: entry, switchTo } = form.form;
  if (entry.removed !== null) {
    const after = await removeCode(deps, session, entry.removed);
    return changed(form, after, { key: 'code.removed', values: { code: entry.removed } });
  }
  const isSwitching = findLocale(switchTo) !== undefined && findLocale(switchTo) !== form.typedIn;
  if (!isEntered(form.form, isSwitching)) return unchanged(form, []);
  try {
    const code = codeIn(entry.typed);
    const after = await addCode(deps, session, code);
    return changed(form, after, { key: 'code.applied', values: { code } });
  } catch (error) {
    const fault = codeFault(error, session.currency, context.locale);
    if (fault) return unchanged(form, [fault]);
    throw error;
  }
}

const unchanged = (form: PricedForm, faults: PageFault[]): CodedForm => {
  const refused = faults.length > 0 ? form.form.code.typed : form.form.code.refused;
  const kept = { ...form.form, code: { ...form.form.code, refused } };
  return { form: { ...form, form: kept }, advice: { faults, notice: null }, isChanged: false };
};

function changed(form: PricedForm, session: CheckoutSession, news: FieldMessage): CodedForm {
  const emptied = { ...form.form, code: { ...form.form.code, typed: '', refused: '' } };
  const isChanged = session.version !== form.session.version;
  return {
    form: { ...form, session, form: emptied },
    advice: { faults: [], notice: null, ...(isChanged && { news }) },
    isChanged,
  };
}
