import type { PageRequest } from '../../http/page.ts';
import { languageRegion } from '../../pages/locale.ts';
import { type CheckoutEnvironment, viewerCountry } from '../checkout-context.ts';
import type { CheckoutForm } from './checkout-form.ts';

/**
 * The form with the country where the buyer probably is, so that the first look shows the tax: by the network, by the language of
 * the browser, else the merchant's own. The buyer can always choose another. It is kept only when the buyer sends the form.
 */
export function withLikelyCountry(
  deps: { env: Pick<CheckoutEnvironment, 'merchant'> },
  request: PageRequest,
  form: CheckoutForm,
): CheckoutForm {
  if (form.buyer.country !== '') return form;
  const byLanguage = languageRegion(request.headers['accept-language']);
  const country = viewerCountry(deps, request) ?? byLanguage ?? deps.env.merchant().country;
  return { ...form, buyer: { ...form.buyer, country } };
}
