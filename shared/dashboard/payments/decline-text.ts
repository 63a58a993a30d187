import type { Payment } from '../../domain/payments/payment.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

const isKey = (key: string): key is TextKey<'payment'> => Object.hasOwn(dashboardTexts('payment').en, key);

/**
 * Why a payment did not succeed. In English, it is the processor's message, in other languages the text for its code.
 * If the processor refused the request, the text is for the merchant, because the message itself is for buyers.
 */
export function declineText({ errorCode, errorMessage, refusal }: Payment, t: Texts<TextKey<'payment'>>): string {
  if (errorMessage === null || (t.locale === 'en' && !refusal)) return errorMessage ?? '';
  const key = `decline.${errorCode}`;
  return t(isKey(key) ? key : 'decline.other');
}
