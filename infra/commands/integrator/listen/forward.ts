import { signatureHeader } from '../../../../shared/outside/webhooks/signature.ts';
import { UsageError } from '../../../usage-error.ts';
import { isThisMachine } from '../profiles.ts';
import type { FeedEvent } from './event-feed.ts';

const deadlineMs = 15_000;

/** The result of forwarding an event. */
export interface Forwarded {
  /** The status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

/**
 * The address to which events are forwarded. Events contain data of buyers. So without TLS, they are sent only to this
 * machine.
 */
export function localAddressOf(text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`"${text}" is not an address such as http://localhost:3000/webhooks.`);
  const { protocol, hostname, href } = new URL(text);
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))) return href;
  throw new UsageError('--forward-to must be an address of this machine, or begin with https://.');
}

/** Posts an event like a stack does: with the same body, the same headers and a new signature. */
export async function forwardEvent(
  event: FeedEvent,
  { to, secret, signal }: { to: string; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const body = Buffer.from(JSON.stringify(event.body));
  const signed = { id: event.event_id, timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tillstack-Webhooks/1.0',
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestampSeconds),
    'webhook-signature': signatureHeader(signed, [secret]),
  };
  const startedAt = performance.now();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  try {
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: deadline });
    await response.body?.cancel();
    return { status: response.status, error: null, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { status: null, error: reasonOf(error), durationMs: Math.round(performance.now() - startedAt) };
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return `no answer within ${deadlineMs / 1_000} seconds`;
  return cause?.code === 'ECONNREFUSED' ? 'nothing listens there' : (cause?.code ?? 'no answer');
}
