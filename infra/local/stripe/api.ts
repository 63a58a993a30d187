import type Stripe from 'stripe';
import { type Account, ApiFault, missing } from './account.ts';
import { entriesOfPayout, payoutById } from './balance/payouts.ts';
import { createStripeSession, expireByRequest, sessionById } from './checkout.ts';
import { disputeById } from './disputes.ts';
import { type FormBody, textAt, textsAt } from './form-body.ts';
import { requiredText, wholeNumberAt } from './parameters.ts';
import { createStripeRefund, refundById } from './refunds.ts';
import { sessionRequest } from './session-request.ts';
import {
  accountFacts,
  balanceOf,
  countryFacts,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  withoutSecret,
} from './setup.ts';

interface ApiRequest {
  method: string;
  /** The path after `/v1/`. */
  path: string;
  parameters: FormBody;
  /** The address of the hosted page. */
  pageUrl: string;
}

type Route = (account: Account, request: ApiRequest, id: string) => unknown;

/** The calls that the fake supports, by method and path. Every other call gets a 404. */
const routes: Readonly<Record<string, Route>> = {
  'POST checkout/sessions': (account, { parameters, pageUrl }) =>
    createStripeSession(account, sessionRequest(account, parameters), pageUrl),
  'GET checkout/sessions': (account, request) => list(account.sessions, request),
  'GET checkout/sessions/{id}': (account, _, id) => sessionById(account, id),
  'POST checkout/sessions/{id}/expire': (account, _, id) => expireByRequest(account, sessionById(account, id)),
  'GET payment_intents/{id}': (account, _, id) => account.intents.get(id) ?? fail(missing(id)),
  'POST refunds': (account, { parameters }) => createStripeRefund(account, refundRequest(parameters)),
  'GET refunds': (account, request) => list(account.refunds, request),
  'GET refunds/{id}': (account, _, id) => refundById(account, id),
  'GET disputes': (account, request) => list(account.disputes, request),
  'GET disputes/{id}': (account, _, id) => disputeById(account, id),
  'GET radar/early_fraud_warnings': (account, request) => list(account.warnings, request),
  'GET radar/early_fraud_warnings/{id}': (account, _, id) => account.warnings.get(id) ?? fail(missing(id)),
  'GET payment_intents': (account, request) => list(account.intents, request),
  'GET balance': (account) => balanceOf(account),
  'GET account': (account) => accountFacts(account),
  'GET country_specs/{id}': (_account, _request, id) => countryFacts(id),
  'GET webhook_endpoints': (account, request) =>
    list(new Map([...account.endpoints].map(([id, endpoint]) => [id, withoutSecret(endpoint)])), request),
  'POST webhook_endpoints': (account, { parameters }) => createWebhookEndpoint(account, parameters),
  'POST webhook_endpoints/{id}': (account, { parameters }, id) =>
    withoutSecret(updateWebhookEndpoint(account, id, parameters)),
  'GET balance_transactions': (account, request) => list(entriesFor(account, request), request),
  'GET payouts': (account, request) => list(account.payouts, request),
  'GET payouts/{id}': (account, _, id) => payoutById(account, id),
};

function entriesFor(account: Account, { parameters }: ApiRequest) {
  const payout = textAt(parameters, 'payout');
  return payout === undefined ? account.transactions : entriesOfPayout(account, payout);
}

const fail = (fault: ApiFault): never => {
  throw fault;
};

const idInPath = /\/((?:cs|pi|re|du|we|po|issfr)_[A-Za-z0-9_]+|(?<=country_specs\/)[A-Z]{2})/;

/** The name of a call, such as `GET refunds/{id}`. */
export const callOf = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string =>
  `${method} ${path.replace(idInPath, '/{id}')}`;

/** The answer to a call, with the objects that the call wants expanded. */
export function answer(account: Account, request: ApiRequest): unknown {
  const id = idInPath.exec(request.path)?.[1] ?? '';
  const route = routes[callOf(request)];
  if (!route) throw new ApiFault(404, `Unrecognized request URL (${request.method}: /v1/${request.path}).`);
  const answered: unknown = structuredClone(route(account, request, id));
  for (const wanted of Object.values(textsAt(request.parameters, 'expand')))
    expand(account, answered, wanted.split('.'));
  return answered;
}

/** Replaces an id by its object, at a path such as `payment_intent.latest_charge`. */
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

type Listed = { id: string; created: number; payment_intent?: unknown; type?: unknown };

/** A page of a list, newest first. */
function list<Item extends Listed>(
  objects: ReadonlyMap<string, Item>,
  { path, parameters }: ApiRequest,
): Stripe.ApiList<Item> {
  const limit = wholeNumberAt(parameters, 'limit', 10);
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
  const type = textAt(parameters, 'type');
  if (type !== undefined && item.type !== type) return false;
  const { gte, gt, lte, lt } = textsAt(parameters, 'created');
  const { created } = item;
  return (
    created >= Number(gte ?? 0) &&
    created > Number(gt ?? -1) &&
    created <= Number(lte ?? Infinity) &&
    created < Number(lt ?? Infinity)
  );
}

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'];

function refundRequest(parameters: FormBody) {
  const reason = textAt(parameters, 'reason') ?? null;
  if (reason !== null && !reasons.includes(reason))
    throw new ApiFault(400, `Invalid reason: ${reason}`, { param: 'reason' });
  return {
    intentId: requiredText(parameters, 'payment_intent'),
    amount: textAt(parameters, 'amount') === undefined ? undefined : wholeNumberAt(parameters, 'amount'),
    metadata: textsAt(parameters, 'metadata'),
    reason,
  };
}
