import { option } from '../../pages/fields.ts';
import { listCountries } from '../../pages/formats/list-countries.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { offerPath } from '../checkout-path.ts';
import { offerFields } from './offer-parameters.ts';
import type { OfferView } from './shown-offer.ts';

/**
 * The country whose price the page shows. Its button asks for the page again, so the address of the link must be in
 * hidden fields.
 */
export function countryField(
  { locale }: PageContext,
  { product, carried, offer }: OfferView,
  t: TranslateCheckout,
): Html {
  const kept = Object.entries({ ...carried, lang: locale }).filter(([name]) => name !== offerFields.country);
  return html`<div class="field"><label for="country">${t('field.country')}</label>
<select id="country" name="${offerFields.country}" autocomplete="country">
<option value="">${t('field.country.choose')}</option>
${listCountries(buyerCountries, locale).map(({ code, name }) => option(code, name, code === offer.country))}</select>
<button class="quiet unscripted" formmethod="get" formaction="${offerPath(product.id, locale)}" formnovalidate>${t('offer.country')}</button>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}</div>`;
}
