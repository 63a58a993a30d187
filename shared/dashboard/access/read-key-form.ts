import { isCurrency } from '../../domain/money/currency.ts';
import { parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import type { DashboardForm } from '../form.ts';

/** The entries of the form for a new key. */
export interface KeyDraft {
  name: string;
  access: string;
  /** `no`, `yes`, or `limited` to an amount a day. */
  refunds: string;
  limit: string;
  currency: string;
  /** A day, or empty. */
  expires: string;
}

export const newKeyDraft: KeyDraft = {
  name: '',
  access: 'read',
  refunds: 'no',
  limit: '',
  currency: 'EUR',
  expires: '',
};

export const keyDraftFrom = (form: DashboardForm): KeyDraft => ({
  name: form.text('name'),
  access: form.text('access'),
  refunds: form.text('refunds'),
  limit: form.text('limit'),
  currency: form.text('currency'),
  expires: form.text('expires_at'),
});

/** The body for the API. A form without refunds creates a key that cannot refund. */
export const keyBody = (
  { name, access, refunds, limit, currency, expires }: KeyDraft,
  locale: Locale,
): Record<string, unknown> => ({
  name,
  access,
  may_refund: refunds === 'yes' || refunds === 'limited',
  daily_refund_limit: refunds === 'limited' ? { amount: minorUnits(limit, currency, locale), currency } : null,
  expires_at: expires ? `${expires}T00:00:00Z` : null,
});

/** The typed amount; 0, which is refused, if it cannot be read. */
function minorUnits(typed: string, currency: string, locale: Locale): number {
  if (!isCurrency(currency)) return 0;
  const reading = parseAmount(typed, currency, locale);
  return 'amount' in reading ? reading.amount : 0;
}
