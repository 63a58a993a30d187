import type { BillingAddress } from '../../shared/domain/buyer.ts';
import type { CheckoutSession } from '../../shared/domain/checkout-session.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import { env } from '../../shared/env.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import {
  checkoutPath,
  checkoutState,
  type FilledCheckout,
  refusedPage,
  reviewedPage,
  seeOther,
} from '../../shared/pages/checkout-answer.ts';
import { billingOf, placesOf, readAmounts, withLocked } from '../../shared/pages/draft.ts';
import { type Advice, adviceOf, choiceFaults, declineNotice, formFaults } from '../../shared/pages/faults.ts';
import { isSameOrigin, isToken } from '../../shared/pages/form-guard.ts';
import { findLocale } from '../../shared/pages/locale.ts';
import { type PageContext, pageContext } from '../../shared/pages/page-context.ts';
import { returnAddress } from '../../shared/pages/receipt-page.ts';
import { testCards } from '../../shared/processor/sandbox.ts';
import { checkTaxId, newId, now, payments, processor, sessions, taxSettings } from '../../shared/runtime.ts';
import { countries } from '../../shared/tax/countries.ts';
import { findRegion, regionsOf } from '../../shared/tax/regions.ts';
import type { TaxSettings } from '../../shared/tax/settings.ts';
import * as taxId from '../../shared/tax/tax-id.ts';
import { needsPostalCode } from '../../shared/tax/territories.ts';
import { payCheckout } from '../../shared/use-cases/pay-checkout.ts';
import { reviewCheckout } from '../../shared/use-cases/review-checkout.ts';
import { type CheckoutForm, maxFormBytes, parseCheckoutForm } from '../../shared/wire/checkout-form.ts';

const deps = {
  sessions: sessions(),
  payments: payments(),
  processor: processor(),
  taxSettings,
  checkTaxId,
  merchantId: env.merchant().id,
  now,
  newId,
};
const placeRules = { countries, regionsOf, findRegion, needsPostalCode, checkTaxId: taxId.checkTaxId };

const contextOf = (request: PageRequest): PageContext => pageContext(request, env.merchant(), env.stage());

/** POST /checkout/{id} */
export const handler = page(
  (refusal, request) => refusedPage(contextOf(request), refusal, request),
  async (request) => {
    const form = parseCheckoutForm(request.form(maxFormBytes));
    const session = await deps.sessions.get(request.param('id'));
    assertOwnForm(request, form, session);
    if (checkoutState(session, now()) !== 'open') return seeOther(checkoutPath(session.id));
    const filled = await fill(contextOf(request), session, withLocked(session, form));
    return form.action === 'pay' ? pay(filled) : show(filled, []);
  },
);

function assertOwnForm(request: PageRequest, form: CheckoutForm, session: CheckoutSession): void {
  if (isSameOrigin(request.headers, env.publicUrl()) && isToken(form.token, session.formToken)) return;
  throw new DomainError('FORBIDDEN', 'This form does not come from the page of its session.');
}

interface Filled extends FilledCheckout {
  settings: TaxSettings;
  billing: BillingAddress | null;
  /** What is wrong with the chosen amounts. */
  faults: Advice['faults'];
}

async function fill(context: PageContext, session: CheckoutSession, form: CheckoutForm): Promise<Filled> {
  const written = findLocale(form.lang) ?? context.locale;
  const locale = findLocale(form.switchTo) ?? written;
  const settings = await taxSettings();
  const places = placesOf(placeRules, settings.overrides);
  const read = readAmounts(session, form, written, locale);
  const filled = { context: { ...context, locale }, session, form, read, places, settings };
  const cards = context.isSandbox ? testCards : [];
  return {
    ...filled,
    cards,
    billing: billingOf(session, form.buyer, places),
    faults: choiceFaults(session, read, locale),
  };
}

const show = (filled: Filled, faults: Advice['faults'], notice: Advice['notice'] = null): Promise<Page> =>
  reviewedPage(filled, { faults: [...filled.faults, ...faults], notice }, (draft) =>
    reviewCheckout({ ...deps, taxSettings: async () => filled.settings }, filled.session.id, draft),
  );

/** Pays what the page showed, and leads on; whatever is in the way is shown on the page. */
async function pay(filled: Filled): Promise<Page> {
  const { session, form, read, places, billing } = filled;
  const faults = formFaults(session, form, read, places);
  if (faults.length > 0 || filled.faults.length > 0 || !billing) return show(filled, faults);
  if (form.expectedTotal === null) return show(filled, [], { key: 'notice.total_unknown' });
  try {
    const payment = await payCheckout(knowing(filled), session.id, submissionOf(filled, billing, form.expectedTotal));
    return payment.status === 'failed' ? afterDecline(filled, payment) : leadOn(session, payment);
  } catch (error) {
    return afterRefusal(filled, error);
  }
}

/** What this request has read already is not read again, except after somebody else was faster. */
function knowing({ session, settings }: Filled) {
  let known: CheckoutSession | undefined = session;
  const get = async (id: string): Promise<CheckoutSession> => {
    const first = known;
    known = undefined;
    return first ?? deps.sessions.get(id);
  };
  return { ...deps, sessions: { get }, taxSettings: async () => settings };
}

function submissionOf({ form, read, context }: Filled, billing: BillingAddress, expectedTotal: number) {
  const { email, name, tax_id: id, business_name: businessName } = form.buyer;
  if (!context.isSandbox) throw new DomainError('LIVE_MODE_TEST_CARD', 'Test cards pay nothing in live mode.');
  const buyer = { email, name, billing, taxId: id || null, businessName: businessName || null };
  return { ...buyer, amounts: read.amounts, card: form.card, expectedTotal };
}

/** To the integrator's address when it is paid; to the session's own page while it is not known, or there is no other. */
function leadOn(session: CheckoutSession, payment: Payment): Page {
  const target = payment.status === 'succeeded' ? returnAddress(session, payment, payment.customer.email) : null;
  return seeOther(target ?? checkoutPath(session.id));
}

async function afterDecline(filled: Filled, payment: Payment): Promise<Page> {
  const session = await deps.sessions.get(payment.sessionId);
  if (checkoutState(session, now()) !== 'open') return seeOther(checkoutPath(session.id));
  return show(filled, [], declineNotice(payment.errorCode));
}

/** Whoever lost a race, or came too late, is led to the page that says what became of the session. */
async function afterRefusal(filled: Filled, error: unknown): Promise<Page> {
  if (!(error instanceof DomainError)) throw error;
  const { session, context } = filled;
  if (error.code === 'CHECKOUT_SESSION_CONSUMED' || error.code === 'CHECKOUT_SESSION_EXPIRED')
    return seeOther(checkoutPath(session.id));
  const advice = adviceOf(error, session, context.locale);
  if (!advice) throw error;
  return show(filled, advice.faults, advice.notice);
}
