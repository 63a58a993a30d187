import type { BillingAddress } from '../../domain/checkout/buyer.ts';
import type { Submission } from '../../domain/checkout/submission.ts';
import { findLocale } from '../../pages/locale.ts';
import type { ViewSources } from '../views/present-checkout.ts';
import { type BuyerFields, validFields } from './checkout-form.ts';
import { type Advice, choiceFaults, formFaults, type PageFault, unusedFaults } from './faults.ts';
import { billingOf, readAmounts } from './read-fields.ts';

type Given = Pick<ViewSources, 'context' | 'session' | 'form' | 'places' | 'cards'>;

/** A form that somebody has filled in, read in the language that it was written in. */
export interface FilledCheckout extends Omit<ViewSources, 'review' | 'advice'> {
  /** The buyer's fields without those that are wrong. */
  buyer: BuyerFields;
  billing: BillingAddress | null;
  /** What is wrong with the chosen amounts, and with what the price depends on. */
  faults: PageFault[];
}

/** Reads what was filled in; the page goes on in the language that the buyer has switched to, unless it asks by itself. */
export function fillCheckout({ context, session, form, places, cards }: Given): FilledCheckout {
  const locale = (form.action !== 'refresh' && findLocale(form.switchTo)) || context.locale;
  const read = readAmounts(session, form, context.locale, locale);
  const buyer = validFields(form.buyer);
  const billing = billingOf(session, buyer, places);
  const unused = form.action === 'pay' ? [] : unusedFaults(form.buyer);
  const faults = [...choiceFaults(session, read, locale), ...unused];
  return { context: { ...context, locale }, session, form, buyer, read, places, cards, billing, faults };
}

/** What is to be paid, or what is still in the way of it. */
export function submissionOf({
  session,
  context,
  form,
  buyer: valid,
  read,
  places,
  billing,
  faults,
}: FilledCheckout): { submission: Submission } | { advice: Advice } {
  const missing = formFaults(session, form, read, places);
  if (missing.length > 0 || faults.length > 0 || !billing) return { advice: { faults: missing, notice: null } };
  if (form.expectedTotal === null) return { advice: { faults: [], notice: { key: 'notice.total_unknown' } } };
  const { email, name, tax_id: taxId, business_name: businessName } = valid;
  const { locale: language } = context;
  const buyer = { email, name, billing, taxId: taxId || null, businessName: businessName || null, language };
  return { submission: { ...buyer, amounts: read.amounts, card: form.card, expectedTotal: form.expectedTotal } };
}
