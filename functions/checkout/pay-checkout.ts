import { checkoutPath } from '../../shared/checkout-page/checkout-path.ts';
import { checkoutState, refusedPage, reviewedPage, seeOther } from '../../shared/checkout-page/checkout-responses.ts';
import { namingItsPayment } from '../../shared/checkout-page/consumed-session.ts';
import type { Advice } from '../../shared/checkout-page/form/faults.ts';
import { type FilledCheckout, submissionOf } from '../../shared/checkout-page/form/read-form.ts';
import { answerPosted, type Till } from '../../shared/checkout-page/form/receive-form.ts';
import { adviceOf, declineNotice } from '../../shared/checkout-page/form/refusals.ts';
import { returnAddress } from '../../shared/checkout-page/views/receipt-page.ts';
import { shownBrand } from '../../shared/domain/catalogue/brand.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { formOrJson, type Page, type PageRequest } from '../../shared/http/page.ts';
import { buyerCookies } from '../../shared/pages/buyer-cookie.ts';
import { branded, pageContext } from '../../shared/pages/page-context.ts';
import { testCards } from '../../shared/processor/sandbox.ts';
import {
  brands,
  checkTaxId,
  newId,
  now,
  payments,
  processor,
  readAhead,
  sessions,
  taxSettings,
} from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { countries } from '../../shared/tax/places/countries.ts';
import { findRegion, regionsOf } from '../../shared/tax/places/regions.ts';
import { needsPostalCode } from '../../shared/tax/places/territories.ts';
import * as taxId from '../../shared/tax/tax-ids/tax-id.ts';
import { payCheckout, type Submission } from '../../shared/use-cases/checkout/pay-checkout.ts';
import { reviewCheckout } from '../../shared/use-cases/checkout/review-checkout.ts';
import { payInput, presentCharge, toSubmission } from '../../shared/wire/checkout/checkout-json.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const deps = {
  ...{ sessions: sessions(), payments: payments(), brands: brands(), processor: processor() },
  ...{ taxSettings, checkTaxId, now, newId, merchantId: env.merchant().id },
};
const PayInput = payInput(testCards.map(({ number }) => number));

type Deps = typeof deps;

const till = (): Till => ({
  merchant: env.merchant(),
  stage: env.stage(),
  publicUrl: env.publicUrl(),
  placeRules: { countries, regionsOf, findRegion, needsPostalCode, checkTaxId: taxId.checkTaxId },
  cards: testCards,
});

/** POST /checkout/{id}/pay */
export const handler = formOrJson(
  (refusal, request) => refusedPage(pageContext(request, env.merchant(), env.stage()), refusal, request),
  {
    form: (request) => readAhead(rowsOf(request), () => answerForm(request)),
    json: (request) => readAhead(rowsOf(request), () => pay(request)),
  },
);

const rowsOf = (request: PageRequest): RowKey[] => [keys.session(request.param('id')), keys.taxRules()];

const answerForm = (request: PageRequest): Promise<Page> =>
  answerPosted(deps, till(), { request, action: 'pay' }, (filled, settings) =>
    payForm({ ...deps, taxSettings: async () => settings }, filled, viewerCountry(request)),
  );

async function pay(request: PageRequest): Promise<unknown> {
  const input = parseInput(PayInput, request.json());
  const session = await deps.sessions.get(request.param('id'));
  const submission = { ...toSubmission(session, input), ipCountry: viewerCountry(request) };
  const asking = { request, session: () => deps.sessions.get(session.id), payment: deps.payments.find, holdsApiKey };
  return presentCharge(await namingItsPayment(asking, () => charge(deps, session, submission)));
}

/** Where the network places the buyer, if a proxy of the merchant's says so. */
function viewerCountry({ headers }: PageRequest): string | null {
  const header = env.merchant().viewerCountryHeader;
  const country = header && headers[header];
  return country && /^[A-Z]{2}$/.test(country) ? country : null;
}

/** The page again, under its brand, which is read only where there is something to show. */
async function show(known: Deps, filled: FilledCheckout, advice: Advice): Promise<Page> {
  const context = branded(filled.context, shownBrand(await deps.brands.get(), filled.session.brandId));
  return reviewedPage({ ...filled, context }, advice, (draft) => reviewCheckout(known, filled.session, draft));
}

/** Pays what the page showed, and leads on; whatever is in the way is shown on the page. */
async function payForm(known: Deps, filled: FilledCheckout, ipCountry: string | null): Promise<Page> {
  const asked = submissionOf(filled);
  if ('advice' in asked) return show(known, filled, asked.advice);
  try {
    const payment = await charge(known, filled.session, { ...asked.submission, ipCountry });
    return payment.status === 'failed' ? afterDecline(known, filled, payment) : leadOn(filled, payment);
  } catch (error) {
    return afterRefusal(known, filled, error);
  }
}

/** Where money moves, a card has to be entered at the processor: the list of test cards is the sandbox's. */
function charge(known: Deps, session: CheckoutSession, submission: Submission): Promise<Payment> {
  if (env.stage() !== 'sandbox') throw new DomainError('LIVE_MODE_TEST_CARD', 'Test cards pay nothing in live mode.');
  return payCheckout(known, session, submission);
}

/** To the integrator's address when it is paid; to the session's own page while it is not known, or there is no other. */
function leadOn({ session, context }: FilledCheckout, payment: Payment): Page {
  const target = payment.status === 'succeeded' ? returnAddress(session, payment, payment.customer.email) : null;
  return {
    ...seeOther(target ?? checkoutPath(session.id, context.locale)),
    cookies: buyerCookies(payment, env.publicUrl()),
  };
}

async function afterDecline(known: Deps, filled: FilledCheckout, payment: Payment): Promise<Page> {
  const session = await deps.sessions.get(payment.sessionId);
  if (checkoutState(session, now()) !== 'open') return seeOther(checkoutPath(session.id, filled.context.locale));
  return show(known, { ...filled, session }, { faults: [], notice: declineNotice(payment.errorCode) });
}

/** Whoever lost a race, or came too late, is led to the page that says what became of the session. */
async function afterRefusal(known: Deps, filled: FilledCheckout, error: unknown): Promise<Page> {
  if (!(error instanceof DomainError)) throw error;
  const { session, context } = filled;
  const isOver = error.code === 'CHECKOUT_SESSION_CONSUMED' || error.code === 'CHECKOUT_SESSION_EXPIRED';
  if (isOver) return seeOther(checkoutPath(session.id, context.locale));
  const advice = adviceOf(error, session, context.locale);
  if (!advice) throw error;
  return show(known, filled, advice);
}
