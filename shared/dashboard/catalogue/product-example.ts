import type { PricedItem } from '../../domain/checkout/priced-item.ts';
import { option } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { translator } from '../../pages/locale.ts';
import { taxLabel } from '../../pages/order-summary.ts';
import { totalsOf } from '../../pages/totals.ts';
import { money, sums } from '../parts.ts';

/** What a buyer at a place pays for one unit, or why it is unknown. */
export type ProductExample =
  | { problem: string }
  | {
      isChosen: boolean;
      currency: string;
      item: PricedItem;
      /** What each 1 % of local tax costs the merchant, minor units; undefined where none is missing. */
      costPerLocalPercent: number | undefined;
    };

export interface PlaceOption {
  /** `DE`, `US-TX`. */
  code: string;
  name: string;
}

/** The part of the product form that changes while it is filled in. */
export const exampleCard = (places: readonly PlaceOption[], chosen: string, example: ProductExample): Html =>
  html`<aside class="card sticky" aria-labelledby="example-title"><h2 id="example-title">What a buyer pays</h2>
<div class="field"><label for="place">Buyer in</label>
<select id="place" name="place">${places.map(({ code, name }) => option(code, name, code === chosen))}</select></div>
<div id="example" aria-live="polite">${exampleText(example)}</div>
<p class="submit unscripted"><button class="second" name="action" value="preview">Update the example</button></p></aside>`;

function exampleText(example: ProductExample): Html {
  if ('problem' in example) return html`<p class="hint">${example.problem}</p>`;
  const { item, currency, isChosen, costPerLocalPercent } = example;
  const unitAmount = money(item.unitAmount, currency);
  const t = translator('en');
  const { taxes } = totalsOf([item]);
  const rows = taxes.map((tax) => [taxLabel(tax, 'en', t), money(tax.amount, currency)] as const);
  return html`<p class="hint">${isChosen ? `If the buyer chooses ${unitAmount}:` : `The page shows ${unitAmount}.`}</p>
${sums([['Net', money(item.net, currency)], ...rows, ['The buyer pays', money(item.gross, currency)]])}
<p class="hint">${explanation(item)}</p>
${costPerLocalPercent !== undefined && html`<p class="note wait">${localTaxWords(money(costPerLocalPercent, currency), item.taxInclusive)}</p>`}`;
}

const localTaxWords = (cost: string, taxInclusive: boolean): string =>
  `Only the state’s tax is known. Cities and counties here add their own. ${
    taxInclusive
      ? `Each 1 % of local tax that you owe takes ${cost} out of your net.`
      : `Each 1 % of local tax that you owe costs you ${cost}, because buyers are not charged for it.`
  } Add local rates under Tax.`;

function explanation({ components, tax, taxInclusive }: PricedItem): string {
  const reasons = components.map(({ reason }) => reason);
  if (reasons.includes('not_collecting')) return 'You are not registered there, so you collect no tax.';
  if (reasons.includes('unsupported')) return 'The tax of this place is not known, so none is collected.';
  if (tax === 0) return 'There is no tax on this sale.';
  return taxInclusive
    ? 'The price includes the tax. Buyers pay the same everywhere.'
    : 'The tax is added to the price.';
}
