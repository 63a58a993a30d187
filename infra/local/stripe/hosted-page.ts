import type Stripe from 'stripe';
import { type Account, ApiFault, type StripeSessionRequest } from './account.ts';
import { paySession, sessionById } from './checkout.ts';
import { type FormBody, textAt } from './form-body.ts';
import { type PaymentMeans, paymentMeans } from './payment-means.ts';

/** A page, or a redirect. */
export type PageAnswer = { html: string; status?: number } | { location: string };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:1rem/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin:.2rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem;border-bottom:1px solid #ccc}form{display:inline}</style></head>
<body><p><strong>Stripe, played by this machine.</strong> No money moves.</p>${body}</body></html>`;

/**
 * `GET /c/pay/{id}`: shows the order and the means of payment. For an expired or paid session, it leads back or shows
 * why.
 */
export function showPage(account: Account, id: string, notice = ''): PageAnswer {
  const session = sessionById(account, id);
  if (session.status === 'complete') return { location: session.success_url ?? '/' };
  if (session.status === 'expired') return { html: htmlPage('Expired', '<h1>This page has expired</h1>'), status: 410 };
  const offered = paymentMeans.filter(({ method }) => session.payment_method_types.includes(method));
  const buttons = offered.map(
    ({ name, label }) => `<p><button name="means" value="${name}">${escapeHtml(label)}</button></p>`,
  );
  const back = session.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Back to the shop</a></p>` : '';
  const body = `<h1>Pay ${amountOf(session)}</h1>${linesOf(account.checkouts.get(id)?.request.lines ?? [])}
<p>${escapeHtml(session.customer_email ?? '')}</p>${notice}<form method="post">${buttons.join('')}</form>${back}`;
  return { html: htmlPage('Pay', body) };
}

const linesOf = (lines: StripeSessionRequest['lines']): string =>
  `<ul>${lines.map(({ name, amount, image }) => `<li>${image === null ? '' : `<img src="${escapeHtml(image)}" alt="" width="48"> `}${escapeHtml(name)}: ${amount}</li>`).join('')}</ul>`;

/** The amount as people write it, and in Stripe's unit. */
function amountOf({ amount_total: amount, currency }: Stripe.Checkout.Session): string {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: currency ?? 'xxx' });
  const digits = money.resolvedOptions().maximumFractionDigits ?? 0;
  return `${escapeHtml(money.format((amount ?? 0) / 10 ** digits))} <small>(${amount} units)</small>`;
}

/** `POST /c/pay/{id}`: carries out the command of a button on the page. */
export function answerHostedPage(account: Account, id: string, form: FormBody): PageAnswer {
  const session = sessionById(account, id);
  const means = paymentMeans.find(({ name }) => name === textAt(form, 'means'));
  if (!means) throw new ApiFault(400, 'Choose how to pay.');
  if (session.status !== 'open') return showPage(account, id);
  if (means.asks && textAt(form, 'confirmed') === undefined) return askPage(account, session, means);
  return pay(account, session, textAt(form, 'confirmed') === 'no' ? refusedStep(means) : means);
}

const refusedStep = (means: PaymentMeans): PaymentMeans => ({
  ...means,
  outcome: 'declined',
  declineCode: 'authentication_required',
});

function pay(account: Account, session: Stripe.Checkout.Session, means: PaymentMeans): PageAnswer {
  paySession(account, session, means);
  if (means.outcome === 'declined')
    return showPage(account, session.id, '<p role="alert">Your payment was declined. Try another way to pay.</p>');
  return { location: session.success_url ?? '/' };
}

/** Shows the bank's page. While it is open, the session is being paid and cannot be expired. */
function askPage(account: Account, session: Stripe.Checkout.Session, { name }: PaymentMeans): PageAnswer {
  account.underWay.add(session.id);
  const html = htmlPage(
    'Confirm',
    `<h1>Your bank asks you to confirm</h1><form method="post"><input type="hidden" name="means" value="${name}">
<p><button name="confirmed" value="yes">Confirm</button> <button name="confirmed" value="no">Refuse</button></p></form>`,
  );
  return { html };
}
