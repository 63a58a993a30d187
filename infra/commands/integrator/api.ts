import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiRefusal, Problem, UnreachableError } from './failures.ts';
import { modeOf, type StackAccount } from './profiles.ts';

/** The values of a query. A value that is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One call of an operation. */
export interface ApiRequest {
  method: string;
  path: string;
  query?: Query;
  /** The body; undefined if the operation has none. */
  body?: object | undefined;
  /** Whether the operation accepts an Idempotency-Key, so that a repeated request takes effect only once. */
  isIdempotent?: boolean;
  idempotencyKey?: string;
  /** Whether a buyer makes the call, without a key. Such a call is never repeated. */
  isOpen?: boolean;
}

/** A client of the API: sends JSON over HTTP with a key. */
export interface ApiCaller {
  url: string;
  mode: 'sandbox' | 'live';
  send(request: ApiRequest): Promise<unknown>;
  /** Reads an object. The caller names its type from the contract. */
  get<Answer = unknown>(path: string, query?: Query): Promise<Answer>;
  /** Posts an object. A lost request is repeated with the same Idempotency-Key, so that it takes effect only once. */
  post<Answer = unknown>(path: string, body: object, idempotencyKey?: string): Promise<Answer>;
  /** Posts a buyer's form without a key, and never repeats it. It keeps the cookies, which identify the buyer later. */
  postAsBuyer(path: string, body: object): Promise<Answered>;
}

/** The response to a request. */
export interface Answered {
  body: unknown;
  cookies: readonly string[];
}

const triesAtMost = 4;
const firstWaitMs = 250;
const longestWaitMs = 10_000;
/** A server may ask for a longer wait than that, up to this one. */
const longestAskedMs = 60_000;
const deadlineMs = 60_000;

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The currency of the amounts in the body; undefined if it names none. */
  currency: string | undefined;
}

export interface CallerOptions {
  signal: AbortSignal;
  /** How many times a request is sent before the command gives up. */
  tries?: number;
}

/** Makes a client for an account. Its errors contain the API's message and advice. */
export function apiCaller({ url, key }: StackAccount, { signal, tries = triesAtMost }: CallerOptions): ApiCaller {
  const answered = async ({ method, path, query, body, isOpen = false, ...idempotency }: ApiRequest) => {
    const { isIdempotent = false, idempotencyKey = randomUUID() } = idempotency;
    const headers = {
      accept: 'application/json',
      ...(!isOpen && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(isIdempotent && { 'idempotency-key': idempotencyKey }),
    };
    const json = body && { body: JSON.stringify(body) };
    const sent = { method, path: withQuery(path, query), headers, ...json, currency: currencyIn(body) };
    return untilAnswered(() => attempt({ url, signal }, sent), { signal, tries: isOpen ? 1 : tries });
  };
  const send = async (request: ApiRequest) => (await answered(request)).body;
  return {
    url,
    mode: modeOf(key),
    send,
    get: async <Answer>(path: string, query: Query = {}) => (await send({ method: 'GET', path, query })) as Answer,
    post: async <Answer>(path: string, body: object, idempotencyKey: string = randomUUID()) =>
      (await send({ method: 'POST', path, body, isIdempotent: true, idempotencyKey })) as Answer,
    postAsBuyer: (path, body) => answered({ method: 'POST', path, body, isOpen: true }),
  };
}

/** The currency that a body names: its own, or that of its price. */
function currencyIn(body: { currency?: unknown; price?: { currency?: unknown } | null } = {}): string | undefined {
  const currency = body.currency ?? body.price?.currency;
  return typeof currency === 'string' ? currency : undefined;
}

function withQuery(path: string, query: Query = {}): string {
  const used = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return used.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(used))}`;
}

/** Sends the request once. It follows no redirects, because the key must not be sent to another address. */
async function attempt(
  { url, signal }: { url: string; signal: AbortSignal },
  { path, currency, ...init }: Sent,
): Promise<Answered> {
  const request = `${init.method} ${path.replace(/\?.*/, '')}`;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  try {
    const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual', signal: deadline });
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    return { body: answerOf({ request, currency }, response, await response.text()), cookies };
  } catch (error) {
    if (signal.aborted || error instanceof ApiRefusal) throw error;
    throw new UnreachableError(url, error);
  }
}

function answerOf(
  { request, currency }: { request: string; currency: string | undefined },
  response: Response,
  text: string,
): unknown {
  const body = parsedOrUndefined(text);
  if (response.status === 200 && body !== undefined) return body;
  const { status, headers } = response;
  throw new ApiRefusal(request, { status, problem: Problem.safeParse(body).data, currency, ...retryOf(headers) });
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const retryOf = (headers: Headers) => ({
  retryAfterSeconds: Number(headers.get('retry-after') ?? 0) || 0,
  shouldRetry: headers.get('x-should-retry') === 'true',
});

/** Sends the request again if the API asks for it, or if the API could not be reached. */
async function untilAnswered<Answer>(
  send: () => Promise<Answer>,
  { signal, tries }: Required<CallerOptions>,
): Promise<Answer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send();
    } catch (error) {
      const asked = waitAsked(error);
      if (signal.aborted || asked === undefined || tried >= tries) throw error;
      const usual = Math.min(longestWaitMs, firstWaitMs * 2 ** tried);
      await pause(Math.max(usual, Math.min(longestAskedMs, asked)), undefined, { signal });
    }
  }
}

/** How long to wait before the next try, as the API asks. Undefined if another try cannot succeed. */
function waitAsked(error: unknown): number | undefined {
  if (error instanceof UnreachableError) return 0;
  if (!(error instanceof ApiRefusal)) return undefined;
  const { status, shouldRetry, retryAfterSeconds } = error.answer;
  return shouldRetry || status === 429 || status >= 500 ? retryAfterSeconds * 1_000 : undefined;
}
