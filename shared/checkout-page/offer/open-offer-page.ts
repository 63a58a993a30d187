import type { Product } from '../../domain/catalogue/product.ts';
import type { WishRequest } from '../../domain/catalogue/wish.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSameOrigin } from '../../pages/form-guard.ts';
import type { Locale } from '../../pages/locale.ts';
import { refuseIn } from '../../pages/notices/refused-page.ts';
import { contextOf } from '../../pages/page-context.ts';
import {
  type CreateCheckoutSessionDeps,
  createCheckoutSession,
} from '../../use-cases/checkout/create-checkout-session.ts';
import type { EnterCodesDeps } from '../../use-cases/discounts/enter-codes.ts';
import { type GuardedCodesDeps, guardedCodes } from '../../use-cases/discounts/guarded-codes.ts';
import { written } from '../../use-cases/written.ts';
import type { CheckoutEnvironment } from '../checkout-context.ts';
import { checkoutPath, offerPath } from '../checkout-path.ts';
import { leadTo } from '../checkout-responses.ts';
import { maxFormBytes } from '../form/checkout-form.ts';
import { applyLinkedCode } from '../form/enter-code.ts';
import { readTypedAmount } from '../form/read-fields.ts';
import { offerFields, offerParameters, type TypedAmount, typedAmount } from './offer-parameters.ts';
import { priceAt, shownCountry } from './shown-offer.ts';

interface OpenOfferPageDeps extends Omit<CreateCheckoutSessionDeps, 'isSoldTo'>, GuardedCodesDeps {
  env: CheckoutEnvironment;
  sessions: CreateCheckoutSessionDeps['sessions'] & EnterCodesDeps['sessions'];
}

/**
 * Opens a session from a product's page, like the API does. It accepts only a form from that page, and only the
 * parameters of its link. A return address must have an origin in the merchant's configuration, because anyone can
 * write a link. The gateway limits the rate.
 */
export const openOfferPage = (deps: OpenOfferPageDeps): PageRoute => ({
  answer: (request) => openOffer(deps, request),
  refuse: refuseIn(deps.env),
});

const noFields = {
  customer: {},
  taxId: null,
  businessName: null,
  cancelUrl: null,
  metadata: {},
};

async function openOffer(deps: OpenOfferPageDeps, request: PageRequest): Promise<Page> {
  if (!isSameOrigin(request.headers, deps.env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from the product’s page.');
  const { link, carried } = offerParameters(request);
  const fields = postedFields(request);
  const { locale } = contextOf(deps.env, request);
  const stated = fields.get(offerFields.country) ?? link.country;
  const { country, isStated } = shownCountry(deps, request, stated);
  const product = await deps.products.find(request.param('id'));
  const typed = typedAmount((name) => fields.get(name));
  const choice = product && typed && readTyped(product, { typed, country, locale });
  if (choice === 'wrong') return askedAgain(request, locale, { ...carried, ...Object.fromEntries(fields) });
  const wish = choice ?? (link.amount === undefined ? undefined : { amount: link.amount });
  const { quantity, email, return_url: returnUrl = null, discount } = link;
  const cart = [{ productId: request.param('id'), quantity, amount: null, wish, adjustable: 'as_product' as const }];
  const billing = isStated ? { country } : {};
  const session = await createCheckoutSession(
    // The country may be one to which the product is not sold. The checkout says so.
    { ...deps, isSoldTo: async () => true, products: knowing(deps, product) },
    { cart, fields: { ...noFields, billing, customer: email ? { email } : {}, returnUrl }, currency: null },
    () => [],
  );
  const loadCodes = guardedCodes(deps, request.source);
  if (discount) await applyLinkedCode({ ...deps, loadCodes }, written(session), discount);
  return leadTo(request, checkoutPath(session.id, locale));
}

/** The fields of the page's form. A program may post none. */
const postedFields = (request: PageRequest): URLSearchParams =>
  new URLSearchParams(request.headers['content-type'] === undefined ? '' : request.form(maxFormBytes));

/** Reads no product twice. */
const knowing = ({ products }: OpenOfferPageDeps, product: Product | undefined): OpenOfferPageDeps['products'] => ({
  find: async (id) => (id === product?.id ? product : products.find(id)),
});

interface TypedFor {
  typed: TypedAmount;
  country: string;
  locale: Locale;
}

/** The amount that the buyer has typed. It is wrong if the price does not allow it, or is in another currency. */
function readTyped(product: Product, { typed, country, locale }: TypedFor): WishRequest | 'wrong' | undefined {
  const price = priceAt(product, country);
  if (price.kind === 'fixed') return undefined;
  const { amount, fault } = readTypedAmount(typed.amount, price, locale);
  if (fault || amount === undefined || typed.currency !== price.currency) return 'wrong';
  return { amount, currency: price.currency };
}

/** Shows the product's page again, with the error at the amount. */
function askedAgain(request: PageRequest, locale: Locale, all: Readonly<Record<string, string>>): Page {
  const { lang: _, ...kept } = all;
  return leadTo(request, offerPath(request.param('id'), locale, kept));
}
