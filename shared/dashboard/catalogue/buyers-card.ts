import type { Product } from '../../domain/catalogue/product.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { ProductBuyers } from '../../use-cases/reports/search-payments.ts';
import type { Frame } from '../frame.ts';
import { card, dataTable, facts, money } from '../parts.ts';
import { paymentColumns } from '../payments/payment-list-page.ts';
import { textsOf } from '../texts.ts';

/** Who bought a product, in how many orders, and what was paid for these. */
export function buyersCard(frame: Frame, { id }: Product, { newest, totals, looked, isWhole }: ProductBuyers): Html {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  const inWords = (read: (one: (typeof totals)[number]) => string): string => totals.map(read).join(', ') || '–';
  const looks = t(isWhole ? 'buyers.all' : 'buyers.newest', { count: formatCount(looked, t.locale) });
  return card(
    { name: 'buyers', title: t('buyers') },
    newest.length === 0
      ? html`<p class="soft">${t('buyers.none')} ${looks}</p>`
      : html`${facts([
          [t('buyers.orders'), inWords(({ payments, currency }) => `${formatCount(payments, t.locale)} (${currency})`)],
          [t('buyers.paid'), inWords(({ paid, currency }) => money(paid, currency, t.locale))],
          [t('buyers.left'), inWords(({ left, currency }) => money(left, currency, t.locale))],
        ])}<p class="hint">${looks}</p>
${dataTable(t('buyers'), paymentColumns(t), newest)}
<p class="pager"><a href="${`/dashboard/payments?product=${id}`}">${t('buyers.link')}</a></p>`,
  );
}
