import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { publishedKinds } from '../domain/catalogue/policies.ts';
import { opens } from '../domain/documents/document-access.ts';
import { notFound } from '../domain/errors.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { orderSecret } from '../domain/orders/order-link.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { declarationLimits } from '../domain/withdrawal/declaration.ts';
import { orderWithdrawPath, proofPath } from '../domain/withdrawal/proof-link.ts';
import type { Withdrawal } from '../domain/withdrawal/withdrawal-case.ts';
import { offersWithdrawal, refundsByItself } from '../domain/withdrawal/withdrawal-settings.ts';
import { hashApiKey } from '../http/api-key.ts';
import { orderCookie, orderCookieOf } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { layoutHeaders } from '../pages/layout.ts';
import { findLocale, inLanguage } from '../pages/locale.ts';
import { refusedPage } from '../pages/notices/refused-page.ts';
import { branded, type PageContext, pageContext, withdrawUrlOf } from '../pages/page-context.ts';
import { keys, type ReadAhead } from '../store/keys.ts';
import { inWholePeriods } from '../use-cases/access/equal-time.ts';
import { type AcknowledgeDeps, acknowledgeAtOnce } from '../use-cases/withdrawal/acknowledge-withdrawal.ts';
import {
  type DeclarationRequest,
  type DeclareDeps,
  declareWithdrawal,
} from '../use-cases/withdrawal/declare-withdrawal.ts';
import { openProof, type ProveDeps, proveWithdrawal } from '../use-cases/withdrawal/prove-withdrawal.ts';
import { EmailAddress } from '../wire/addresses.ts';
import {
  confirmPage,
  type DeclarationFaults,
  declaredPage,
  guestPage,
  orderWithdrawPage,
  proofPage,
  type TypedDeclaration,
} from './withdrawal-pages.ts';

export interface WithdrawalRouteDeps
  extends Omit<DeclareDeps, 'sendsMail'>,
    Omit<AcknowledgeDeps, 'hashOf'>,
    ProveDeps {
  withdrawals: DeclareDeps['withdrawals'] & AcknowledgeDeps['withdrawals'] & ProveDeps['withdrawals'];
  brands: { get: () => Promise<Brands> };
  readAhead: ReadAhead;
  newToken: () => string;
  merchant: Merchant;
  stage: Stage;
  publicUrl: string;
  /**
   * The period of response times in milliseconds. The answers to a declaration from the public form take a whole number
   * of these periods.
   */
  answerMs: number;
}

/** The most bytes of a posted form. It is enough for the longest declaration, if each character takes nine bytes. */
const maxFormBytes = 16_384;

/**
 * The withdrawal function (Directive 2011/83/EU, art. 11a): a public form, the page of one order, and the button of a
 * mailed link. Every declaration is accepted, even if it is late. GET declares nothing, because mail programs open
 * links.
 */
export const withdrawalRoute = (deps: WithdrawalRouteDeps): PageRoute => ({
  answer: (request) => (request.path === proofPath ? answerProof(deps, request) : answerWithdrawal(deps, request)),
  refuse: (refusal, request) => {
    const { headers, ...page } = refusedPage(contextOf(deps, request), refusal, request);
    return { ...page, headers: { ...headers, ...unlisted } };
  },
});

const unlisted = { 'x-robots-tag': 'noindex, nofollow' };

const contextOf = ({ merchant, stage }: WithdrawalRouteDeps, request: PageRequest): PageContext =>
  pageContext(request, merchant, stage);

const isPost = ({ method }: PageRequest): boolean => method === 'POST';

async function brandedContext(deps: WithdrawalRouteDeps, request: PageRequest, brandId = ''): Promise<PageContext> {
  const brands = await deps.brands.get();
  return {
    ...branded(contextOf(deps, request), shownBrand(brands, brandId)),
    policies: publishedKinds(brands),
    withdrawUrl: withdrawUrlOf(brands),
  };
}

const responseOf = ({ brand }: PageContext, body: string, statusCode = 200): Page => ({
  statusCode,
  headers: { ...layoutHeaders(brand), ...unlisted },
  body,
});

/** The posted form. Refuses a form from a page of another site. */
function postedForm(deps: WithdrawalRouteDeps, request: PageRequest): URLSearchParams {
  if (!isSameOrigin(request.headers, deps.publicUrl)) throw notFound('form', request.path);
  return new URLSearchParams(request.form(maxFormBytes));
}

function answerWithdrawal(deps: WithdrawalRouteDeps, request: PageRequest): Promise<Page> {
  const id = request.param('payment_id');
  if (id === '') return deps.readAhead([keys.brands()], () => answerGuest(deps, request));
  return deps.readAhead([keys.payment(id), keys.brands()], () => answerOrder(deps, request));
}

const nothingTyped: TypedDeclaration = { name: '', reference: '', email: '' };

async function answerGuest(deps: WithdrawalRouteDeps, request: PageRequest): Promise<Page> {
  if (!offersWithdrawal(await deps.brands.get())) throw notFound('page', request.path);
  const context = await brandedContext(deps, request);
  if (!isPost(request)) return responseOf(context, guestPage(context, { typed: nothingTyped, faults: {} }));
  const form = postedForm(deps, request);
  const typed = typedIn(form);
  const faults = faultsOf(typed);
  const step = form.get('step');
  const isWhole = Object.keys(faults).length === 0;
  if (step === 'change' || !isWhole)
    return responseOf(context, guestPage(context, { typed, faults }), isWhole ? 200 : 422);
  if (step !== 'confirm') return responseOf(context, confirmPage(context, typed, deps.newToken()));
  const unknown = { source: 'form', paymentId: null, lines: null } as const;
  const formToken = form.get('form_token') ?? '';
  const declared = await inWholePeriods(deps.answerMs, () =>
    declare(deps, request, { ...typed, ...unknown, language: context.locale, formToken }),
  );
  return responseOf(context, declaredPage(context, declared, { sendsMail: sendsMail(deps), isTyped: true }));
}

const typedIn = (form: URLSearchParams): TypedDeclaration => {
  const field = (name: keyof TypedDeclaration) => (form.get(name) ?? '').trim().slice(0, declarationLimits[name]);
  return { name: field('name'), reference: field('reference'), email: field('email') };
};

function faultsOf({ name, reference, email }: TypedDeclaration): DeclarationFaults {
  const isAddress = EmailAddress.safeParse(email).success;
  return {
    ...(name === '' && { name: 'missing' as const }),
    ...(reference === '' && { reference: 'missing' as const }),
    ...(!isAddress && { email: email === '' ? ('missing' as const) : ('invalid' as const) }),
  };
}

const sendsMail = ({ mailer }: Pick<WithdrawalRouteDeps, 'mailer'>): boolean => mailer !== undefined;

/**
 * Stores the declaration, and mails its acknowledgement at once. A mail that fails stays due for the sweep. The sweep
 * also asks the address of the order.
 */
async function declare(
  deps: WithdrawalRouteDeps,
  request: PageRequest,
  declaration: DeclarationRequest,
): Promise<Withdrawal> {
  const options = { refundsByItself: refundsByItself(await deps.brands.get()) };
  const declared = await declareWithdrawal({ ...deps, sendsMail: sendsMail(deps) }, declaration, options);
  if (await isBusy(deps, request)) return declared;
  await acknowledgeAtOnce({ ...deps, hashOf: hashApiKey }, declared);
  return declared;
}

/** How many mails one network can cause at once in an hour. More mails wait for the sweep, which has its own limit. */
const hourlyByNetwork = 10;

const isBusy = async ({ throttles, now }: WithdrawalRouteDeps, { source }: PageRequest): Promise<boolean> =>
  (await throttles.count(hashApiKey(`withdrawal from ${source}`), now())) > hourlyByNetwork;

async function answerOrder(deps: WithdrawalRouteDeps, request: PageRequest): Promise<Page> {
  const { payment, secret } = await openedBy(deps, request);
  if (request.query('secret') !== undefined) return enter(deps, request, { payment, secret });
  const context = await brandedContext(deps, request, payment.brandId);
  if (!isPost(request))
    return responseOf(context, orderWithdrawPage(context, payment, { formToken: deps.newToken(), isMissing: false }));
  const form = postedForm(deps, request);
  const formToken = form.get('form_token') ?? '';
  const lines = linesIn(form, payment);
  if (lines?.length === 0)
    return responseOf(context, orderWithdrawPage(context, payment, { formToken, isMissing: true }), 422);
  const { name, email } = payment.customer;
  const ofOrder = { name, email, reference: payment.id, paymentId: payment.id, source: 'order_link' } as const;
  const declared = await declare(deps, request, { ...ofOrder, language: context.locale, lines, formToken });
  return responseOf(context, declaredPage(context, declared, { sendsMail: sendsMail(deps), isTyped: false }));
}

/** The chosen lines; null for all of them. */
function linesIn(form: URLSearchParams, { lines }: Payment): number[] | null {
  if (lines.length === 1) return null;
  const chosen = new Set(form.getAll('line'));
  const positions = [...lines.keys()].filter((position) => chosen.has(String(position)));
  return positions.length === lines.length ? null : positions;
}

/** The order of a link or a cookie, with its current address. Every link and cookie that opens no order gets the same error. */
async function openedBy({ payments, currentAddress, stackSecret }: WithdrawalRouteDeps, request: PageRequest) {
  const id = request.param('payment_id');
  const [payment, ofStack] = await Promise.all([payments.find(id), stackSecret()]);
  const presented = request.query('secret') ?? orderCookieOf(request);
  const secret = orderSecret(payment ?? { id }, ofStack ?? '');
  if (!ofStack || payment?.status !== 'succeeded' || !opens([presented], [secret])) throw notFound('order', id);
  const customer = { ...payment.customer, email: await currentAddress(payment) };
  return { payment: { ...payment, customer }, secret };
}

/** Stores the secret in a cookie, and redirects to the address without it. */
function enter(
  { publicUrl }: WithdrawalRouteDeps,
  request: PageRequest,
  { payment, secret }: { payment: Payment; secret: string },
): Page {
  const locale = findLocale(request.query('lang'));
  const path = orderWithdrawPath(payment.id);
  const { headers, ...page } = seeOther(locale ? inLanguage(path, locale) : path);
  return { ...page, headers: { ...headers, ...unlisted }, cookies: [orderCookie(payment.id, secret, publicUrl)] };
}

async function answerProof(deps: WithdrawalRouteDeps, request: PageRequest): Promise<Page> {
  const context = await brandedContext(deps, request);
  const form = isPost(request) ? postedForm(deps, request) : request.queryParameters;
  const link = { id: form.get('id') ?? '', token: form.get('token') ?? '' };
  const withdrawal = isPost(request) ? await proveWithdrawal(deps, link) : await openProof(deps, link);
  const isProven = withdrawal.current.proof !== null;
  return responseOf(context, proofPage(context, withdrawal, { token: link.token, isProven }));
}
