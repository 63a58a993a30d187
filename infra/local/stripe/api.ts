import type Stripe from 'stripe';
import { type Account, ApiFault, missing, type StripeSessionRequest } from './account.ts';
import { createStripeSession, expireSession, sessionById } from './checkout.ts';
import { disputeById } from './disputes.ts';
import { type FormBody, textAt, textsAt } from './form-body.ts';
import { createStripeRefund, refundById } from './refunds.ts';
import { accountFacts, countryFacts, createWebhookEndpoint, updateWebhookEndpoint, withoutSecret } from './setup.ts';

interface ApiRequest {
  method: string;
  /** The path below `/v1/`. */
  path: string;
  parameters: FormBody;
  /** The address of the hosted page. */
  pageUrl: string;
}

type Route = (account: Account, request: ApiRequest, id: string) => unknown;

/** The calls that the fake knows, by method and path. Every other call answers 404. */
const routes: Readonly<Record<string, Route>> = {
  'POST checkout/sessions': (account, { parameters, pageUrl }) =>
    createStripeSession(account, sessionRequest(account, parameters), pageUrl),
  'GET checkout/sessions': (account, request) => list(account.sessions, request),
  'GET checkout/sessions/{id}': (account, _, id) => sessionById(account, id),
  'POST checkout/sessions/{id}/expire': (account, _, id) => {
    const session = sessionById(account, id);
    expireSession(account, session);
    return session;
  },
  'GET payment_intents/{id}': (account, _, id) => account.intents.get(id) ?? fail(missing(id)),
  'POST refunds': (account, { parameters }) => createStripeRefund(account, refundRequest(parameters)),
  'GET refunds': (account, request) => list(account.refunds, request),
  'GET refunds/{id}': (account, _, id) => refundById(account, id),
  'GET disputes': (account, request) => list(account.disputes, request),
  'GET disputes/{id}': (account, _, id) => disputeById(account, id),
  'GET payment_intents': (account, request) => list(account.intents, request),
  'GET account': (account) => accountFacts(account),
  'GET country_specs/{id}': (_account, _request, id) => countryFacts(id),
  'GET webhook_endpoints': (account, request) =>
    list(new Map([...account.endpoints].map(([id, endpoint]) => [id, withoutSecret(endpoint)])), request),
  'POST webhook_endpoints': (account, { parameters }) => createWebhookEndpoint(account, parameters),
  'POST webhook_endpoints/{id}': (account, { parameters }, id) =>
    withoutSecret(updateWebhookEndpoint(account, id, parameters)),
  'GET balance_transactions': (account, request) => list(account.transactions, request),
};

const fail = (fault: ApiFault): never => {
  throw fault;
};

const idInPath = /\/((?:cs|pi|re|du|we)_[A-Za-z0-9_]+|(?<=country_specs\/)[A-Z]{2})/;

/** The answer of a call, with the requested expansions. */
export function answer(account: Account, request: ApiRequest): unknown {
  const path = request.path.replace(idInPath, '/{id}');
  const id = idInPath.exec(request.path)?.[1] ?? '';
  const call = `${request.method} ${path}`;
  const route = routes[call];
  if (account.rights && !account.rights.has(call))
    throw new ApiFault(403, 'The provided key does not have the required permissions for this endpoint.');
  if (!route) throw new ApiFault(404, `Unrecognized request URL (${request.method}: /v1/${request.path}).`);
  const answered: unknown = structuredClone(route(account, request, id));
  for (const wanted of Object.values(textsAt(request.parameters, 'expand')))
    expand(account, answered, wanted.split('.'));
  return answered;
}

/** Replaces an id by its object, along a path such as `payment_intent.latest_charge`. */
function expand(account: Account, object: unknown, [name = '', ...rest]: string[]): void {
  if (Array.isArray(object)) for (const item of object) expand(account, item, [name, ...rest]);
  if (!isRecord(object) || !(name in object)) return;
  const value = object[name];
  const found = typeof value === 'string' ? account.find(value) : undefined;
  if (found) object[name] = structuredClone(found);
  if (rest.length > 0) expand(account, object[name], rest);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Listed = { id: string; created: number; payment_intent?: unknown };

/** Newest first, a page at a time. */
function list<Item extends Listed>(
  objects: ReadonlyMap<string, Item>,
  { path, parameters }: ApiRequest,
): Stripe.ApiList<Item> {
  const limit = wholeNumber(parameters, 'limit', 10);
  if (limit < 1 || limit > 100) throw new ApiFault(400, 'This value must be between 1 and 100.', { param: 'limit' });
  const matching = [...objects.values()].filter((item) => matches(item, parameters)).reverse();
  const after = textAt(parameters, 'starting_after');
  const from = after === undefined ? 0 : matching.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw missing(after);
  return {
    object: 'list',
    data: matching.slice(from, from + limit),
    has_more: matching.length > from + limit,
    url: `/v1/${path}`,
  };
}

function matches(item: Listed, parameters: FormBody): boolean {
  const intent = textAt(parameters, 'payment_intent');
  if (intent !== undefined && item.payment_intent !== intent) return false;
  const { gte, gt, lte, lt } = textsAt(parameters, 'created');
  const { created } = item;
  return (
    created >= Number(gte ?? 0) &&
    created > Number(gt ?? -1) &&
    created <= Number(lte ?? Infinity) &&
    created < Number(lt ?? Infinity)
  );
}

function wholeNumber(parameters: FormBody, path: string, otherwise?: number): number {
  const text = textAt(parameters, path);
  if (text === undefined && otherwise !== undefined) return otherwise;
  if (text === undefined)
    throw new ApiFault(400, `Missing required param: ${path}.`, { code: 'parameter_missing', param: path });
  if (!/^-?\d+$/.test(text))
    throw new ApiFault(400, `Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: path });
  return Number(text);
}

function required(parameters: FormBody, path: string): string {
  const text = textAt(parameters, path);
  if (text === undefined)
    throw new ApiFault(400, `Missing required param: ${path}.`, { code: 'parameter_missing', param: path });
  if (text === '')
    throw new ApiFault(400, `You passed an empty string for '${path}'.`, {
      code: 'parameter_invalid_empty',
      param: path,
    });
  return text;
}

function sessionRequest(account: Account, parameters: FormBody): StripeSessionRequest {
  const currency = required(parameters, 'line_items.0.price_data.currency');
  const methods = Object.values(textsAt(parameters, 'payment_method_types'));
  const amount =
    wholeNumber(parameters, 'line_items.0.price_data.unit_amount') * wholeNumber(parameters, 'line_items.0.quantity');
  for (const [name, value] of Object.entries({ mode: 'payment', ui_mode: 'hosted_page' }))
    if (required(parameters, name) !== value)
      throw new ApiFault(400, `The fake knows ${name} ${value} only.`, { param: name });
  assertChargeable(amount, currency);
  return {
    amount,
    currency,
    description: required(parameters, 'line_items.0.price_data.product_data.name'),
    clientReferenceId: textAt(parameters, 'client_reference_id') ?? null,
    metadata: textsAt(parameters, 'metadata'),
    intentMetadata: textsAt(parameters, 'payment_intent_data.metadata'),
    statementSuffix: textAt(parameters, 'payment_intent_data.statement_descriptor_suffix') ?? null,
    methods: methods.length > 0 ? methods : null,
    email: textAt(parameters, 'customer_email') ?? null,
    locale: textAt(parameters, 'locale') ?? null,
    successUrl: required(parameters, 'success_url'),
    cancelUrl: textAt(parameters, 'cancel_url') ?? null,
    expiresAt: expiry(account, parameters),
  };
}

const minuteInSeconds = 60;

function expiry(account: Account, parameters: FormBody): number {
  const now = account.seconds();
  const at = wholeNumber(parameters, 'expires_at', now + 24 * 60 * minuteInSeconds);
  if (at < now + 30 * minuteInSeconds)
    throw new ApiFault(400, 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  if (at > now + 24 * 60 * minuteInSeconds)
    throw new ApiFault(400, 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  return at;
}

/** The minimum amounts of an account that settles in euro, in Stripe's unit of the currency. */
const least: Readonly<Record<string, number>> = {
  gbp: 30,
  dkk: 250,
  sek: 300,
  nok: 300,
  czk: 1_500,
  huf: 17_500,
  pln: 200,
  jpy: 50,
};
const mostAmount = 99_999_999;
const thirdDigitMustBeZero = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

function assertChargeable(amount: number, currency: string): void {
  const param = 'line_items[0][price_data][unit_amount]';
  if (!/^[a-z]{3}$/.test(currency))
    throw new ApiFault(400, `Invalid currency: ${currency}.`, { param: 'line_items[0][price_data][currency]' });
  if (amount < (least[currency] ?? 50))
    throw new ApiFault(400, "The Checkout Session's total amount due is too small.", { code: 'amount_too_small' });
  if (amount > mostAmount)
    throw new ApiFault(400, 'Amount must be no more than 99,999,999.', { code: 'amount_too_large', param });
  if (thirdDigitMustBeZero.has(currency) && amount % 10 !== 0)
    throw new ApiFault(400, 'Amounts of this currency must end in 0.', { code: 'parameter_invalid_integer', param });
}

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'];

function refundRequest(parameters: FormBody) {
  const reason = textAt(parameters, 'reason') ?? null;
  if (reason !== null && !reasons.includes(reason))
    throw new ApiFault(400, `Invalid reason: ${reason}`, { param: 'reason' });
  return {
    intentId: required(parameters, 'payment_intent'),
    amount: textAt(parameters, 'amount') === undefined ? undefined : wholeNumber(parameters, 'amount'),
    metadata: textsAt(parameters, 'metadata'),
    reason,
  };
}
