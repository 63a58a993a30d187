import type { ProductBrief } from '../../domain/catalogue/product.ts';
import { amountBands, chosenAmounts, type Overview } from '../../domain/reports/overview.ts';
import type { ProductSales } from '../../domain/reports/sales.ts';
import { type Html, html } from '../../pages/html.ts';
import { money } from '../parts.ts';
import { barChart } from './chart.ts';
import { share } from './figures.ts';
import { overviewWords as words } from './overview-words.ts';
import { shortMoney } from './revenue-card.ts';

const mostProducts = 3;
const mostBands = 10;

/** For the best products with a chosen price: what buyers chose, and how many chose the minimum. */
export function chosenCard({ products }: Overview, known: readonly ProductBrief[]): Html {
  const open = products.flatMap((sales) => {
    const price = known.find(({ id }) => id === sales.id)?.price;
    return price?.kind === 'pay_what_you_want' ? [{ sales, price }] : [];
  });
  return open.length === 0
    ? html``
    : html`<section class="card" aria-labelledby="chosen-title"><h2 id="chosen-title">${words.chosen}</h2>
<p class="lead">${words.chosenText}</p>
<div class="stack">${open.slice(0, mostProducts).map(({ sales, price }, index) => chosenPart(`chosen-${index}`, sales, price))}</div></section>`;
}

/** The share at the minimum, as it is now, is known in the price's own currency. */
function chosenPart(id: string, sales: ProductSales, price: { minimum: number; currency: string }): Html {
  const { name, currency, amounts } = sales;
  const { units, average, median, atMinimum } = chosenAmounts(sales, price.minimum);
  const isComparable = price.currency === currency;
  return html`<div><h3 dir="auto"><a href="/dashboard/products/${sales.id}">${name}</a></h3>
<p class="soft">${words.chosenFigures(units, money(average, currency), money(median, currency))}${isComparable && html` <strong>${words.atMinimum(share(atMinimum, units), money(price.minimum, currency))}</strong>`}</p>
${amounts.length > 1 && chosenChart(id, sales)}</div>`;
}

function chosenChart(id: string, { name, currency, amounts }: ProductSales): Html {
  const bands = amountBands(amounts, mostBands);
  const every = Math.ceil(bands.length / 5);
  const bars = bands.map(({ from, to, count }, index) => ({
    label: index % every === 0 ? shortMoney(from, currency) : '',
    title: words.band(money(from, currency), money(to, currency), count),
    parts: [count] as const,
  }));
  const [low = 0, high = 0] = [amounts[0]?.[0], amounts.at(-1)?.[0]];
  return barChart({
    id,
    title: words.chosenChart(name),
    description: words.chosenRange(money(low, currency), money(high, currency)),
    bars,
    format: (value) => value.toLocaleString('en'),
  });
}
