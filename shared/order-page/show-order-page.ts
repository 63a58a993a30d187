import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { publishedKinds } from '../domain/catalogue/policies.ts';
import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { opens } from '../domain/documents/document-access.ts';
import { takesTaxId } from '../domain/documents/tax-id-link.ts';
import { downloadToken, type GrantedFile } from '../domain/entitlements/download-link.ts';
import { notFound } from '../domain/errors.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { orderPath, orderSecret } from '../domain/orders/order-link.ts';
import type { Dispute } from '../domain/payments/dispute.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Refund } from '../domain/payments/refund.ts';
import type { Site } from '../domain/site.ts';
import { isConfirmedSale } from '../domain/withdrawal/confirmation.ts';
import { orderWithdrawPath } from '../domain/withdrawal/proof-link.ts';
import { orderCookie, orderCookieOf } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { layoutHeaders } from '../pages/layout.ts';
import { findLocale, inLanguage } from '../pages/locale.ts';
import { branded, type PageContext, pageContext, withdrawUrlOf } from '../pages/page-context.ts';
import { keys, type ReadAhead } from '../store/keys.ts';
import { type LoadOrderGrantsDeps, loadOrderGrants } from '../use-cases/orders/load-order-grants.ts';
import { openLine } from '../use-cases/orders/open-line.ts';
import { keptLines } from '../use-cases/withdrawal/load-kept.ts';
import { type WaitingDeps, waitingLines } from '../use-cases/withdrawal/load-waiting.ts';
import { closedOrderPage, failedOrderPage, orderPage } from './order-page.ts';
import { orderView, type StoredOrder, textLinesOf } from './order-view.ts';

interface ShowOrderPageDeps extends LoadOrderGrantsDeps, WaitingDeps {
  payments: LoadOrderGrantsDeps['payments'] & { getRefund: (id: string) => Promise<Refund> };
  sessions: { find: (id: string) => Promise<CheckoutSession | undefined> };
  disputes: { find: (id: string) => Promise<Dispute | undefined> };
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
  /** The origin of the bucket, to which the buttons of files lead. */
  fileOrigin: () => string;
  /** The address at which a buyer can add a tax id to the invoice of a payment. */
  taxIdUrl: (paymentId: string) => Promise<string>;
  merchant: Merchant;
  stage: Stage;
  site: Site;
}

/**
 * The permanent page of a payment. Its link sets a cookie and redirects to the address without the secret. So the
 * secret stays neither in the address bar nor in the history. Opening the page issues grants that the sweep has not
 * issued yet. It does not count as a download or an opening, because mail programs open links. A button opens the keys,
 * links and texts of a line that was supplied at once.
 */
export const showOrderPage = (deps: ShowOrderPageDeps): PageRoute => ({
  answer: (request) =>
    request.method === 'POST'
      ? press(deps, request)
      : deps.readAhead([keys.payment(request.param('payment_id')), keys.brands()], () => showOrder(deps, request)),
  refuse: ({ status, requestId }, request) => {
    const context = contextOf(deps, request);
    const body = status === 404 ? closedOrderPage(context) : failedOrderPage(context, requestId);
    return { statusCode: status, headers: { ...layoutHeaders(context.brand), ...unlisted }, body };
  },
});

const unlisted = { 'x-robots-tag': 'noindex, nofollow' };

const contextOf = ({ merchant, stage }: ShowOrderPageDeps, request: PageRequest): PageContext =>
  pageContext(request, merchant, stage);

async function showOrder(deps: ShowOrderPageDeps, request: PageRequest): Promise<Page> {
  const { payment, secret } = await openedBy(deps, request);
  if (request.query('secret') !== undefined) return enter(deps, request, { payment, secret });
  const order = await loadOrder(deps, payment);
  const brands = await deps.brands.get();
  const context = {
    ...branded(contextOf(deps, request), shownBrand(brands, payment.brandId)),
    policies: publishedKinds(brands),
    withdrawUrl: withdrawUrlOf(brands, orderWithdrawPath(payment.id)),
  };
  const takesNew = payment.taxId === null && takesTaxId(payment);
  const taxIdUrl = takesNew ? `${await deps.taxIdUrl(payment.id)}&lang=${context.locale}` : null;
  const tokenOf = (file: GrantedFile) => downloadToken(file, deps.now(), secret);
  const waiting = await waitingLines(deps, payment, [
    ...order.grants.map(({ grant }) => grant),
    ...textLinesOf(order).map((line) => ({ line, createdAt: payment.updatedAt })),
  ]);
  const kept = await keptLines(deps, payment, { grants: order.grants, waiting });
  const isConfirmed = context.withdrawUrl !== null && isConfirmedSale(payment);
  const view = orderView(context, order, { site: deps.site, taxIdUrl, tokenOf, waiting, kept, isConfirmed });
  const images = view.lines.map(({ image }) => image);
  return {
    statusCode: 200,
    headers: { ...layoutHeaders(context.brand, { images, formOrigins: formOrigins(deps, order) }), ...unlisted },
    body: orderPage(view),
  };
}

const maxFormBytes = 1_024;

/** Opens a line for the browser that has the order's cookie, and shows the page again. */
async function press(deps: ShowOrderPageDeps, request: PageRequest): Promise<Page> {
  const { payment } = await openedBy(deps, request);
  if (!isSameOrigin(request.headers, deps.site.publicUrl)) throw notFound('form', request.path);
  const line = new URLSearchParams(request.form(maxFormBytes)).get('line') ?? '';
  if (/^\d{1,3}$/.test(line)) await openLine(deps, payment, Number(line));
  const { headers, ...page } = seeOther(inLanguage(orderPath(payment.id), contextOf(deps, request).locale));
  return { ...page, headers: { ...headers, ...unlisted } };
}

/**
 * The payment of a link or a cookie. A payment that does not exist, the secret of another payment and an ended link get
 * the same error. If the address has a secret, the cookie is not used.
 */
async function openedBy({ payments, stackSecret }: ShowOrderPageDeps, request: PageRequest) {
  const id = request.param('payment_id');
  const [payment, ofStack] = await Promise.all([payments.find(id), stackSecret()]);
  const presented = request.query('secret') ?? orderCookieOf(request);
  const secret = orderSecret(payment ?? { id }, ofStack ?? '');
  if (!ofStack || payment?.status !== 'succeeded' || !opens([presented], [secret])) throw notFound('order', id);
  return { payment, secret };
}

/** The origins to which forms of the page lead. Only an order with grants has buttons that lead to the bucket. */
const formOrigins = ({ fileOrigin }: ShowOrderPageDeps, { grants }: StoredOrder): string[] =>
  grants.length > 0 ? [fileOrigin()] : [];

function enter(
  { site }: ShowOrderPageDeps,
  request: PageRequest,
  { payment, secret }: { payment: Payment; secret: string },
): Page {
  const locale = findLocale(request.query('lang'));
  const path = orderPath(payment.id);
  const { headers, ...page } = seeOther(locale ? inLanguage(path, locale) : path);
  return { ...page, headers: { ...headers, ...unlisted }, cookies: [orderCookie(payment.id, secret, site.publicUrl)] };
}

/** The most failed refunds for which the page lists documents. */
const mostFailed = 20;

async function loadOrder(deps: ShowOrderPageDeps, payment: Payment): Promise<StoredOrder> {
  const { payments, sessions, disputes } = deps;
  const failed = payment.refunds.filter(({ status }) => status === 'failed').slice(-mostFailed);
  const [session, grants, found, ...failedRefunds] = await Promise.all([
    sessions.find(payment.sessionId),
    loadOrderGrants(deps, payment),
    Promise.all(payment.disputes.map(({ id }) => disputes.find(id))),
    ...failed.map(({ id }) => payments.getRefund(id)),
  ]);
  const adjustments = found.flatMap((dispute) => dispute?.adjustments ?? []);
  return { payment, session, grants, failedRefunds, adjustments };
}
