import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { ProcessorError } from '../../../domain/processor.ts';
import type { AccountAccess } from '../processor-description.ts';
import { encodeForm, type FormValue } from './form.ts';

const StripeFault = z.object({
  type: z.string(),
  code: z.string().nullish(),
  param: z.string().nullish(),
});
type StripeFault = z.infer<typeof StripeFault>;

const StripeFaultAnswer = z.object({ error: StripeFault });

/** The API version of the answers. The types of the `stripe` package have the same version; a test compares the two. */
export const apiVersion = '2026-10-28.endive';

export interface StripeClient {
  get(path: string, parameters?: Parameters): Promise<unknown>;
  /**
   * @param key makes the call repeatable: calls with the same key and parameters have one effect. null: the call is
   * safe to repeat without a key.
   */
  post(path: string, parameters: Parameters, key: string | null): Promise<unknown>;
}

type Parameters = Readonly<Record<string, FormValue>>;

export interface StripeClientOptions extends AccountAccess {
  now?: () => number;
  random?: () => number;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  form: string;
  key: string | null;
}

/** An error answer of the API, with its status. */
export class StripeRefusal extends ProcessorError {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, { type, code, param }: StripeFault, requestId: string | null) {
    super(kindOf(status), `Stripe answered ${status} ${code ?? type} (${requestId ?? 'no request id'}).`, {
      code: code ?? null,
    });
    this.name = 'StripeRefusal';
    this.status = status;
    this.type = type;
    this.param = param ?? null;
  }
}

function kindOf(status: number): ProcessorError['kind'] {
  if (status === 401 || status === 403) return 'unauthorized';
  return status === 409 || status === 429 || status >= 500 ? 'unavailable' : 'refused';
}

const mostAttempts = 3;
const firstPauseMs = 250;

/**
 * A client for the few calls that we need. It repeats lost answers, 409, 429 and 5xx with the same key. Its errors name
 * the status, the code and the request's id, but never the account's key or the buyer.
 */
export function stripeClient(options: StripeClientOptions): StripeClient {
  return {
    get: (path, parameters = {}) => ask(options, { method: 'GET', path, form: encodeForm(parameters), key: null }),
    post: (path, parameters, key) => ask(options, { method: 'POST', path, form: encodeForm(parameters), key }),
  };
}

async function ask(options: StripeClientOptions, call: Call): Promise<unknown> {
  const nextPause = patience(options);
  let isKeyRenewed = false;
  for (;;) {
    const answer = await attemptOnce(options, call, isKeyRenewed);
    if ('body' in answer) return answer.body;
    if (answer.error.kind === 'unauthorized' && !isKeyRenewed) {
      isKeyRenewed = true;
      continue;
    }
    const ms = answer.isRepeatable ? nextPause() : undefined;
    if (ms === undefined) throw answer.error;
    await pause(ms);
  }
}

/** The wait before the next attempt, doubled each time; undefined if there is no further attempt. */
function patience({ now = Date.now, random = Math.random, patienceMs = 6_000 }: StripeClientOptions) {
  const until = now() + patienceMs;
  let attempts = 1;
  return (): number | undefined => {
    const ms = firstPauseMs * 2 ** (attempts - 1) * (0.5 + random());
    attempts += 1;
    return attempts > mostAttempts || now() + ms > until ? undefined : ms;
  };
}

type Answer = { body: unknown } | { error: ProcessorError; isRepeatable: boolean };

async function attemptOnce(options: StripeClientOptions, call: Call, again: boolean): Promise<Answer> {
  try {
    return await read(await send(options, call, await options.key(again)));
  } catch (cause) {
    if (cause instanceof ProcessorError) return { error: cause, isRepeatable: false };
    const name = cause instanceof Error ? cause.name : 'unknown';
    return {
      error: new ProcessorError('unavailable', `Stripe did not answer: ${name}.`, { cause }),
      isRepeatable: true,
    };
  }
}

function send({ baseUrl = 'https://api.stripe.com', timeoutMs = 5_000 }: StripeClientOptions, call: Call, key: string) {
  const query = call.method === 'GET' && call.form ? `?${call.form}` : '';
  return fetch(`${baseUrl}/v1/${call.path}${query}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${key}`,
      'stripe-version': apiVersion,
      ...(call.method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(call.key ? { 'idempotency-key': call.key } : {}),
    },
    ...(call.method === 'POST' ? { body: call.form } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function read(response: Response): Promise<Answer> {
  const body = parsed(await response.text());
  if (response.ok && body !== undefined) return { body };
  const fault = StripeFaultAnswer.safeParse(body);
  const requestId = response.headers.get('request-id');
  const error = fault.success
    ? new StripeRefusal(response.status, fault.data.error, requestId)
    : new ProcessorError('unavailable', `Stripe answered ${response.status} (${requestId ?? 'no request id'}).`);
  return { error, isRepeatable: isRepeatable(response) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stripe's header decides whether to repeat. Without it, the status decides. */
function isRepeatable({ status, headers }: Response): boolean {
  const advice = headers.get('stripe-should-retry');
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return kindOf(status) === 'unavailable';
}
