import { refusedPage, reviewedPage } from '../../shared/checkout-page/checkout-responses.ts';
import { namingItsPayment } from '../../shared/checkout-page/consumed-session.ts';
import { answerPosted, type Till } from '../../shared/checkout-page/form/receive-form.ts';
import { shownBrand } from '../../shared/domain/catalogue/brand.ts';
import { assertPayable } from '../../shared/domain/checkout/checkout-session.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { formOrJson, type Page, type PageRequest } from '../../shared/http/page.ts';
import { branded, isAskedByScript, pageContext } from '../../shared/pages/page-context.ts';
import { testCards } from '../../shared/processor/sandbox.ts';
import { brands, checkTaxId, now, payments, readAhead, sessions, taxSettings } from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { countries } from '../../shared/tax/places/countries.ts';
import { findRegion, regionsOf } from '../../shared/tax/places/regions.ts';
import { needsPostalCode } from '../../shared/tax/places/territories.ts';
import * as taxId from '../../shared/tax/tax-ids/tax-id.ts';
import { reviewCheckout } from '../../shared/use-cases/checkout/review-checkout.ts';
import { presentQuote, quoteInput, toDraft } from '../../shared/wire/checkout/checkout-json.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const deps = { sessions: sessions(), brands: brands(), taxSettings, checkTaxId, now };
const QuoteInput = quoteInput(testCards.map(({ number }) => number));

const till = (): Till => ({
  merchant: env.merchant(),
  stage: env.stage(),
  publicUrl: env.publicUrl(),
  placeRules: { countries, regionsOf, findRegion, needsPostalCode, checkTaxId: taxId.checkTaxId },
  cards: testCards,
});

/** POST /checkout/{id}/quote */
export const handler = formOrJson(
  (refusal, request) => refusedPage(pageContext(request, env.merchant(), env.stage()), refusal, request),
  {
    form: (request) => readAhead([...rowsOf(request), keys.brands()], () => showQuote(request)),
    json: (request) => readAhead(rowsOf(request), () => quote(request)),
  },
);

const rowsOf = (request: PageRequest): RowKey[] => [keys.session(request.param('id')), keys.taxRules()];

/** The page again, with the total of what is filled in; a page that asks by itself disturbs nobody who is still typing. */
function showQuote(request: PageRequest): Promise<Page> {
  const action = isAskedByScript(request) ? 'refresh' : 'update';
  return answerPosted(deps, till(), { request, action }, async (filled, settings) => {
    const known = { ...deps, taxSettings: async () => settings };
    const context = branded(filled.context, shownBrand(await deps.brands.get(), filled.session.brandId));
    return reviewedPage({ ...filled, context }, { faults: [], notice: null }, (draft) =>
      reviewCheckout(known, filled.session, draft),
    );
  });
}

async function quote(request: PageRequest): Promise<unknown> {
  const input = parseInput(QuoteInput, request.json());
  const session = await deps.sessions.get(request.param('id'));
  const asking = { request, session: async () => session, payment: payments().find, holdsApiKey };
  await namingItsPayment(asking, async () => assertPayable(session, now()));
  const { priced, problem } = await reviewCheckout(deps, session, toDraft(session, input));
  if (priced) return presentQuote(session, priced);
  throw problem ?? new DomainError('CONFLICT', 'This checkout session has just been closed; read it again.');
}
