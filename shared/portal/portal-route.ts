import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { publishedKinds } from '../domain/catalogue/policies.ts';
import { notFound } from '../domain/errors.ts';
import type { Mail } from '../domain/mail.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { orderPath, orderSecret } from '../domain/orders/order-link.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { type PortalSession, portalEmail, portalUrl } from '../domain/portal/portal-access.ts';
import { portalDataPath, portalKeysPath, portalLinkPath, portalPath } from '../domain/portal/portal-path.ts';
import { orderCookie } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { layoutHeaders } from '../pages/layout.ts';
import { findLocale, inLanguage, type Locale } from '../pages/locale.ts';
import { branded, type PageContext, pageContext, withdrawUrlOf } from '../pages/page-context.ts';
import { keys, type ReadAhead } from '../store/keys.ts';
import { inEqualTime } from '../use-cases/access/equal-time.ts';
import type { MailPurchaseDeps } from '../use-cases/orders/mail-purchase.ts';
import {
  type EnterPortalDeps,
  endPortalSession,
  enterPortal,
  findPortalSession,
} from '../use-cases/portal/enter-portal.ts';
import {
  findPortalOrder,
  listPortalOrders,
  type PortalOrderDeps,
  type Whose,
} from '../use-cases/portal/portal-customers.ts';
import type { PortalDataDeps } from '../use-cases/portal/portal-data.ts';
import {
  assertNetworkMayAsk,
  type RequestPortalLinkDeps,
  requestPortalLink,
} from '../use-cases/portal/request-portal-link.ts';
import { sendAgain } from '../use-cases/portal/send-again.ts';
import { answerAccount } from './account-route.ts';
import { orderListPage } from './order-list-page.ts';
import {
  noPortalSession,
  portalBrowserCookie,
  portalBrowserOf,
  portalSessionCookie,
  portalSessionOf,
} from './portal-cookies.ts';
import type { PortalMailLink } from './portal-mail.ts';
import { askPage, linkPage, linkRefusedPage, portalRefusedPage, sentPage } from './sign-in-pages.ts';

export interface PortalRouteDeps
  extends Omit<RequestPortalLinkDeps, 'portals' | 'customers'>,
    Omit<EnterPortalDeps, 'portals'>,
    Omit<PortalDataDeps, 'portals' | 'payments'>,
    Omit<MailPurchaseDeps, 'payments' | 'throttles' | 'compose' | 'brands'> {
  portals: RequestPortalLinkDeps['portals'] & EnterPortalDeps['portals'] & PortalDataDeps['portals'];
  payments: PortalOrderDeps['payments'] & MailPurchaseDeps['payments'];
  /** Composes the mail of a purchase, which a buyer can request again. */
  composePurchase: MailPurchaseDeps['compose'];
  brands: MailPurchaseDeps['brands'] & { get: () => Promise<Brands> };
  readAhead: ReadAhead;
  compose: (link: PortalMailLink) => Mail;
  stackSecret: () => Promise<string>;
  merchant: Merchant;
  stage: Stage;
  publicUrl: string;
  /** The fixed response time in milliseconds. With it, the time does not reveal whether a mail was sent. */
  answerMs: number;
}

const maxFormBytes = 4_096;

/**
 * The portal with all orders of an e-mail address. Its sign-in gives the same answer for every address. GET does not
 * use up a link, because mail programs open links.
 */
export const portalRoute = (deps: PortalRouteDeps): PageRoute => ({
  answer: (request) => {
    if (request.path === portalLinkPath) return answerLink(deps, request);
    if (request.path === portalKeysPath || request.path === portalDataPath) return answerOwn(deps, request);
    return request.param('payment_id') === '' ? answerPortal(deps, request) : answerOrder(deps, request);
  },
  refuse: ({ status }, request) =>
    responseOf(
      contextOf(deps, request),
      portalRefusedPage(contextOf(deps, request), { isOften: status === 429 }),
      status,
    ),
});

const unlisted = { 'x-robots-tag': 'noindex, nofollow' };

const contextOf = ({ merchant, stage }: PortalRouteDeps, request: PageRequest): PageContext =>
  pageContext(request, merchant, stage);

async function brandedContext(deps: PortalRouteDeps, request: PageRequest): Promise<PageContext> {
  const brands = await deps.brands.get();
  const context = branded(contextOf(deps, request), shownBrand(brands, ''));
  return {
    ...context,
    policies: publishedKinds(brands),
    withdrawUrl: withdrawUrlOf(brands),
    mailsReceipts: deps.mailer !== undefined,
  };
}

const responseOf = ({ brand }: PageContext, body: string, statusCode = 200): Page => ({
  statusCode,
  headers: { ...layoutHeaders(brand), ...unlisted },
  body,
});

/** Redirects to a page of the portal, or of an order. */
const leadTo = (path: string, cookies: string[] = []): Page => {
  const { headers, ...page } = seeOther(path);
  return { ...page, headers: { ...headers, ...unlisted }, cookies };
};

const isRead = ({ method }: PageRequest): boolean => method === 'GET' || method === 'HEAD';

/** The posted form. Refuses a form from a page of another site. */
function postedForm({ publicUrl }: PortalRouteDeps, request: PageRequest): URLSearchParams {
  if (request.method !== 'POST' || !isSameOrigin(request.headers, publicUrl)) throw notFound('form', request.path);
  return new URLSearchParams(request.form(maxFormBytes));
}

const sessionOf = (deps: PortalRouteDeps, request: PageRequest): Promise<PortalSession | undefined> =>
  findPortalSession(deps, portalSessionOf(request));

async function answerPortal(deps: PortalRouteDeps, request: PageRequest): Promise<Page> {
  const form = isRead(request) ? undefined : postedForm(deps, request);
  if (form?.get('step') === 'link') return answerAsk(deps, request, form.get('email') ?? '');
  const session = await sessionOf(deps, request);
  const context = await brandedContext(deps, request);
  if (form) {
    if (session) await endPortalSession(deps, session);
    const body = askPage(context, { typed: '', fault: undefined, isEnded: true }, deps.mailer !== undefined);
    return { ...responseOf(context, body), cookies: [noPortalSession(deps.publicUrl)] };
  }
  if (session) return showOrders(deps, request, { context, session });
  return responseOf(
    context,
    askPage(context, { typed: '', fault: undefined, isEnded: false }, deps.mailer !== undefined),
  );
}

const mostLetters = 254;

/** Gives the same answer after the same time for every e-mail address. */
async function answerAsk(deps: PortalRouteDeps, request: PageRequest, entered: string): Promise<Page> {
  const { mailer, publicUrl } = deps;
  const context = await brandedContext(deps, request);
  const typed = entered.trim().slice(0, mostLetters);
  const email = portalEmail(typed);
  if (!mailer || email === undefined) {
    const fault = typed === '' ? ('missing' as const) : ('invalid' as const);
    return responseOf(context, askPage(context, { typed, fault, isEnded: false }, mailer !== undefined), 422);
  }
  await assertNetworkMayAsk(deps, request.source);
  const browser = portalBrowserOf(request) ?? deps.newToken();
  const mailLink = (token: string, chosen: string | undefined) =>
    mailer.send(
      deps.compose({ to: typed, url: portalUrl(publicUrl, token), locale: findLocale(chosen) ?? context.locale }),
    );
  await inEqualTime(deps.answerMs, 'A link to the portal was not mailed.', () =>
    requestPortalLink(deps, { email, browser }, mailLink),
  );
  return { ...responseOf(context, sentPage(context)), cookies: [portalBrowserCookie(browser, publicUrl)] };
}

async function answerLink(deps: PortalRouteDeps, request: PageRequest): Promise<Page> {
  const context = await brandedContext(deps, request);
  if (isRead(request)) return responseOf(context, linkPage(context, request.query('token') ?? ''));
  const token = postedForm(deps, request).get('token') ?? '';
  const entering = { token, browser: portalBrowserOf(request) ?? '' };
  const entered = await enterPortal(deps, entering);
  if ('refused' in entered)
    return responseOf(context, linkRefusedPage(context, entered.refused), entered.refused === 'over' ? 410 : 403);
  const cookies = [portalSessionCookie(entered.session, deps.publicUrl)];
  const only = entered.opened.returnUrl === null ? await onlyOrder(deps, entered.opened) : undefined;
  return only
    ? openOrder(deps, only, context.locale, cookies)
    : leadTo(inLanguage(portalPath, context.locale), cookies);
}

/** The order of an address, if it has only one. Then the buyer gets to it without the list. */
async function onlyOrder(deps: PortalRouteDeps, whose: Whose): Promise<Payment | undefined> {
  const { items, hasMore } = await listPortalOrders(deps, whose, { size: 2, after: undefined });
  const [only, ...others] = items;
  return only && others.length === 0 && !hasMore ? deps.payments.find(only.id) : undefined;
}

/** Redirects to the page of an order. The order's secret is put into a cookie, and never into a page of the portal. */
async function openOrder(deps: PortalRouteDeps, order: Payment, locale: Locale, cookies: string[] = []): Promise<Page> {
  const secret = orderSecret(order, await deps.stackSecret());
  const cookie = orderCookie(order.id, secret, deps.publicUrl);
  return leadTo(inLanguage(orderPath(order.id), locale), [...cookies, cookie]);
}

const ordersOnPage = 10;

async function showOrders(
  deps: PortalRouteDeps,
  request: PageRequest,
  { context, session, again }: { context: PageContext; session: PortalSession; again?: 'sent' | 'not' },
): Promise<Page> {
  const after = /^\d{4}-[\w:.-]{1,30}#pay_\w{1,40}$/.exec(request.query('after') ?? '')?.[0];
  const { items, hasMore, last } = await listPortalOrders(deps, session, { size: ordersOnPage, after });
  const ids = items.map(({ id }) => id);
  const found = await deps.readAhead(ids.map(keys.payment), () => Promise.all(ids.map((id) => deps.payments.find(id))));
  const orders = found.filter((order) => order !== undefined);
  const view = { orders, again, isNewest: after === undefined, older: hasMore ? last : undefined };
  return responseOf(context, orderListPage(context, session, view));
}

/**
 * The order, if it belongs to the session's address. An order of another buyer gets the same error as one that does not
 * exist.
 */
async function ownOrder(deps: PortalRouteDeps, session: PortalSession, request: PageRequest) {
  const id = request.param('payment_id');
  const order = await findPortalOrder(deps, session, id);
  if (!order) throw notFound('order', id);
  return order;
}

/** Opens the page of an order, or mails the purchase again. */
async function answerOrder(deps: PortalRouteDeps, request: PageRequest): Promise<Page> {
  const { locale } = contextOf(deps, request);
  const session = await sessionOf(deps, request);
  if (!session || isRead(request)) return leadTo(inLanguage(portalPath, locale));
  const form = postedForm(deps, request);
  const order = await ownOrder(deps, session, request);
  if (form.get('step') === 'send') return mailAgain(deps, request, { session, paymentId: order.id });
  return openOrder(deps, order, locale);
}

/** Mails a purchase again, to the address of the session. */
async function mailAgain(
  deps: PortalRouteDeps,
  request: PageRequest,
  { session, paymentId }: { session: PortalSession; paymentId: string },
): Promise<Page> {
  const context = await brandedContext(deps, request);
  const outcome = await sendAgain({ ...deps, compose: deps.composePurchase }, session, paymentId);
  return showOrders(deps, request, { context, session, again: outcome === 'sent' ? 'sent' : 'not' });
}

/** The pages of a signed-in buyer. Without a session, it redirects to the sign-in. */
async function answerOwn(deps: PortalRouteDeps, request: PageRequest): Promise<Page> {
  const context = await brandedContext(deps, request);
  const form = isRead(request) ? undefined : postedForm(deps, request);
  const session = await sessionOf(deps, request);
  if (!session) return leadTo(inLanguage(portalPath, context.locale));
  return answerAccount(deps, { path: request.path, session, context, form, respond: responseOf });
}
