import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { policiesAt } from '../domain/catalogue/policies.ts';
import { assertPayable, type CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { languageOfCountry } from '../domain/country-language.ts';
import { isPersonal, withoutReason } from '../domain/discounts/personal-refusal.ts';
import { DomainError } from '../domain/errors.ts';
import { type IdempotencyRecord, inProgress } from '../domain/idempotency.ts';
import { isStarting } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { buyerCookies, buyingPlaceOf } from '../http/buyer-cookie.ts';
import { type IdempotentRequest, lookedUpId } from '../http/idempotency/answer-slot.ts';
import { type IdempotencyRecords, once } from '../http/idempotency/once.ts';
import { jsonAnswer, type Page, type PageRequest } from '../http/page.ts';
import { contextOf } from '../pages/page-context.ts';
import { keys, type ReadAhead, type RowKey } from '../store/keys.ts';
import { type ChangeMarketDeps, changeMarket } from '../use-cases/checkout/change-market.ts';
import { type PayCheckoutDeps, payCheckout, resumeCharge } from '../use-cases/checkout/pay-checkout.ts';
import { type payInput, presentCharge, toSubmission } from '../wire/checkout/checkout-json.ts';
import { parseInput } from '../wire/parse.ts';
import { type CheckoutEnvironment, viewerCountry } from './checkout-context.ts';
import { type ConsumedSessionDeps, namingItsPayment } from './consumed-session.ts';

export interface PayByProgramDeps extends PayCheckoutDeps, ConsumedSessionDeps, ChangeMarketDeps {
  env: CheckoutEnvironment;
  sessions: PayCheckoutDeps['sessions'];
  payments: PayCheckoutDeps['payments'] & ConsumedSessionDeps['payments'];
  brands: { get: () => Promise<Brands> };
  idempotencyRecords: IdempotencyRecords;
  readAhead: ReadAhead;
}

type Schema = ReturnType<typeof payInput>;

/** The rows that a payment by a program reads. */
export const paidRows = (request: PageRequest): RowKey[] => [
  keys.session(request.param('id')),
  keys.taxRules(),
  keys.brands(),
];

/** Pays a session for a program, at most once for each Idempotency-Key. */
export const payByProgram = (deps: PayByProgramDeps, schema: Schema, request: PageRequest): Promise<Page> =>
  deps.readAhead([...paidRows(request), ...recordRows(deps, request)], async () => {
    const body = request.json();
    const session = await deps.sessions.get(request.param('id'));
    const keyed =
      keyOf(request) === undefined ? undefined : { ...identify(deps, request), body: parseInput(schema, body) };
    // The session may have been paid by another request since it was read.
    const asking = { request, session: () => deps.sessions.get(session.id) };
    return namingItsPayment(deps, asking, () =>
      telling(deps, request, (publicly) => {
        const pay = (kept: (payment: Payment) => IdempotencyRecord[]) =>
          publicly(() => paySession(deps, { request, session, schema, body }, kept));
        const respond = (payment: Payment): Page =>
          jsonAnswer(presented(deps, request, payment), buyerCookies(payment, deps.env.publicUrl()));
        if (!keyed) return pay(() => []).then(respond);
        const continuation = { started: ({ id }: Payment) => id, resume: (id: string) => resumeCharge(deps, id) };
        return once(keyed, deps.idempotencyRecords, { respond, keep: respond, continuation }, async (kept) =>
          begunBy(await pay(kept)),
        );
      }),
    );
  });

/** A payment that the processor has begun. Until then there is no answer to store, and a repeated request continues. */
function begunBy(payment: Payment): Payment {
  if (isStarting(payment)) throw inProgress();
  return payment;
}

const keyOf = ({ headers }: PageRequest): string | undefined => headers['idempotency-key'];

/**
 * The facts that identify the request. The scope of an Idempotency-Key is the session, because paying needs no API key.
 */
const identify = ({ now }: PayByProgramDeps, request: PageRequest): Omit<IdempotentRequest, 'body'> => ({
  routeKey: `POST /checkout/${request.param('id')}/pay`,
  path: request.path,
  requestId: request.requestId,
  key: keyOf(request),
  keyless: undefined,
  now: now(),
});

/** The row of an earlier answer. If the Idempotency-Key is invalid, no row is read. */
function recordRows(deps: PayByProgramDeps, request: PageRequest): RowKey[] {
  try {
    const id = lookedUpId({ ...identify(deps, request), body: null });
    return id === undefined ? [] : [keys.idempotency(id)];
  } catch {
    return []; // This error is not lost: parsing the request throws it again.
  }
}

const presented = (deps: PayByProgramDeps, request: PageRequest, payment: Payment) => {
  const { mailsReceipts: isMailed = false } = contextOf(deps.env, request);
  return presentCharge(payment, { isMailed });
};

interface Order {
  request: PageRequest;
  session: CheckoutSession;
  schema: Schema;
  body: unknown;
}

/** Pays a session. If the session cannot be paid any more, that is refused first, before the fields are checked. */
async function paySession(
  deps: PayByProgramDeps,
  { request, session, schema, body }: Order,
  kept: (payment: Payment) => IdempotencyRecord[],
): Promise<Payment> {
  assertPayable(session, deps.now());
  const submission = {
    ...toSubmission(session, parseInput(schema, body)),
    ...originOf(deps, request),
    ...heldByBrands(deps, await deps.brands.get(), session),
  };
  const { country } = submission.billing;
  const priced = await changeMarket(deps, session, { country, currency: null });
  const namesMoney = submission.expectedTotal !== null || submission.amounts.size > 0;
  const expectedCurrency = submission.expectedCurrency ?? (namesMoney ? session.currency : null);
  const read = { session: priced, settings: await deps.taxSettings() };
  return payCheckout(deps, read, { ...submission, expectedCurrency, kept });
}

/**
 * The versions of the merchant's texts for the buyer, and the brand's text for card statements. A text that does not
 * exist in the buyer's language is used in the language of the merchant's country.
 */
export const heldByBrands = (
  { env }: Pick<PayByProgramDeps, 'env'>,
  brands: Brands,
  { brandId }: CheckoutSession,
  ...languages: string[]
) => ({
  policies: policiesAt(brands, [...languages, languageOfCountry(env.merchant().country)]),
  statementSuffix: shownBrand(brands, brandId).statementSuffix,
});

export const originOf = (deps: Pick<PayByProgramDeps, 'env'>, request: PageRequest) => ({
  ipCountry: viewerCountry(deps, request),
  place: buyingPlaceOf(request),
});

type Publicly = (act: () => Promise<Payment>) => Promise<Payment>;

/**
 * Hides why a code is not allowed for a customer, because anyone can enter another person's address. Only the
 * merchant's API keys get the reason. The answer that is stored under an Idempotency-Key does not contain it.
 */
async function telling(
  deps: PayByProgramDeps,
  request: PageRequest,
  answer: (publicly: Publicly) => Promise<Page>,
): Promise<Page> {
  const reasons = new Map<unknown, DomainError>();
  const publicly: Publicly = (act) =>
    act().catch((error: unknown) => {
      if (!(error instanceof DomainError) || !isPersonal(error)) throw error;
      const shown = withoutReason(error);
      reasons.set(shown, error);
      throw shown;
    });
  return answer(publicly).catch(async (error: unknown) => {
    const reason = reasons.get(error);
    throw reason && (await deps.holdsApiKey(request.headers)) ? reason : error;
  });
}
