import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { type OfferKey, offerTexts } from '../../texts/texts.ts';
import type { DashboardForm } from '../form.ts';
import { checkBox, type FormFault, messageAt, textArea } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The entries about a product's link and about what follows the payment. */
export interface OfferEntries {
  least: string;
  most: string;
  purpose: string;
  showsNet: boolean;
  url: string;
  instructions: string;
}

export const noOffer: OfferEntries = { least: '', most: '', purpose: '', showsNet: false, url: '', instructions: '' };

export function offerEntriesOf({ price, adjustable, delivery }: Product): OfferEntries {
  const { purpose = '', showsNet = false } = price.kind === 'pay_what_you_want' ? price : {};
  return {
    ...limitsOf(adjustable),
    purpose,
    showsNet,
    url: delivery?.url ?? '',
    instructions: delivery?.instructions ?? '',
  };
}

const limitsOf = (limits: Product['adjustable']): Pick<OfferEntries, 'least' | 'most'> =>
  limits ? { least: String(limits.minimum), most: String(limits.maximum) } : { least: '', most: '' };

export const offerEntriesFrom = (form: DashboardForm): OfferEntries => ({
  least: form.text('quantity_least'),
  most: form.text('quantity_most'),
  purpose: form.text('purpose'),
  showsNet: form.has('show_net'),
  url: form.text('delivery_url'),
  instructions: form.text('delivery_instructions'),
});

/** What the API would be sent about the product. What is no number becomes one that it refuses. */
export function offerBody({ least, most, url, instructions }: OfferEntries) {
  const units = (typed: string): number => (/^\d{1,4}$/.test(typed) ? Number(typed) : 0);
  const limits = { minimum: least === '' ? 1 : units(least), maximum: most === '' ? mostUnits : units(most) };
  return {
    adjustable_quantity: least === '' && most === '' ? null : limits,
    digital_product_delivery: { external_url: url || null, instructions: instructions || null },
  };
}

/** What the API would be sent about a price that the buyer chooses. */
export const choiceBody = ({ purpose, showsNet }: OfferEntries) => ({ purpose: purpose || null, show_net: showsNet });

/** The API's paths, and the fields of the form that they are about. */
export const offerFields: Readonly<Record<string, string>> = {
  'price.purpose': 'purpose',
  'adjustable_quantity.minimum': 'quantity_least',
  'adjustable_quantity.maximum': 'quantity_most',
  'digital_product_delivery.external_url': 'delivery_url',
  'digital_product_delivery.instructions': 'delivery_instructions',
};

/** The faults of these fields in the merchant's words. */
export function offerFaults(locale: Locale): Record<string, string> {
  const t = textsOf(offerTexts, { locale });
  const quantity = t('quantity.fault');
  return {
    purpose: t('purpose.fault'),
    ...{ quantity_least: quantity, quantity_most: quantity },
    delivery_url: t('delivery.url.fault'),
    delivery_instructions: t('delivery.instructions.fault'),
  };
}

export interface OfferFieldsView {
  locale: Locale;
  entries: OfferEntries;
  faults: readonly FormFault[];
}

/** How many units a buyer may choose, and how the buyer gets them. */
export function offerFieldset({ locale, entries, faults }: OfferFieldsView, attributes: Html): Html {
  const t = textsOf(offerTexts, { locale });
  const units = (id: string, label: string, value: string) => line({ id, label, value, faults, maxLength: 4 });
  return html`<fieldset class="card"${attributes}><legend class="visually-hidden">${t('quantity')}</legend><h2>${t('quantity')}</h2>
<div class="pair">${units('quantity_least', t('quantity.least'), entries.least)}${units('quantity_most', t('quantity.most'), entries.most)}</div>
<p class="hint">${t('quantity.hint')}</p>
</fieldset>
<fieldset class="card"${attributes}><legend class="visually-hidden">${t('delivery')}</legend><h2>${t('delivery')}</h2>
<p class="hint">${t('delivery.hint')}</p>
${textArea({ id: 'delivery_instructions', label: t('delivery.instructions'), value: entries.instructions, isRequired: false, maxLength: 1000, fault: messageAt(faults, 'delivery_instructions') })}
${line({ id: 'delivery_url', label: t('delivery.url'), value: entries.url, faults, maxLength: 2_000 })}
</fieldset>`;
}

/** What the page says under an amount that the buyer chooses. */
export function choiceFields({ locale, entries, faults }: OfferFieldsView): Html {
  const t: Texts<OfferKey> = textsOf(offerTexts, { locale });
  return html`${textField({ id: 'purpose', name: 'purpose', label: t('purpose'), value: entries.purpose, maxLength: 200, hint: t('purpose.hint'), fault: messageAt(faults, 'purpose') })}
${checkBox({ id: 'show_net', label: t('net'), isChecked: entries.showsNet, hint: t('net.hint') })}`;
}

interface CodeLine {
  id: string;
  label: string;
  value: string;
  faults: readonly FormFault[];
  maxLength: number;
}

const line = ({ faults, ...field }: CodeLine): Html =>
  textField({ ...field, name: field.id, isCode: true, fault: messageAt(faults, field.id) });
