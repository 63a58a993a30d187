import type { Customer } from '../../domain/checkout/buyer.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mostNamed, type PaymentRow } from '../../domain/payments/payment-row.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DataColumn } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The columns with the products and the buyer of a payment, for a list of things that belong to payments. */
export const saleColumns = <Row>(
  saleOf: (row: Row) => Payment | undefined,
  { locale }: { locale: Locale },
): readonly DataColumn<Row>[] => {
  const t = textsOf(dashboardTexts('frame'), { locale });
  return [
    { label: t('products'), cell: (row) => soldCell(saleOf(row)?.lines.map(({ name }) => name) ?? [], t) },
    { label: t('customer'), cell: (row) => buyerCell(saleOf(row)?.customer) },
  ];
};

interface Sold extends Pick<PaymentRow, 'productIds'> {
  customer?: PaymentRow['customer'] | undefined;
}

/** The same columns for rows of payments, which have the ids of products. Without names, the products are left out. */
export const soldColumns = <Row extends Sold>(
  names: ReadonlyMap<string, string> | undefined,
  { locale }: { locale: Locale },
): readonly DataColumn<Row>[] => {
  const t = textsOf(dashboardTexts('frame'), { locale });
  const products = (known: ReadonlyMap<string, string>): DataColumn<Row> => ({
    label: t('products'),
    cell: ({ productIds }) =>
      soldCell(
        productIds.map((id) => known.get(id) ?? id),
        t,
      ),
  });
  return [...(names ? [products(names)] : []), { label: t('customer'), cell: ({ customer }) => buyerCell(customer) }];
};

const buyerCell = (buyer: Pick<Customer, 'name' | 'email'> | undefined): Html =>
  buyer ? html`<span dir="auto">${buyer.name}</span><span class="hint">${buyer.email}</span>` : html`–`;

/** The names of the first products, and the number of the others. */
function soldCell(names: readonly string[], t: Texts<TextKey<'frame'>>): Html {
  const [named, more] = [names.slice(0, mostNamed), names.length - mostNamed];
  if (named.length === 0) return html`–`;
  return html`${named.map((name, index) => html`${index > 0 && ', '}<span dir="auto">${name}</span>`)}${more > 0 && html`<span class="hint">${t.count('more', more)}</span>`}`;
}
