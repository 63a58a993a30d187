import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Customer } from '../../domain/checkout/buyer.ts';
import type { CustomerProfile } from '../../domain/customers/customer-record.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { type Html, html } from '../../pages/html.ts';
import type { CustomerOverview } from '../../use-cases/reports/overview-customers.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { dataTable, emptyState, facts, guarded, money, pager, time } from '../parts.ts';
import { paymentColumns } from './payment-list-page.ts';

const section = '/dashboard/customers';
const commands = dashboardCommands.customers;

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
      html`<a href="${section}/${customer.id}" dir="auto">${titleOf(customer)}</a><span class="hint">${customer.email}</span>`,
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
  customer: CustomerProfile;
  payments: readonly PaymentRow[];
  /** Why the data cannot be erased now. */
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

export const customerPage = (frame: Frame, { customer, payments, fault, newest, older }: CustomerView) =>
  dashboardAnswer(
    frame,
    {
      title: titleOf(customer),
      section,
      above: { href: section, label: 'Customers' },
      main: html`${fault && html`<p class="note wait" role="alert">${fault}</p>`}<section class="card">${facts([
        ['E-mail', customer.email && html`<a href="mailto:${customer.email}">${customer.email}</a>`],
        ['Telephone', customer.phone],
        ['Id', html`<code>${customer.id}</code>`],
        ['Customer since', time(customer.createdAt)],
        ['Personal data', erasureText(customer)],
      ])}</section>
<section class="card" aria-labelledby="payments-title"><h2 id="payments-title">Payments</h2>${dataTable('Payments', paymentColumns(), payments)}${pager(newest, older)}</section>
${eraseCard(frame, customer)}`,
    },
    { statusCode: fault ? 409 : 200 },
  );

const titleOf = ({ id, name, email }: Customer): string => name || email || id;

function erasureText({ erasure }: CustomerProfile) {
  if (!erasure) return undefined;
  if (erasure.endedAt === null) return html`Being erased since ${time(erasure.requestedAt)}`;
  return html`Erased ${time(erasure.endedAt)}`;
}

const warning =
  'Name, e-mail address, telephone, address, metadata and notes are removed from payments, refunds, sessions and events. ' +
  'Invoices and credit notes keep them, because the law asks for that. This cannot be undone.';

const eraseCard = (frame: Frame, { id, erasure }: CustomerProfile): Html =>
  erasure?.endedAt === null || !may(frame, commands.erase)
    ? html``
    : html`<section class="card">${guarded(frame, 'Erase personal data', warning, {
        to: `${section}/${id}`,
        action: 'erase',
        needs: commands.erase,
        label: 'Erase for good',
      })}</section>`;
