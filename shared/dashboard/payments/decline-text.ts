import type { Payment } from '../../domain/payments/payment.ts';
import { type PaymentKey, paymentTexts } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

const isKey = (key: string): key is PaymentKey => Object.hasOwn(paymentTexts.en, key);

/** Why a payment did not succeed: in English as the processor says it, in other languages by its code. */
export function declineText({ errorCode, errorMessage }: Payment, t: Texts<PaymentKey>): string {
  if (t.locale === 'en' || errorMessage === null) return errorMessage ?? '';
  const key = `decline.${errorCode}`;
  return t(isKey(key) ? key : 'decline.other');
}
