import type { Payment } from '../../domain/payments/payment.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Texts } from '../texts.ts';

const isKey = (key: string): key is TextKey<'payment'> => Object.hasOwn(dashboardTexts('payment').en, key);

/** Why a payment did not succeed: in English as the processor says it, in other languages by its code. */
export function declineText({ errorCode, errorMessage }: Payment, t: Texts<TextKey<'payment'>>): string {
  if (t.locale === 'en' || errorMessage === null) return errorMessage ?? '';
  const key = `decline.${errorCode}`;
  return t(isKey(key) ? key : 'decline.other');
}
