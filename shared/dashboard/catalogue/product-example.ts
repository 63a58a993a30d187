import type { ChargeFault } from '../../domain/catalogue/charge-fault.ts';
import type { PricedItem } from '../../domain/checkout/priced-item.ts';
import { option } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { taxLabel } from '../../pages/tax-label.ts';
import { totalsOf } from '../../pages/totals.ts';
import { buyerTaxTexts, dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { money, sums } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The result of the price example: what a buyer at a place pays for one unit, or why this is unknown. */
export type ProductExample =
  | { problem: string }
  | { isChosen: boolean; currency: string; unpayable: ChargeFault }
  | {
      isChosen: boolean;
      currency: string;
      item: PricedItem;
      /**
       * What 1 % of local tax costs the merchant if the price does not cover it, in minor units. Undefined if the price
       * covers all taxes.
       */
      costPerLocalPercent: number | undefined;
      /** Why a card cannot be charged for one unit, or for the lowest amount that a buyer can choose. */
      unpayable: ChargeFault | undefined;
    };

export interface PlaceOption {
  /** The code of the place, such as `DE` or `US-TX`. */
  code: string;
  name: string;
}

/** The data of the price example, which is updated while the merchant types. */
interface ExampleView {
  places: readonly PlaceOption[];
  chosen: string;
  example: ProductExample;
}

export const exampleCard = ({ places, chosen, example }: ExampleView, t: Texts<TextKey<'catalogue'>>): Html =>
  html`<aside class="card sticky" aria-labelledby="example-title"><h2 id="example-title">${t('example')}</h2>
<div class="field"><label for="place">${t('example.place')}</label>
<select id="place" name="place" data-unsent>${places.map(({ code, name }) => option(code, name, code === chosen))}</select></div>
<div id="example" aria-live="polite">${exampleText(example, t)}</div>
<p class="submit unscripted"><button class="second" name="action" value="preview">${t('example.update')}</button></p></aside>`;

function exampleText(example: ProductExample, t: Texts<TextKey<'catalogue'>>): Html {
  if ('problem' in example) return html`<p class="hint">${example.problem}</p>`;
  if (!('item' in example)) return unpayableNote(example, t);
  const { item, currency, isChosen, costPerLocalPercent, unpayable } = example;
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const unit = { amount: inMoney(item.unitAmount) };
  const { taxes } = totalsOf([item]);
  const rows = taxes.map(
    (tax) =>
      [taxLabel(tax, t.locale, textsOf(dashboardTexts('taxLabels'), t, buyerTaxTexts)), inMoney(tax.amount)] as const,
  );
  return html`<p class="hint">${isChosen ? t('example.chosen', unit) : t('example.shown', unit)}</p>
${sums([[t('example.net'), inMoney(item.net)], ...rows, [t('example.pays'), inMoney(item.gross)]])}
<p class="hint">${t(explanation(item))}</p>
${costPerLocalPercent !== undefined && html`<p class="note wait">${t(item.taxInclusive ? 'example.local.inclusive' : 'example.local.exclusive', { cost: inMoney(costPerLocalPercent) })}</p>`}
${unpayable && unpayableNote({ ...example, unpayable }, t)}`;
}

interface Unpayable {
  isChosen: boolean;
  currency: string;
  unpayable: ChargeFault;
}

/**
 * A note that a price is too low for a card payment. It is not an error, because a buyer of several units can pay it.
 */
const unpayableNote = (view: Unpayable, t: Texts<TextKey<'catalogue'>>): Html =>
  html`<p class="note wait">${unpayableWords(view, t)}</p>`;

export function unpayableWords({ unpayable, isChosen, currency }: Unpayable, t: Texts<TextKey<'catalogue'>>): string {
  if (unpayable.kind === 'currency') return t('example.unpayable.currency', { currency });
  if (unpayable.kind === 'maximum')
    return t('example.unpayable.maximum', { amount: money(unpayable.most, currency, t.locale) });
  const amount = money(unpayable.least, currency, t.locale);
  if (unpayable.kind === 'step') return t('example.unpayable.step', { amount });
  return t(isChosen ? 'example.unpayable.chosen' : 'example.unpayable.alone', { amount });
}

function explanation({ components, tax, taxInclusive }: PricedItem): TextKey<'catalogue'> {
  const reasons = components.map(({ reason }) => reason);
  if (reasons.includes('not_collecting')) return 'example.not_collecting';
  if (reasons.includes('unsupported')) return 'example.unsupported';
  if (tax === 0) return 'example.noTax';
  return taxInclusive ? 'example.inclusive' : 'example.exclusive';
}
