import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { PricedItem } from '../../domain/checkout/priced-item.ts';
import { isSaleCarried } from '../../domain/documents/vat-breakdown.ts';
import { sum } from '../../domain/money/money.ts';
import { type PurchaseState, purchaseStateOf } from '../../domain/orders/purchase-state.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { formatDate, formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { inLanguage } from '../../pages/locale.ts';
import { summaryLines, totalsTable } from '../../pages/order-summary.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { type TakenCode, totalsOf } from '../../pages/totals.ts';
import { checkoutTranslator, receiptTranslator, type Translate } from '../../texts/texts.ts';
import { type DeliveryView, deliveriesOf, deliverySection } from './delivery-section.ts';

interface ReceiptView extends PageContext {
  /** The payment's id for the link to the invoice, for the buyer; null for others. */
  paymentId: string | null;
  /**
   * Whether the invoice is available as XML. It is if the buyer is a business and the standard supports the document.
   */
  hasXml: boolean;
  /** The link of the order page, for the buyer; null for others. */
  orderUrl: string | null;
  /** The e-mail address of the receipt, for the buyer; null for others, and if no receipt is mailed. */
  mailedTo: string | null;
  state: PurchaseState;
  refunded: number;
  paidAt: string;
  currency: string;
  lines: readonly ReceiptLine[];
  codes: readonly TakenCode[];
  /** How the buyer gets the products. Empty for other readers, and if the merchant does not describe it. */
  deliveries: readonly DeliveryView[];
  /** The address back to the seller; null if the session has none. */
  returnUrl: string | null;
}

type ReceiptLine = PricedItem & Pick<SessionLine, 'name' | 'description' | 'image'>;

/**
 * The page of a completed session. Everyone with its address sees the purchase and the total, but no personal data.
 * Only the buyer gets links to pages with personal data.
 */
export function receiptView(
  context: PageContext,
  session: CheckoutSession,
  payment: Payment,
  orderUrl: string | null,
): ReceiptView {
  const lines = payment.lines.map((line, index) => ({ ...line, image: session.lines[index]?.image ?? null }));
  const { id, createdAt: paidAt, currency, refunded } = payment;
  const isBuyer = orderUrl !== null;
  const mailedTo = isBuyer && context.mailsReceipts ? payment.customer.email : null;
  const links = isBuyer
    ? { paymentId: id, returnUrl: returnAddress(session, payment) }
    : { paymentId: null, returnUrl: session.returnUrl };
  const hasXml = Boolean(payment.taxId || payment.businessName) && isSaleCarried(payment);
  const codes = (payment.discounts ?? []).map(({ code, taken: amount }) => ({ code, amount }));
  const deliveries = isBuyer && isKept(payment) ? deliveriesOf(session, payment) : [];
  return {
    ...context,
    ...links,
    state: isBuyer ? purchaseStateOf(payment) : publicStateOf(payment),
    orderUrl,
    hasXml,
    mailedTo,
    refunded,
    paidAt,
    currency,
    lines,
    codes,
    deliveries,
  };
}

/** The state of a purchase for everyone. A dispute says something about the buyer, so only the buyer sees it. */
const publicStateOf = (payment: Payment): PurchaseState => purchaseStateOf({ ...payment, disputes: [], disputed: 0 });

/** The headings of receipts. Only what was paid is called paid. */
const titles = {
  paid: 'receipt.title',
  free: 'order.free',
  refunded: 'receipt.refunded',
  disputed: 'receipt.disputed',
  lost: 'receipt.lost',
} as const;

const mailedTexts = { paid: 'receipt.mailed', free: 'receipt.confirmation_mailed' } as const;

const seal = html`<div class="seal" aria-hidden="true"><svg viewBox="0 0 24 24" width="28" height="28"><path d="M5 13l4 4L19 7" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg></div>
`;

/** Thanks for a payment, or says what became of it. */
function receiptText({ state, brand, lines, currency, locale }: ReceiptView, t: Translate): Html {
  if (state === 'free') return html``;
  if (state === 'paid') return html`<p>${t('receipt.text', { merchant: brand.name })}</p>`;
  const amount = formatMoney(sum(lines.map(({ gross }) => gross)), currency, locale);
  return html`<p>${t(`receipt.${state}.text`, { amount })}</p>`;
}

/** Whether at least one product was not fully refunded. Free products count as not refunded. */
const isKept = ({ gross, refundable }: Payment): boolean => gross === 0 || refundable > 0;

/**
 * The integrator's return address with the payment's id and status. The buyer's e-mail address is added only for a
 * redirect of the buyer's browser.
 */
export function returnAddress(
  { returnUrl }: Pick<CheckoutSession, 'returnUrl'>,
  payment: Pick<Payment, 'id' | 'status'>,
  email?: string,
): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  url.searchParams.set('payment_id', payment.id);
  url.searchParams.set('status', payment.status);
  if (email) url.searchParams.set('email', email);
  return url.href;
}

export function receiptPage(view: ReceiptView): string {
  const t = checkoutTranslator(view.locale);
  const title = t(titles[view.state]);
  const main = html`<main id="main" class="outcome">
${(view.state === 'paid' || view.state === 'free') && seal}<h1>${title}</h1>
${receiptText(view, t)}
${(view.state === 'paid' || view.state === 'free') && view.mailedTo && html`<p>${t(mailedTexts[view.state], { email: view.mailedTo })}</p>`}
<section class="part-of-page" aria-labelledby="order-title">
<h2 id="order-title">${t('order.title')}</h2>
${summaryLines(view.lines, view)}
${totalsTable(totalsOf(view.lines, view.codes), view)}
</section>
${deliverySection(view.deliveries, receiptTranslator(view.locale))}
${paymentFacts(view, t)}
${view.orderUrl && orderLink(view.orderUrl, view)}
${view.returnUrl && html`<p><a class="${view.orderUrl ? 'quiet' : 'pay'}" href="${view.returnUrl}">${t('receipt.return', { merchant: view.brand.name })}</a></p>`}
</main>`;
  return layout(view, { title, main });
}

/** The link of the order page, shown to be saved by the buyer. It is shown if the stack sends no mail with it. */
function orderLink(url: string, { mailsReceipts, locale }: ReceiptView): Html {
  const t = receiptTranslator(locale);
  return html`${
    !mailsReceipts &&
    html`<p>${t('keep')}</p>
<p><a href="${url}" dir="ltr">${url}</a></p>
`
  }<p><a class="pay" href="${`${url}&lang=${locale}`}">${t('order')}</a></p>`;
}

const paymentFacts = (
  { paymentId, hasXml, paidAt, refunded, currency, locale, state }: ReceiptView,
  t: Translate,
): Html => html`<dl class="facts">
<div><dt>${t(state === 'free' ? 'receipt.ordered' : 'receipt.date')}</dt><dd>${formatDate(paidAt, locale)}</dd></div>
${refunded > 0 && html`<div><dt>${t('receipt.refunded')}</dt><dd>${formatMoney(refunded, currency, locale)}</dd></div>`}
${
  paymentId &&
  html`<div><dt>${t('receipt.reference')}</dt><dd><code dir="ltr">${paymentId}</code></dd></div>
<div><dt>${t('receipt.documents')}</dt><dd><a href="${inLanguage(`/invoices/payments/${paymentId}`, locale)}">${t(state === 'free' ? 'receipt.confirmation' : 'receipt.invoice')}</a>${hasXml && html` · <a href="${`/invoices/payments/${paymentId}?format=xml&lang=${locale}`}">XML (EN 16931)</a>`}</dd></div>`
}
</dl>`;
