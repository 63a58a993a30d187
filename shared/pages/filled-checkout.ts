import type { BillingAddress } from '../domain/buyer.ts';
import type { Submission } from '../use-cases/pay-checkout.ts';
import type { ViewSources } from './checkout-view.ts';
import { billingOf, readAmounts } from './draft.ts';
import { type Advice, choiceFaults, formFaults, type PageFault } from './faults.ts';
import { findLocale } from './locale.ts';

type Given = Pick<ViewSources, 'context' | 'session' | 'form' | 'places' | 'cards'>;

/** A form that somebody has filled in, read in the language that it was written in. */
export interface FilledCheckout extends Omit<ViewSources, 'review' | 'advice'> {
  billing: BillingAddress | null;
  /** What is wrong with the chosen amounts. */
  faults: PageFault[];
}

/** Reads what was filled in; the page goes on in the language that the buyer has switched to, unless it asks by itself. */
export function fillCheckout({ context, session, form, places, cards }: Given): FilledCheckout {
  const locale = (form.action !== 'refresh' && findLocale(form.switchTo)) || context.locale;
  const read = readAmounts(session, form, context.locale, locale);
  const billing = billingOf(session, form.buyer, places);
  const faults = choiceFaults(session, read, locale);
  return { context: { ...context, locale }, session, form, read, places, cards, billing, faults };
}

/** What is to be paid, or what is still in the way of it. */
export function submissionOf({
  session,
  context,
  form,
  read,
  places,
  billing,
  faults,
}: FilledCheckout): { submission: Submission } | { advice: Advice } {
  const missing = formFaults(session, form, read, places);
  if (missing.length > 0 || faults.length > 0 || !billing) return { advice: { faults: missing, notice: null } };
  if (form.expectedTotal === null) return { advice: { faults: [], notice: { key: 'notice.total_unknown' } } };
  const { email, name, tax_id: taxId, business_name: businessName } = form.buyer;
  const { locale: language } = context;
  const buyer = { email, name, billing, taxId: taxId || null, businessName: businessName || null, language };
  return { submission: { ...buyer, amounts: read.amounts, card: form.card, expectedTotal: form.expectedTotal } };
}
