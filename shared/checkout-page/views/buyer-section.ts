import { selectField, type TextField, textField } from '../../pages/fields.ts';
import { listCountries } from '../../pages/formats/list-countries.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { quotePath } from '../checkout-path.ts';
import type { BuyerField } from '../form/checkout-form.ts';
import type { CheckoutView } from './present-checkout.ts';

/** The buyer and the address: only the fields that matter in the chosen country. */
export const buyerSection = (
  view: CheckoutView,
  t: TranslateCheckout,
): Html => html`<section class="part-of-page" aria-labelledby="details-title">
<h2 id="details-title">${t('details.title')}</h2>
${text(view, t, 'email', { type: 'email', autocomplete: 'email', isRequired: true, maxLength: 254 })}
${text(view, t, 'name', { autocomplete: 'name', isRequired: true, maxLength: 250 })}
${countryField(view, t)}
${regionField(view, t)}
<div>${view.asksPostalCode && postalCodeField(view, t)}</div>
<div>${view.asksTaxId && businessFields(view, t)}</div>
<p class="unscripted"><button id="update" class="quiet" formaction="${quotePath(view.sessionId, view.locale)}" aria-describedby="update-hint">${t('update.button')}</button>
<span class="hint" id="update-hint">${t('update.hint')}</span></p>
</section>`;

function text(view: CheckoutView, t: TranslateCheckout, name: BuyerField, more: Partial<TextField>): Html {
  const isLocked = view.locked.includes(name);
  const hint = isLocked ? t('field.locked', { merchant: view.brand.name }) : undefined;
  const common = { id: name, name, label: t(`field.${name}`), value: view.buyer[name], fault: faultAt(view, t, name) };
  return textField({ ...common, hint, isLocked, ...more });
}

/** A field that may stay empty. With an error, it may not, so its label does not say so. */
function optional(view: CheckoutView, t: TranslateCheckout, name: BuyerField, more: Partial<TextField>): Html {
  const label = faultAt(view, t, name) ? t(`field.${name}`) : `${t(`field.${name}`)} (${t('field.optional')})`;
  return text(view, t, name, { label, ...more });
}

const faultAt = (view: CheckoutView, t: TranslateCheckout, name: string): string | undefined => {
  const fault = view.faults.find(({ field }) => field === name);
  return fault && t(fault.key, fault.values);
};

function countryField(view: CheckoutView, t: TranslateCheckout): Html {
  const listed = listCountries(view.countries, view.locale).map(({ code, name }) => ({ value: code, label: name }));
  const isUnsold = ({ value }: { value: string }) => view.unsold.has(value);
  return selectField({
    id: 'country',
    name: 'country',
    label: t('field.country'),
    value: view.buyer.country,
    fault: faultAt(view, t, 'country'),
    autocomplete: 'country',
    isRequired: true,
    isPriced: true,
    placeholder: t('field.country.choose'),
    options: listed.filter((one) => !isUnsold(one)),
    group: { label: t('field.country.unsold'), options: listed.filter(isUnsold) },
  });
}

/** The field for the region. Its key contains the country, because another country must reset the choice. */
function regionField(view: CheckoutView, t: TranslateCheckout): Html {
  const options = view.regions.map(({ code, name }) => ({ value: code, label: name }));
  const spec = {
    id: 'region',
    name: 'region',
    label: t('field.region'),
    value: view.buyer.region,
    fault: faultAt(view, t, 'region'),
    autocomplete: 'address-level1',
    isRequired: true,
    isPriced: true,
    placeholder: t('field.region.choose'),
    options,
  };
  return html`<div id="regions-${view.buyer.country}">${options.length > 0 && selectField(spec)}</div>`;
}

const postalCodeField = (view: CheckoutView, t: TranslateCheckout): Html =>
  optional(view, t, 'postal_code', { autocomplete: 'postal-code', isPriced: true, maxLength: 20, isCode: true });

/**
 * The note at the tax id. It says why the id does not remove the tax, or how ids of the country are written. With an
 * Australian id the buyer also declares something, and Canada has two ids.
 */
function taxIdHint({ buyer, locked, taxIdNote, taxIdExample, brand }: CheckoutView, t: TranslateCheckout) {
  if (taxIdNote) return { hint: t(taxIdNote, { merchant: brand.name }) };
  if (locked.includes('tax_id')) return {};
  const notes = [
    taxIdExample && t('tax.example', { example: taxIdExample }),
    buyer.country === 'AU' && t('field.tax_id.au'),
    buyer.country === 'CA' && t('field.tax_id.ca'),
  ];
  const hint = notes.filter(Boolean).join(' ');
  return hint === '' ? {} : { hint };
}

/**
 * The fields of a business. They are hidden until they are used. If the tax does not need the postal code, it is among
 * them.
 */
function businessFields(view: CheckoutView, t: TranslateCheckout): Html {
  const isUsed = view.buyer.tax_id !== '' || view.buyer.business_name !== '';
  return html`<details id="business"${isUsed && html` open`}>
<summary>${t('business.title')}</summary>
<p class="hint">${t('business.hint')}</p>
${optional(view, t, 'tax_id', { isPriced: true, maxLength: 40, isCode: true, ...taxIdHint(view, t) })}
${optional(view, t, 'business_name', { autocomplete: 'organization', maxLength: 250 })}
${optional(view, t, 'street', { autocomplete: 'address-line1', maxLength: 200 })}
<div>${!view.asksPostalCode && optional(view, t, 'postal_code', { autocomplete: 'postal-code', maxLength: 20, isCode: true })}</div>
${optional(view, t, 'city', { autocomplete: 'address-level2', maxLength: 100 })}
</details>`;
}
