import type { Payment } from '../../domain/payments/payment.ts';
import { type PaymentTexts, paymentDictionary } from '../language/payment/dictionary.ts';
import type { PaymentKey } from '../language/payment/en.ts';

const isKey = (key: string): key is PaymentKey => Object.hasOwn(paymentDictionary.en, key);

/** Why a payment did not succeed: in English as the processor says it, in other languages by its code. */
export function declineText({ errorCode, errorMessage }: Payment, t: PaymentTexts): string {
  if (t.locale === 'en' || errorMessage === null) return errorMessage ?? '';
  const key = `decline.${errorCode}`;
  return t(isKey(key) ? key : 'decline.other');
}
