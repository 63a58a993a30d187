import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { CountedDiscount } from '../../domain/discounts/discount.ts';
import { saleStateOf } from '../../domain/payments/dispute-standing.ts';
import { faultOf, hintOf } from '../../pages/fields.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Guest } from '../../store/discounts/guest-store.ts';
import type { ListedPayment } from '../../store/payments/payment-list.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  card,
  copyField,
  dataTable,
  facts,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
  pager,
} from '../parts.ts';
import { statusBadge } from '../payments/payment-list-page.ts';
import { soldColumns } from '../sales/sale-columns.ts';
import { type Texts, textsOf } from '../texts.ts';
import { type DiscountFormView, discountForm } from './discount-form.ts';
import { discountsHome } from './discount-list-page.ts';
import { codeBadge, codeState, takesText } from './discount-words.ts';

const commands = dashboardCommands.discounts;

/** The page for a new code, which shows only the form. */
export function newDiscountPage(frame: Frame, view: DiscountFormView) {
  const t = textsOf(dashboardTexts('discounts'), frame);
  const main = html`${faultSummary(view.faults, t)}${discountForm(frame, view)}`;
  return dashboardAnswer(frame, { ...contentOf(t), title: t('new.title'), main }, statusOf(view));
}

const contentOf = (t: Texts<TextKey<'discounts'>>) =>
  ({ section: discountsHome, above: { href: discountsHome, label: t('nav./dashboard/discounts') } }) as const;

const statusOf = ({ faults }: Pick<DiscountFormView, 'faults'>) => ({ statusCode: faults.length > 0 ? 422 : 200 });

interface DiscountView extends DiscountFormView {
  counted: CountedDiscount;
  held: number;
  payments: readonly ListedPayment[];
  /** The names of the products in these payments. */
  names: ReadonlyMap<string, string>;
  newest: string | undefined;
  older: string | undefined;
  /** The customers who may use the code; null unless it is only for chosen customers. */
  guests: { items: readonly Guest[]; hasMore: boolean } | null;
  /** The addresses that were typed and refused. They are shown again. */
  emails: string;
  publicUrl: string;
  now: string;
}

/** The page of a code. The merchant copies, changes or stops the code here, and sees its uses. */
export function discountPage(frame: Frame, view: DiscountView) {
  const t = textsOf(dashboardTexts('discounts'), frame);
  const { counted, faults, now } = view;
  const { discount } = counted;
  const isStopped = discount.deletedAt !== null;
  const main = html`<p class="states">${codeBadge(counted, now, t)}<span>${takesText(discount, frame.locale)}</span>${discount.name && html`<span class="soft" dir="auto">${discount.name}</span>`}</p>
${faultSummary(faults, t)}
${isStopped && html`<p class="note wait">${t('stopped.note')}</p>`}
<div class="columns main-aside">
<div class="stack">${!isStopped && linksCard(view, t)}${paymentsCard(frame, view, t)}</div>
<div class="stack">${usesCard(frame, view, t)}</div>
</div>
${!isStopped && html`<div class="after-columns">${discountForm(frame, view)}${guestsCard(frame, view, t)}${stopping(frame, view, t)}</div>`}`;
  return dashboardAnswer(
    frame,
    { ...contentOf(t), title: discount.code, main, changes: commands.allow },
    statusOf(view),
  );
}

const mostLinks = 5;

/** The code, and links to products that apply it. If the code is for all products, the newest products are linked. */
function linksCard({ counted: { discount }, products, publicUrl }: DiscountView, t: Texts<TextKey<'discounts'>>): Html {
  const isFor = ({ id }: { id: string }) => discount.restrictedTo.length === 0 || discount.restrictedTo.includes(id);
  const linked = products.filter(isFor).slice(0, mostLinks);
  const address = (id: string) => `${publicUrl}/buy/${id}?discount=${discount.code}`;
  return card(
    { name: 'links', title: t('card.code') },
    html`${copyField('code-copy', t('copy.code'), discount.code, t)}
${linked.map(({ id, name }) => copyField(`link-${id}`, t('copy.link', { product: name }), address(id), t))}
<p class="hint">${linked.length > 0 ? t('copy.hint', { code: discount.code }) : t('copy.none')}</p>`,
  );
}

function usesCard({ locale }: Frame, { counted, held }: DiscountView, t: Texts<TextKey<'discounts'>>): Html {
  const { discount, used } = counted;
  const { usageLimit: limit } = discount;
  return card(
    { name: 'uses', title: t('card.facts') },
    html`${facts([
      [t('fact.paid'), formatCount(Math.max(0, used - held), locale)],
      [t('fact.held'), formatCount(held, locale)],
      [t('fact.left'), limit === null ? t('fact.unlimited') : formatCount(Math.max(0, limit - used), locale)],
    ])}
<p class="hint">${t('held.hint')}</p>`,
  );
}

const paymentsCard = (
  { locale, ...frame }: Frame,
  { payments, names, newest, older }: DiscountView,
  t: Texts<TextKey<'discounts'>>,
): Html =>
  card(
    { name: 'payments', title: t('card.payments') },
    html`${
      payments.length === 0
        ? html`<p class="soft">${t('payments.none')}</p>`
        : dataTable<ListedPayment>(
            t('card.payments'),
            [
              {
                label: t('payment.when'),
                cell: ({ id, createdAt }) =>
                  html`<a class="leads" href="/dashboard/payments/${id}">${time(createdAt, locale)}</a>`,
              },
              ...soldColumns<ListedPayment>(names, { locale }),
              {
                label: t('payment.status'),
                cell: (payment) => statusBadge(saleStateOf(payment), { locale }),
              },
              {
                label: t('payment.amount'),
                isNumber: true,
                cell: ({ gross, refunded, currency }) =>
                  html`${money(gross, currency, locale)}${refunded > 0 && html`<span class="hint">${t('payment.refunded', { amount: money(refunded, currency, locale) })}</span>`}`,
              },
            ],
            payments,
          )
    }${pager(newest, older, textsOf(dashboardTexts('frame'), { ...frame, locale }))}`,
  );

function guestsCard(frame: Frame, view: DiscountView, t: Texts<TextKey<'discounts'>>): Html {
  const { guests, counted, faults, emails } = view;
  if (!guests) return html``;
  const to = `${discountsHome}/${counted.discount.id}`;
  const remove = ({ customerId }: Guest) =>
    actionButton(frame, {
      ...{ to, action: 'disallow', needs: commands.disallow },
      ...{ label: t('list.remove'), fields: { customer_id: customerId } },
    });
  const table = dataTable<Guest>(
    t('card.list'),
    [
      {
        label: t('list.customer'),
        cell: ({ customerId }) => html`<a href="/dashboard/customers/${customerId}"><code>${customerId}</code></a>`,
      },
      { label: t('list.since'), cell: ({ createdAt }) => date(createdAt, frame.locale) },
      { label: '', spokenLabel: t('list.actions'), cell: remove },
    ],
    guests.items,
  );
  const fault = messageAt(faults, 'emails');
  return card(
    { name: 'list', title: t('card.list') },
    html`${guests.items.length === 0 ? html`<p class="note wait">${t('list.none')}</p>` : table}
${guests.hasMore && html`<p class="hint">${t('list.more')}</p>`}
${
  may(frame, commands.allow) &&
  html`<form method="post" action="${to}" novalidate>${formKeys(frame)}
<div class="field"><label for="emails">${t('list.emails')}</label>
<textarea id="emails" name="emails" maxlength="20000" dir="ltr" aria-describedby="emails-fault emails-hint"${fault && html` aria-invalid="true"`}>${emails}</textarea>
${hintOf('emails', t('list.emails.hint'))}${faultOf('emails', fault)}</div>
<p class="submit"><button class="second" name="action" value="allow">${t('list.add')}</button></p></form>`
}`,
  );
}

const stopping = (frame: Frame, { counted, now }: DiscountView, t: Texts<TextKey<'discounts'>>): Html =>
  may(frame, commands.stop) && codeState(counted, now) !== 'stopped'
    ? card(
        {},
        guarded(frame, t('stop.summary'), t('stop.text'), {
          ...{ to: `${discountsHome}/${counted.discount.id}`, action: 'stop', needs: commands.stop },
          label: t('stop.button'),
        }),
      )
    : html``;
