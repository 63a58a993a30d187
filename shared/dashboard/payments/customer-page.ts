import type { Customer } from '../../domain/checkout/buyer.ts';
import type { PaymentRow } from '../../domain/payments/payment.ts';
import { html } from '../../pages/html.ts';
import type { CustomerOverview } from '../../use-cases/reports/overview-customers.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { dataTable, emptyState, facts, money, pager, time } from '../parts.ts';
import { paymentColumns } from './payment-list-page.ts';

const section = '/dashboard/customers';

interface CustomerListView {
  customers: readonly CustomerOverview[];
  isPartial: boolean;
}

export const customerListPage = (frame: Frame, { customers, isPartial }: CustomerListView) =>
  dashboardAnswer(frame, {
    title: 'Customers',
    section,
    main:
      customers.length === 0 && !isPartial
        ? emptyState('No customers yet', 'Buyers appear here, one entry for each e-mail address.')
        : html`${isPartial && html`<p class="note wait">These are the customers of the latest 1,000 payments. Older ones are found among the payments, by their e-mail address.</p>`}
<section class="card">${dataTable('Customers', columns, customers)}</section>`,
  });

const columns = [
  {
    label: 'Customer',
    cell: ({ customer }: CustomerOverview) =>
      html`<a href="${section}/${customer.id}" dir="auto">${customer.name || customer.email}</a><span class="hint">${customer.email}</span>`,
  },
  { label: 'Payments', isNumber: true, cell: ({ payments }: CustomerOverview) => String(payments) },
  { label: 'Latest', cell: ({ latestAt }: CustomerOverview) => time(latestAt) },
  {
    label: 'Paid, refunds taken off',
    isNumber: true,
    cell: ({ paid }: CustomerOverview) => [...paid].map(([currency, amount]) => money(amount, currency)).join(', '),
  },
];

interface CustomerView {
  customer: Customer;
  payments: readonly PaymentRow[];
  newest: string | undefined;
  older: string | undefined;
}

export const customerPage = (frame: Frame, { customer, payments, newest, older }: CustomerView) =>
  dashboardAnswer(frame, {
    title: customer.name || customer.email,
    section,
    above: { href: section, label: 'Customers' },
    main: html`<section class="card">${facts([
      ['E-mail', html`<a href="mailto:${customer.email}">${customer.email}</a>`],
      ['Telephone', customer.phone],
      ['Id', html`<code>${customer.id}</code>`],
    ])}</section>
<section class="card" aria-labelledby="payments-title"><h2 id="payments-title">Payments</h2>${dataTable('Payments', paymentColumns, payments)}${pager(newest, older)}</section>`,
  });
