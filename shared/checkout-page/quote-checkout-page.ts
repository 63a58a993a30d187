import { assertPayable } from '../domain/checkout/checkout-session.ts';
import { DomainError, hasCode } from '../domain/errors.ts';
import { jsonAnswer, type Page, type PageRequest, type PageRoute } from '../http/page.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { isAskedByScript } from '../pages/page-context.ts';
import { keys, type RowKey } from '../store/keys.ts';
import { type ChangeMarketDeps, changeMarket } from '../use-cases/checkout/change-market.ts';
import { reviewCheckout } from '../use-cases/checkout/review-checkout.ts';
import { type EnterCodesDeps, enterCodes } from '../use-cases/discounts/enter-codes.ts';
import { presentQuote, quoteInput, toDraft } from '../wire/checkout/checkout-json.ts';
import { parseInput } from '../wire/parse.ts';
import { checkoutPath } from './checkout-path.ts';
import { leadTo } from './checkout-responses.ts';
import { type ConsumedSessionDeps, namingItsPayment } from './consumed-session.ts';
import { withCodes } from './form/enter-code.ts';
import { withMarket } from './form/enter-market.ts';
import { receiveForm } from './form/receive-form.ts';
import { type FormPageDeps, formPage } from './form-page.ts';

interface QuoteCheckoutPageDeps extends FormPageDeps, ConsumedSessionDeps, EnterCodesDeps, ChangeMarketDeps {
  sessions: FormPageDeps['sessions'] & EnterCodesDeps['sessions'];
}

/** The route that returns the price of a session, for the page's form and for programs. */
export function quoteCheckoutPage(deps: QuoteCheckoutPageDeps): PageRoute {
  const input = quoteInput(deps.cards.map(({ number }) => number));
  return {
    answer: (request) => deps.readAhead([...rowsOf(request), keys.brands()], () => answerForm(deps, request)),
    json: (request) => deps.readAhead(rowsOf(request), () => answerJson(deps, input, request)),
    refuse: refuseIn(deps.env),
  };
}

const rowsOf = (request: PageRequest): RowKey[] => [keys.session(request.param('id')), keys.taxRules()];

/**
 * Shows the page with the new total. If the script sent the request, errors are hidden, because the buyer is still
 * typing.
 */
async function answerForm(deps: QuoteCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const form = await receiveForm(deps, request, isAskedByScript(request) ? 'refresh' : 'update');
  if ('redirect' in form) return form.redirect;
  try {
    const priced = await withMarket(deps, request, form);
    const coded = await withCodes(deps, priced.form);
    return await formPage(deps, coded.form, { ...priced.advice, ...coded.advice });
  } catch (error) {
    if (!hasCode(error, 'CHECKOUT_SESSION_CONSUMED', 'CHECKOUT_SESSION_EXPIRED')) throw error;
    return leadTo(request, checkoutPath(form.session.id, form.context.locale));
  }
}

async function answerJson(
  deps: QuoteCheckoutPageDeps,
  schema: ReturnType<typeof quoteInput>,
  request: PageRequest,
): Promise<Page> {
  const body = request.json();
  const session = await deps.sessions.get(request.param('id'));
  await namingItsPayment(deps, { request, session: async () => session }, async () =>
    assertPayable(session, deps.now()),
  );
  const input = parseInput(schema, body);
  const settings = await deps.taxSettings();
  const country = input.billing_address?.country;
  const priceable = await changeMarket(deps, session, { country, currency: null });
  const coded = await enterCodes(deps, priceable, input.discount_codes ?? undefined);
  const { priced, problem } = await reviewCheckout(deps, { session: coded, settings }, toDraft(coded, input));
  if (priced) return jsonAnswer(presentQuote(coded, priced));
  throw problem ?? new DomainError('CONFLICT', 'This checkout session was just closed. Read it again.');
}
