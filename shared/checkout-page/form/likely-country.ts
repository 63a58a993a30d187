import type { PageRequest } from '../../http/page.ts';
import { languageRegion } from '../../pages/locale.ts';
import { type CheckoutEnvironment, viewerCountry } from '../checkout-context.ts';
import type { CheckoutForm } from './checkout-form.ts';

/**
 * Fills in the buyer's probable country, so that the first view shows the tax. It is taken from the IP address, or from
 * the browser's language, or is the merchant's country. The buyer can change it. It is stored only when the buyer sends
 * the form.
 */
export function withLikelyCountry(
  deps: { env: Pick<CheckoutEnvironment, 'merchant'> },
  request: PageRequest,
  form: CheckoutForm,
): CheckoutForm {
  if (form.buyer.country !== '') return form;
  return { ...form, buyer: { ...form.buyer, country: likelyCountry(deps, request) } };
}

/** The country in which a buyer probably is, for the product's page and for the checkout. */
export const likelyCountry = (deps: { env: Pick<CheckoutEnvironment, 'merchant'> }, request: PageRequest): string =>
  viewerCountry(deps, request) ?? languageRegion(request.headers['accept-language']) ?? deps.env.merchant().country;
