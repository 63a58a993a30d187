import type { ProductBrief } from '../../domain/catalogue/product.ts';
import { amountBands, chosenAmounts, type Overview } from '../../domain/reports/overview.ts';
import type { ProductSales } from '../../domain/reports/sales.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { card, money } from '../parts.ts';
import type { Texts } from '../texts.ts';
import { barChart } from './chart.ts';
import { share } from './figures.ts';
import { shortMoney } from './revenue-card.ts';

const mostProducts = 3;
const mostBands = 10;

/**
 * The card about the best-selling products whose price the buyer chooses. It shows the chosen amounts, and how many
 * buyers chose the minimum.
 */
export function chosenCard(
  { products }: Overview,
  { known, file }: { known: readonly ProductBrief[]; file: Html },
  t: Texts<TextKey<'reports'>>,
): Html {
  const open = products.flatMap((sales) => {
    const price = known.find(({ id }) => id === sales.id)?.price;
    return price?.kind === 'pay_what_you_want' ? [{ sales, price }] : [];
  });
  return open.length === 0
    ? html``
    : card(
        { name: 'chosen', title: t('chosen') },
        html`<p class="lead">${t('chosen.text')}</p>
<div class="stack">${open.slice(0, mostProducts).map(({ sales, price }, index) => chosenPart(`chosen-${index}`, { sales, price }, t))}</div>${file}`,
      );
}

/**
 * The chosen amounts of a product, with its current price. The share of buyers at the minimum is known only in the
 * price's own currency.
 */
interface Chosen {
  sales: ProductSales;
  price: { minimum: number; currency: string };
}

/**
 * The part of the card about one product. The share of buyers at the minimum is known only in the price's own currency.
 */
function chosenPart(id: string, { sales, price }: Chosen, t: Texts<TextKey<'reports'>>): Html {
  const { name, currency, amounts } = sales;
  const { units, average, median, atMinimum } = chosenAmounts(sales, price.minimum);
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const isComparable = price.currency === currency;
  return html`<div><h3 dir="auto"><a href="/dashboard/products/${sales.id}">${name}</a></h3>
<p class="soft">${t.count('chosenFigures', units, { average: inMoney(average), median: inMoney(median) })}${isComparable && html` <strong>${t('atMinimum', { share: share(atMinimum, units, t.locale), minimum: inMoney(price.minimum) })}</strong>`}</p>
${amounts.length > 1 && chosenChart(id, sales, t)}</div>`;
}

function chosenChart(id: string, { name, currency, amounts }: ProductSales, t: Texts<TextKey<'reports'>>): Html {
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const bands = amountBands(amounts, mostBands);
  const every = Math.ceil(bands.length / 5);
  const bars = bands.map(({ from, to, count }, index) => ({
    label: index % every === 0 ? shortMoney(from, currency, t.locale) : '',
    title: t('band', { from: inMoney(from), to: inMoney(to), count: formatCount(count, t.locale) }),
    parts: [count] as const,
    isEdge: true,
  }));
  const [low = 0, high = 0] = [amounts[0]?.[0], amounts.at(-1)?.[0]];
  return barChart({
    id,
    title: t('chosenChart', { name }),
    description: t('chosenRange', { low: inMoney(low), high: inMoney(high) }),
    bars,
    format: (value) => formatCount(value, t.locale),
  });
}
