import { type Dispatcher, request } from 'undici';
import type { AttemptError, AttemptOutcome } from '../../domain/webhooks/delivery.ts';
import type { SendWebhook, WebhookRequest } from '../../domain/webhooks/webhook-request.ts';
import { guardedAgent } from './guarded-agent.ts';
import { signatureHeader } from './signature.ts';
import { type TargetPolicy, whyNotTarget } from './target.ts';

const deadlineSeconds = 15;
const maxAnswerBytes = 64 * 1024;
const loggedBytes = 1024;

export interface SendOptions {
  dispatcher?: Dispatcher;
  /** The time limit in milliseconds, from the first packet to the last byte of the response. */
  deadlineMs?: number;
}

/** Sends webhooks and returns the result of each. It never throws. */
export function webhookSender(policy: TargetPolicy, options: SendOptions = {}): SendWebhook {
  const { dispatcher = guardedAgent(policy), deadlineMs = deadlineSeconds * 1_000 } = options;
  return async (webhook) => {
    const startedAt = performance.now();
    const latency = () => ({ latencyMs: Math.round(performance.now() - startedAt) });
    const broken = whyNotTarget(webhook.url, policy);
    if (broken)
      return {
        status: null,
        error: 'blocked',
        answer: `The url ${broken.message}.`,
        retryAfter: null,
        ...latency(),
      };
    try {
      const signal = AbortSignal.timeout(deadlineMs);
      return { ...(await post(webhook, dispatcher, signal)), ...latency() };
    } catch (error) {
      return { status: null, error: errorClass(error), answer: '', retryAfter: null, ...latency() };
    }
  };
}

async function post(
  webhook: WebhookRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Omit<AttemptOutcome, 'latencyMs'>> {
  const sent = { method: 'POST', headers: headersOf(webhook), body: webhook.body, signal, dispatcher } as const;
  const { statusCode, headers, body: answer } = await request(webhook.url, sent);
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const retryAfter = headers['retry-after'];
  return {
    status: statusCode,
    error: isSuccess ? null : 'status',
    answer: await firstKilobyte(answer),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  };
}

/**
 * The headers of an attempt. Each attempt has a new signature, because receivers accept a signature for five minutes.
 */
function headersOf({ id, at, body, secrets, headers }: WebhookRequest): Record<string, string> {
  const timestampSeconds = Math.floor(at.getTime() / 1_000);
  return {
    ...headers,
    'content-type': 'application/json',
    'user-agent': 'Tillstack-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id, timestampSeconds, body }, secrets),
  };
}

/** Reads the first kilobyte of the response. Only the status counts, so a broken or endless body does no harm. */
async function firstKilobyte(answer: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      if (bytes < loggedBytes) kept.push(chunk.subarray(0, loggedBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) break;
    }
  } catch {}
  return printable(Buffer.concat(kept));
}

/** The text without control characters, for logs and screens. */
const printable = (bytes: Buffer): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression replaces these characters
  bytes.toString('utf8').replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '\uFFFD');

const timeouts = ['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'];

function errorClass(error: unknown): AttemptError {
  const { name, code = '' } = error as { name: string; code?: string };
  if (code === 'BLOCKED_ADDRESS') return 'blocked';
  if (timeouts.includes(name) || code === 'ETIMEDOUT') return 'timeout';
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'connection';
}
