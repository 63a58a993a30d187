import type { CheckoutSession } from '../../shared/domain/checkout-session.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import { env } from '../../shared/env.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import {
  checkoutPath,
  checkoutState,
  refusedPage,
  reviewedPage,
  seeOther,
} from '../../shared/pages/checkout-answer.ts';
import { withLocked } from '../../shared/pages/draft.ts';
import type { Advice } from '../../shared/pages/faults.ts';
import { type FilledCheckout, fillCheckout, submissionOf } from '../../shared/pages/filled-checkout.ts';
import { assertOwnForm } from '../../shared/pages/form-guard.ts';
import { type PageContext, pageContext } from '../../shared/pages/page-context.ts';
import { placesOf } from '../../shared/pages/places.ts';
import { returnAddress } from '../../shared/pages/receipt-page.ts';
import { adviceOf, declineNotice } from '../../shared/pages/refusals.ts';
import { testCards } from '../../shared/processor/sandbox.ts';
import { checkTaxId, newId, now, payments, processor, sessions, taxSettings } from '../../shared/runtime.ts';
import { countries } from '../../shared/tax/countries.ts';
import { findRegion, regionsOf } from '../../shared/tax/regions.ts';
import * as taxId from '../../shared/tax/tax-id.ts';
import { needsPostalCode } from '../../shared/tax/territories.ts';
import { payCheckout, type Submission } from '../../shared/use-cases/pay-checkout.ts';
import { reviewCheckout } from '../../shared/use-cases/review-checkout.ts';
import { maxFormBytes, parseCheckoutForm } from '../../shared/wire/checkout-form.ts';

const merchantId = env.merchant().id;
const deps = { sessions: sessions(), payments: payments(), processor: processor(), checkTaxId, merchantId, now, newId };
const placeRules = { countries, regionsOf, findRegion, needsPostalCode, checkTaxId: taxId.checkTaxId };

const contextOf = (request: PageRequest): PageContext => pageContext(request, env.merchant(), env.stage());

type Deps = typeof deps & { taxSettings: typeof taxSettings };

/** POST /checkout/{id} */
export const handler = page(
  (refusal, request) => refusedPage(contextOf(request), refusal, request),
  async (request) => {
    const form = parseCheckoutForm(request.form(maxFormBytes));
    const session = await deps.sessions.get(request.param('id'));
    assertOwnForm({ headers: request.headers, publicUrl: env.publicUrl(), token: form.token }, session);
    if (checkoutState(session, now()) !== 'open') return seeOther(checkoutPath(session.id));
    const settings = await taxSettings();
    const context = contextOf(request);
    const places = placesOf(placeRules, settings.overrides);
    const cards = context.isSandbox ? testCards : [];
    const filled = fillCheckout({ context, session, form: withLocked(session, form), places, cards });
    const known = { ...deps, taxSettings: async () => settings };
    return form.action === 'pay' ? pay(known, filled, viewerCountry(request)) : show(known, filled);
  },
);

const show = (known: Deps, filled: FilledCheckout, advice: Advice = { faults: [], notice: null }): Promise<Page> =>
  reviewedPage(filled, advice, (draft) => reviewCheckout(known, filled.session.id, draft));

/** Where the network places the buyer, if a proxy of the merchant's says so. */
function viewerCountry({ headers }: PageRequest): string | null {
  const header = env.merchant().viewerCountryHeader;
  const country = header && headers[header];
  return country && /^[A-Z]{2}$/.test(country) ? country : null;
}

/** Pays what the page showed, and leads on; whatever is in the way is shown on the page. */
async function pay(known: Deps, filled: FilledCheckout, ipCountry: string | null): Promise<Page> {
  const asked = submissionOf(filled);
  if ('advice' in asked) return show(known, filled, asked.advice);
  try {
    const payment = await charge(known, filled, { ...asked.submission, ipCountry });
    return payment.status === 'failed' ? afterDecline(known, filled, payment) : leadOn(filled.session, payment);
  } catch (error) {
    return afterRefusal(known, filled, error);
  }
}

/** Where money moves, a card has to be entered at the processor: the list of test cards is the sandbox's. */
function charge(known: Deps, { session, context }: FilledCheckout, submission: Submission): Promise<Payment> {
  if (!context.isSandbox) throw new DomainError('LIVE_MODE_TEST_CARD', 'Test cards pay nothing in live mode.');
  return payCheckout({ ...known, sessions: startingWith(session) }, session.id, submission);
}

/** What has been read already is not read again, except after somebody else was faster. */
function startingWith(session: CheckoutSession): Pick<typeof deps.sessions, 'get'> {
  let known: CheckoutSession | undefined = session;
  return {
    get: async (id) => {
      const first = known;
      known = undefined;
      return first ?? deps.sessions.get(id);
    },
  };
}

/** To the integrator's address when it is paid; to the session's own page while it is not known, or there is no other. */
function leadOn(session: CheckoutSession, payment: Payment): Page {
  const target = payment.status === 'succeeded' ? returnAddress(session, payment, payment.customer.email) : null;
  return seeOther(target ?? checkoutPath(session.id));
}

async function afterDecline(known: Deps, filled: FilledCheckout, payment: Payment): Promise<Page> {
  const session = await deps.sessions.get(payment.sessionId);
  if (checkoutState(session, now()) !== 'open') return seeOther(checkoutPath(session.id));
  return show(known, filled, { faults: [], notice: declineNotice(payment.errorCode) });
}

/** Whoever lost a race, or came too late, is led to the page that says what became of the session. */
async function afterRefusal(known: Deps, filled: FilledCheckout, error: unknown): Promise<Page> {
  if (!(error instanceof DomainError)) throw error;
  const { session, context } = filled;
  const isOver = error.code === 'CHECKOUT_SESSION_CONSUMED' || error.code === 'CHECKOUT_SESSION_EXPIRED';
  if (isOver) return seeOther(checkoutPath(session.id));
  const advice = adviceOf(error, session, context.locale);
  if (!advice) throw error;
  return show(known, filled, advice);
}
