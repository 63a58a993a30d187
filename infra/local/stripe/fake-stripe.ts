import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback, readBody } from '../../local-aws/loopback-server.ts';
import { Account, ApiFault } from './account.ts';
import { actOnAccount, showAccount } from './account-page.ts';
import { answer, callOf } from './api.ts';
import { type LedgerLine, ledgerOf, settleLate } from './balance/ledger.ts';
import { expireSessions, finishSession, plannedEnd, waitingSessions } from './checkout.ts';
import { decodeForm, type FormBody } from './form-body.ts';
import { answerHostedPage, type PageAnswer, showPage } from './hosted-page.ts';
import { faultAnswer, IdempotencyKeys, type StripeAnswer } from './idempotency.ts';
import { type NotificationEndpoint, NotificationSender } from './notifications.ts';
import { assertRight } from './permissions.ts';
import { endStripeRefund, failRefund, unfinishedRefunds } from './refunds.ts';

/**
 * What happens to an API call. The request or the answer is lost, the answer is late, or the work is slow. The server
 * can also fail and store that failure under the idempotency key, or refuse the call because there are too many.
 */
export type CallFate =
  | 'answered'
  | 'request-lost'
  | 'answer-lost'
  | 'broken'
  | 'too-many'
  | { lateMs: number }
  | { busyMs: number };

export interface FakeStripeOptions {
  port?: number;
  now?: () => Date;
  /** The seed of all ids. */
  seed?: string;
  isLive?: boolean;
  /** The account's key. Calls with another key get a 401. */
  key?: string;
  endpoint?: NotificationEndpoint;
}

/** A call with its answer. `form` is the query or the body, as it was sent. */
export interface AnsweredCall {
  method: string;
  path: string;
  form: string;
  status: number;
  body: unknown;
}

/**
 * A fake Stripe. It has the API calls that Tillstack makes, a hosted page, a memory, a ledger, and failures on request.
 */
export interface FakeStripe {
  url: string;
  /** The account's key. It can be replaced while the fake runs. Then the old key is refused. */
  key: string;
  account: Account;
  notifications: NotificationSender;
  /** Decides what happens to each call. By default, it is `answered`. */
  fate: (call: { method: string; path: string }) => CallFate;
  /** Whether a refused request is refused again under its key, even if it would be accepted now. */
  keepsRefusals: boolean;
  /** When notifications are sent: after the answer, before it, or only by `deliver`. */
  notifies: 'after' | 'before' | 'by-hand';
  /** Every call, as it was received. */
  calls: { method: string; path: string; idempotencyKey: string | undefined; body: string }[];
  /** Called with every call that gets an answer, for tests that check both. */
  answered: ((exchange: AnsweredCall) => void) | undefined;
  deliver(): Promise<number>;
  /** Does what is due by the account's clock: expires sessions, and sends notifications again. */
  tick(): Promise<void>;
  /** Ends pending debits and pending refunds. */
  finish(): void;
  ledger(): LedgerLine[];
  stop(): Promise<void>;
}

export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { now = () => new Date(), seed = 'stripe', isLive = false } = options;
  const account = new Account({ now, seed, isLive });
  const notifications = new NotificationSender(account);
  notifications.endpoint = options.endpoint;
  const server = await listenOnLoopback((request, response) => {
    serve(fake, keys, request, response).catch(() => response.destroy());
  }, options.port);
  const keys = new IdempotencyKeys(now, () => fake.keepsRefusals);
  const fake: FakeStripe = {
    url: `http://127.0.0.1:${server.port}`,
    key: options.key ?? (isLive ? 'rk_live_fake' : 'rk_test_fake'),
    account,
    notifications,
    fate: () => 'answered',
    keepsRefusals: true,
    notifies: 'after',
    calls: [],
    answered: undefined,
    deliver: () => notifications.deliver(),
    tick: async () => {
      expireSessions(account);
      settleLate(account);
      await notifications.deliver();
    },
    finish: () => finishAll(account),
    ledger: () => ledgerOf(account),
    stop: () => server.close(),
  };
  return fake;
}

function finishAll(account: Account): void {
  for (const session of waitingSessions(account)) finishSession(account, session, plannedEnd(account, session));
  for (const { id, end } of unfinishedRefunds(account))
    if (end === 'succeeded') endStripeRefund(account, id);
    else failRefund(account, id);
}

const mostBytes = 1024 * 1024;

async function serve(
  fake: FakeStripe,
  keys: IdempotencyKeys,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', fake.url);
  const body = (await readBody(request, mostBytes))?.toString() ?? '';
  expireSessions(fake.account);
  settleLate(fake.account);
  if (pathname.startsWith('/v1/'))
    await serveApi(fake, keys, { request, response, path: pathname.slice(4), form: search.slice(1) || body });
  else sendPage(response, pageOf(fake, request.method ?? 'GET', pathname, decodeForm(body)));
  if (fake.notifies === 'after') void fake.deliver();
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  form: string;
}

async function serveApi(fake: FakeStripe, keys: IdempotencyKeys, exchange: Exchange): Promise<void> {
  const { request, response, path, form } = exchange;
  const method = request.method ?? 'GET';
  const idempotencyKey = request.headersDistinct['idempotency-key']?.[0];
  fake.calls.push({ method, path, idempotencyKey, body: form });
  const fate = fake.fate({ method, path });
  if (fate === 'request-lost') return void response.destroy();
  const answered = await answerOf(fake, keys, { ...exchange, method, idempotencyKey, fate });
  fake.answered?.({ method, path, form, status: answered.status, body: answered.body });
  if (fake.notifies === 'before') await fake.deliver();
  if (typeof fate === 'object' && 'lateMs' in fate) await pause(fate.lateMs);
  if (fate === 'answer-lost') return void response.destroy();
  send(fake, response, answered);
}

interface Call extends Exchange {
  method: string;
  idempotencyKey: string | undefined;
  fate: CallFate;
}

/** The answer to a call, with the rules for idempotency keys. It may be an error. */
async function answerOf(fake: FakeStripe, keys: IdempotencyKeys, call: Call): Promise<StripeAnswer> {
  const { method, path, form, idempotencyKey, fate } = call;
  const act = async (): Promise<StripeAnswer> => {
    if (typeof fate === 'object' && 'busyMs' in fate) await pause(fate.busyMs);
    if (fate === 'broken')
      return { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong.' } } };
    return {
      status: 200,
      body: answer(fake.account, { method, path, parameters: decodeForm(form), pageUrl: fake.url }),
    };
  };
  try {
    assertCaller(fake, call.request);
    assertRight(fake.account, callOf(call));
    if (fate === 'too-many')
      throw new ApiFault(429, 'Request rate limit exceeded.', { type: 'rate_limit_error', code: 'rate_limit' });
    const isKept = method === 'POST' && idempotencyKey !== undefined;
    return isKept ? await keys.once(idempotencyKey, `${method} ${path}?${form}`, act) : await act();
  } catch (error) {
    if (error instanceof ApiFault) return faultAnswer(error);
    throw error;
  }
}

function assertCaller(fake: FakeStripe, { headers }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${fake.key}`)
    throw new ApiFault(401, `Invalid API Key provided: ${(headers.authorization ?? '').slice(7, 15)}****`, {
      code: 'api_key_invalid',
    });
  if (!/^\d{4}-\d{2}-\d{2}\.\w+$/.test(String(headers['stripe-version'])))
    throw new ApiFault(400, 'Invalid Stripe API version.', { param: 'stripe-version' });
}

function send(fake: FakeStripe, response: ServerResponse, { status, body, headers = {} }: StripeAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': fake.account.newId('req'),
    ...headers,
  });
  response.end(JSON.stringify(body));
}

function pageOf(fake: FakeStripe, method: string, pathname: string, form: FormBody): PageAnswer {
  const id = /^\/c\/pay\/(\w+)$/.exec(pathname)?.[1];
  try {
    if (id) return method === 'POST' ? answerHostedPage(fake.account, id, form) : showPage(fake.account, id);
    if (pathname === '/') return method === 'POST' ? actOnAccount(fake.account, form) : showAccount(fake.account);
    return { html: 'Not found', status: 404 };
  } catch (error) {
    if (error instanceof ApiFault) return { html: error.message, status: error.status };
    throw error;
  }
}

function sendPage(response: ServerResponse, page: PageAnswer): void {
  if ('location' in page) response.writeHead(303, { location: page.location }).end();
  else response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html);
}
