import type { BillingAddress } from '../../domain/checkout/buyer.ts';
import type { GivenConsent, GivenSupplyConsent } from '../../domain/checkout/consent.ts';
import type { Submission } from '../../domain/checkout/submission.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';
import type { ViewSources } from '../views/present-checkout.ts';
import { type BuyerFields, validFields } from './checkout-form.ts';
import { inWords, neededConsents } from './consents.ts';
import {
  type Advice,
  choiceFaults,
  formFaults,
  missingConsents,
  type PageFault,
  quantityFaults,
  unusedFaults,
} from './faults.ts';
import { acceptedTotalOf, billingOf, readAmounts } from './read-fields.ts';
import { readQuantities } from './read-quantities.ts';
import { fitsOrder, keptLabel } from './shown-label.ts';

type Given = Pick<ViewSources, 'context' | 'session' | 'form' | 'places' | 'cards' | 'processorTitle'> & {
  merchant: Pick<Merchant, 'consents'>;
};

/** A form that was parsed in the language in which it was typed. */
export interface FilledCheckout extends Omit<ViewSources, 'review' | 'advice' | 'asksForSupply'> {
  /** The buyer's valid fields. */
  buyer: BuyerFields;
  billing: BillingAddress | null;
  /** The consents that the buyer gives by paying, with the words that the buyer has read. */
  given: GivenConsent[];
  /**
   * The ticked boxes about an early supply, with the words that the buyer has read. A page of version 0.2.0 had no such
   * boxes.
   */
  requested: Omit<GivenSupplyConsent, 'lines'>[];
  /** The errors of chosen amounts, and of other entries that change the price. */
  faults: PageFault[];
  /** The language in which it was typed. */
  typedIn: Locale;
}

/**
 * Reads the entries of a form. The page then uses the language that the buyer has chosen, unless a script sent the
 * request.
 */
export function fillCheckout({
  context,
  session,
  form,
  places,
  cards,
  processorTitle,
  merchant,
}: Given): FilledCheckout {
  const locale = (form.action !== 'refresh' && findLocale(form.switchTo)) || context.locale;
  const read = readAmounts(session, form, context.locale, locale);
  const ordered = readQuantities(session, form);
  const buyer = validFields(form.buyer);
  const billing = billingOf(session, buyer, places);
  const unused = form.action === 'pay' ? [] : unusedFaults(form.buyer);
  const faults = [...quantityFaults(ordered), ...choiceFaults(session, read, locale), ...unused];
  const consents = neededConsents(merchant);
  const given = inWords(consents, context.seller, context.locale);
  const requested = form.label === '' ? [] : inWords(form.requests, context.seller, context.locale);
  return {
    given,
    requested,
    consents,
    context: { ...context, locale },
    typedIn: context.locale,
    session,
    // In another language, the boxes have other words, to which the buyer has not agreed. So they are not ticked.
    form: locale === context.locale ? form : { ...form, requests: [] },
    buyer,
    read,
    ordered,
    places,
    cards,
    processorTitle,
    billing,
    faults,
  };
}

/** The data for the payment, or the errors that prevent it. */
export function submissionOf({
  session,
  context,
  form,
  buyer: valid,
  read,
  ordered,
  places,
  billing,
  faults,
  given: consents,
  requested: supplyConsents,
  typedIn,
}: FilledCheckout): { submission: Submission } | { advice: Advice } {
  const missing = [...formFaults(session, form, read, places), ...missingConsents(consents, form)];
  if (missing.length > 0 || faults.length > 0 || !billing) return { advice: { faults: missing, notice: null } };
  const typedTotal = acceptedTotalOf({ session, form, read, ordered });
  const total = typedTotal ?? form.expectedTotal;
  if (total === null) return { advice: { faults: [], notice: null, payNews: [{ key: 'notice.total_unknown' }] } };
  const button = { locale: typedIn, country: billing.country, total };
  if (form.label !== '' && !fitsOrder(form.label, button))
    return { advice: { faults: [], notice: null, payNews: [{ key: 'notice.pay_label' }] } };
  const { email, name, tax_id: taxId, business_name: businessName } = valid;
  const { locale: language } = context;
  const shown = form.expectedTotal ?? total;
  const expected = { expectedTotal: shown, typedTotal, expectedCurrency: form.shownCurrency || null };
  const buyer = { email, name, billing, taxId: taxId || null, businessName: businessName || null, language };
  const agreed = { consents, supplyConsents, payLabel: keptLabel(form.label) };
  const chosen = { amounts: read.amounts, quantities: ordered.quantities };
  return { submission: { ...buyer, ...agreed, ...chosen, card: form.card, ...expected } };
}
