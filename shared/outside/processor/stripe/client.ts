import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { ProcessorError, type ProcessorReason } from '../../../domain/processor.ts';
import type { AccountAccess } from '../processor-description.ts';
import { encodeForm, type FormValue } from './form.ts';

const StripeFault = z.object({
  type: z.string(),
  code: z.string().nullish(),
  param: z.string().nullish(),
  message: z.string().nullish(),
});
type StripeFault = z.infer<typeof StripeFault>;

const StripeFaultAnswer = z.object({ error: StripeFault });

/** The API version of the answers. The types of the `stripe` package have the same version; a test compares the two. */
export const apiVersion = '2026-10-28.endive';

export interface StripeClient {
  get(path: string, parameters?: Parameters): Promise<unknown>;
  /**
   * Makes a call that may change something.
   * @param key makes the call repeatable: calls with the same key and parameters have one effect. Null if the call is
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

/** An error response of the API, with its status and Stripe's text. */
export class StripeRefusal extends ProcessorError {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  declare readonly refusal: ProcessorReason;
  /**
   * Whether no earlier attempt of the call can have had an effect. Each was refused because of its key or its rights.
   */
  isFirst = true;

  constructor(status: number, fault: StripeFault, requestId: string | null) {
    const { type, code = null, param = null, message } = fault;
    const said = message ? ` ${message}` : '';
    super(kindOf(status), `Stripe answered ${status} ${code ?? type} (${requestId ?? 'no request id'}).${said}`, {
      code,
      refusal: { message: message ?? `${status} ${code ?? type}`, code, param, requestId },
    });
    this.name = 'StripeRefusal';
    this.status = status;
    this.type = type;
    this.param = param;
  }
}

const mostLetters = 500;

/** Stripe's text without the account's key and without e-mail addresses, so that it can be stored and logged. */
function withoutSecrets(message: string, form: string): string {
  const email = new URLSearchParams(form).get('customer_email');
  return (email ? message.replaceAll(email, '[e-mail]') : message)
    .slice(0, mostLetters)
    .replace(/\S+@\S+/g, '[e-mail]')
    .replace(/\b[rs]k_(?:live|test)_\w+/g, '[key]');
}

function kindOf(status: number): ProcessorError['kind'] {
  if (status === 401 || status === 403) return 'unauthorized';
  return status === 409 || status === 429 || status >= 500 ? 'unavailable' : 'refused';
}

const mostAttempts = 3;
const firstPauseMs = 250;

/**
 * A client for the few calls that we need. After a lost answer, 409, 429 or 5xx, it repeats the call with the same key.
 * Its errors contain the status, the code, the request's id and Stripe's reason, but never the account's key or the
 * buyer.
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
  let isFirst = true;
  for (;;) {
    const answer = await attemptOnce(options, call, isKeyRenewed);
    if ('body' in answer) return answer.body;
    isFirst = mark(answer.error, isFirst);
    if (answer.error.kind === 'unauthorized' && !isKeyRenewed) {
      isKeyRenewed = true;
      continue;
    }
    const ms = answer.isRepeatable ? nextPause() : undefined;
    if (ms === undefined) throw answer.error;
    await pause(ms);
  }
}

/** Stores in a refusal whether it is the first one. Returns whether the next refusal would still be the first. */
function mark(error: ProcessorError, isFirst: boolean): boolean {
  if (error instanceof StripeRefusal) error.isFirst = isFirst;
  return isFirst && error.kind === 'unauthorized';
}

/** The pause before the next attempt, doubled each time. Undefined if there are no more attempts. */
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
    return await read(await send(options, call, await options.key(again)), call);
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

async function read(response: Response, { form }: Call): Promise<Answer> {
  const body = parsed(await response.text());
  if (response.ok && body !== undefined) return { body };
  const fault = StripeFaultAnswer.safeParse(body);
  const requestId = response.headers.get('request-id');
  const error = fault.success
    ? new StripeRefusal(response.status, withoutSecretsIn(fault.data.error, form), requestId)
    : new ProcessorError('unavailable', `Stripe answered ${response.status} (${requestId ?? 'no request id'}).`);
  return { error, isRepeatable: isRepeatable(response) };
}

const withoutSecretsIn = (fault: StripeFault, form: string): StripeFault => ({
  ...fault,
  message: fault.message && withoutSecrets(fault.message, form),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the call should be repeated. Stripe's header decides, or the status if there is no header. */
function isRepeatable({ status, headers }: Response): boolean {
  const advice = headers.get('stripe-should-retry');
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return kindOf(status) === 'unavailable';
}
