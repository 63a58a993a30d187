import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Customer } from '../../domain/checkout/buyer.ts';
import type { CustomerProfile } from '../../domain/customers/customer-record.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { totalsByCurrency } from '../../domain/payments/payment-row.ts';
import { answerBy, type ErasureRequest } from '../../domain/portal/erasure-request.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { GrantOverview } from '../../use-cases/entitlements/grant-overview.ts';
import type { CustomerOverview } from '../../use-cases/reports/overview-customers.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { customerGrantsCard } from '../grants/grant-cards.ts';
import { card, dataTable, emptyState, facts, guarded, money, pager } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { paymentColumns } from './payment-list-page.ts';

const section = '/dashboard/customers';
const commands = dashboardCommands.customers;

interface CustomerListView {
  customers: readonly CustomerOverview[];
  isPartial: boolean;
  /** Buyers' requests for erasure that the merchant has not carried out yet. */
  erasures: readonly ErasureRequest[];
  /** The position at which the next requests begin; undefined if there are no more. */
  moreErasures: string | undefined;
}

export function customerListPage(frame: Frame, { customers, isPartial, erasures, moreErasures }: CustomerListView) {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  return dashboardAnswer(frame, {
    title: t('nav./dashboard/customers'),
    section,
    main:
      customers.length === 0 && !isPartial && erasures.length === 0
        ? emptyState(t('customers.none'), t('customers.none.text'))
        : html`${erasuresCard(erasures, moreErasures, t)}${isPartial && html`<p class="note wait">${t('customers.partial')}</p>`}
${card({}, dataTable(t('nav./dashboard/customers'), columnsOf(t), customers))}`,
  });
}

const erasuresCard = (
  erasures: readonly ErasureRequest[],
  more: string | undefined,
  t: Texts<TextKey<'paymentList'>>,
): Html =>
  erasures.length === 0
    ? html``
    : card(
        { name: 'erasures', title: t('customers.erasures') },
        html`<p class="hint">${t('customers.erasures.text')}</p>
<ul>${erasures.map(
          (request) => html`<li><a href="${section}/${request.customerId}">${request.customerId}</a> · ${withMarkup(
            t('customers.erasures.due'),
            { asked: date(request.requestedAt, t.locale), due: date(answerBy(request), t.locale) },
          )}</li>
`,
        )}</ul>
${more !== undefined && html`<p><a href="${more}">${t('customers.erasures.more')}</a></p>`}`,
      );

const columnsOf = (t: Texts<TextKey<'paymentList'>>) => [
  {
    label: t('customer'),
    cell: ({ customer }: CustomerOverview) =>
      html`<a href="${section}/${customer.id}" dir="auto">${titleOf(customer)}</a><span class="hint">${customer.email}</span>`,
  },
  {
    label: t('nav./dashboard/payments'),
    isNumber: true,
    cell: ({ payments }: CustomerOverview) => formatCount(payments, t.locale),
  },
  { label: t('customers.latest'), cell: ({ latestAt }: CustomerOverview) => time(latestAt, t.locale) },
  {
    label: t('customers.paid'),
    isNumber: true,
    cell: ({ totals }: CustomerOverview) =>
      totals.map(({ left, currency }) => money(left, currency, t.locale)).join(', '),
  },
];

interface CustomerView {
  customer: CustomerProfile;
  payments: readonly PaymentRow[];
  /** The names of the bought products; undefined on pages that do not load them. */
  names: ReadonlyMap<string, string> | undefined;
  /** The grants of the customer; undefined on pages that do not load them. */
  grants: readonly GrantOverview[] | undefined;
  /** Why the personal data cannot be erased now. */
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

export function customerPage(frame: Frame, { customer, payments, names, grants, fault, newest, older }: CustomerView) {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  return dashboardAnswer(
    frame,
    {
      title: titleOf(customer),
      section,
      above: { href: section, label: t('nav./dashboard/customers') },
      main: html`${fault && html`<p class="note wait" role="alert">${fault}</p>`}${card(
        {},
        facts([
          [t('customer.email'), customer.email && html`<a href="mailto:${customer.email}">${customer.email}</a>`],
          [t('customer.phone'), customer.phone],
          [t('customer.id'), html`<code>${customer.id}</code>`],
          [t('customer.since'), time(customer.createdAt, t.locale)],
          [t('customer.data'), erasureText(customer, t)],
        ]),
      )}
${card({ name: 'payments', title: t('nav./dashboard/payments') }, html`${dataTable(t('nav./dashboard/payments'), paymentColumns(t, names), payments)}${pager(newest, older, t)}`)}
${grants && customerGrantsCard(frame, grants)}
${eraseCard(frame, { customer, payments, isWhole: newest === undefined && older === undefined }, t)}`,
    },
    { statusCode: fault ? 409 : 200 },
  );
}

const titleOf = ({ id, name, email }: Customer): string => name || email || id;

function erasureText({ erasure }: CustomerProfile, t: Texts<TextKey<'paymentList'>>) {
  if (!erasure) return undefined;
  if (erasure.endedAt === null) return withMarkup(t('customer.erasing'), { time: time(erasure.requestedAt, t.locale) });
  return withMarkup(t('customer.erased'), { time: time(erasure.endedAt, t.locale) });
}

interface ErasureView {
  customer: CustomerProfile;
  payments: readonly PaymentRow[];
  /** Whether these are all payments of the customer. */
  isWhole: boolean;
}

const eraseCard = (frame: Frame, view: ErasureView, t: Texts<TextKey<'paymentList'>>): Html => {
  const { id, erasure } = view.customer;
  return erasure?.endedAt === null || !may(frame, commands.erase)
    ? html``
    : card(
        {},
        guarded(frame, t('customer.erase'), html`${t('customer.erase.text')}${erasedFigures(view, t)}`, {
          to: `${section}/${id}`,
          action: 'erase',
          needs: commands.erase,
          label: t('customer.erase.button'),
        }),
      );
};

/** How much an erasure concerns: the purchases, their sum and the latest one. */
function erasedFigures({ payments, isWhole }: ErasureView, t: Texts<TextKey<'paymentList'>>): Html {
  const [latest] = payments;
  if (!latest) return html``;
  const count = formatCount(payments.length, t.locale);
  const sums = totalsByCurrency(payments).map(({ paid, currency }) => money(paid, currency, t.locale));
  return html`<br>${t('customer.erase.purchases')}: <strong>${isWhole ? count : t('customer.erase.more', { count })}</strong>${isWhole && sums.map((paid) => html` · <strong>${paid}</strong>`)} · ${t('customers.latest')}: ${date(latest.createdAt, t.locale)}`;
}
