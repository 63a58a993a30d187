import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { NotificationRefused } from '../../../domain/processor.ts';
import type { Hint, Notifications } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import type { NotificationType } from './account/notification-types.ts';

/** A notification of any type. The objects of some types have no id. */
const StripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});

/** The object of a notification that we use. We read only its ids, because its state may be old. */
const StripeSubject = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.unknown().optional(),
});

/** The largest accepted body. Stripe sends smaller ones. A larger body is refused before its signature is computed. */
export const maxNotificationBytes = 256 * 1024;
const toleranceSeconds = 300;

/** Reads Stripe's notifications. The signing secrets are not loaded for a body that is too large or unsigned. */
export const stripeNotifications = ({
  isLive,
  signingSecrets,
  now,
}: Pick<ProcessorConnection, 'isLive' | 'signingSecrets' | 'now'>): Notifications => ({
  read: async (headers, raw) => {
    const header = headers['stripe-signature'];
    const isWorthAsking = raw.byteLength <= maxNotificationBytes && partsOf(header ?? '').signatures.length > 0;
    const secrets = isWorthAsking ? await signingSecrets() : [];
    try {
      assertSigned({ header, raw }, { secrets, now: now() });
    } catch (error) {
      throw isWorthAsking ? withClaim(error, raw, isLive) : error;
    }
    return hintsOf(raw, isLive);
  },
});

/** The refusal of a notification, with the charge that the notification names. */
function withClaim(error: unknown, raw: Uint8Array, isLive: boolean): unknown {
  if (!(error instanceof NotificationRefused)) return error;
  try {
    const [hint] = hintsOf(raw, isLive);
    return new NotificationRefused(error.reason, hint?.kind === 'charge' ? hint : undefined);
  } catch {
    return error;
  }
}

interface SignedNotification {
  header: string | undefined;
  raw: Uint8Array;
}

/** The signing secrets to try: the current one, and the previous one during a rotation. */
interface Verifying {
  secrets: readonly string[];
  now: Date;
}

/**
 * Throws unless one of the secrets signed exactly these bytes within five minutes. Compares every signature with every
 * secret.
 */
export function assertSigned({ header = '', raw }: SignedNotification, { secrets, now }: Verifying): void {
  if (raw.byteLength > maxNotificationBytes) throw new NotificationRefused('size');
  const { timestamp, signatures } = partsOf(header);
  const expected = secrets.filter((secret) => secret.length > 0).map((secret) => sign(secret, timestamp, raw));
  const matches = expected.flatMap((mac) => signatures.map((signature) => isSame(mac, signature)));
  if (!matches.includes(true)) throw new NotificationRefused('signature');
  const age = Math.floor(now.getTime() / 1_000) - Number(timestamp);
  if (!(Math.abs(age) <= toleranceSeconds)) throw new NotificationRefused('age');
}

const sign = (secret: string, timestamp: string, raw: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest();

function isSame(mac: Buffer, signature: string): boolean {
  return /^[0-9a-f]{64}$/.test(signature) && timingSafeEqual(mac, Buffer.from(signature, 'hex'));
}

/** The largest number of signatures. Stripe sends fewer. The limit saves time. */
const mostSignatures = 10;

function partsOf(header: string): { timestamp: string; signatures: string[] } {
  const parts = header
    .slice(0, 2_000)
    .split(',')
    .map((part) => part.split('='));
  const timestamps = parts.filter(([name]) => name === 't').map(([, value = '']) => value);
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value);
  const timestamp = timestamps.length === 1 && /^\d{1,12}$/.test(timestamps[0] ?? '') ? (timestamps[0] ?? '') : '';
  if (timestamp === '') throw new NotificationRefused('signature');
  return { timestamp, signatures: signatures.slice(0, mostSignatures) };
}

/** The objects of this stack in a verified notification. Empty if there are none. */
export function hintsOf(raw: Uint8Array, isLive: boolean): readonly Hint[] {
  const event = StripeEvent.safeParse(parsed(raw));
  if (!event.success) throw new NotificationRefused('form');
  const { type, livemode, data } = event.data;
  if (livemode !== isLive) throw new NotificationRefused('mode');
  const reader = Object.hasOwn(readers, type) ? readers[type as NotificationType] : undefined;
  if (!reader) return [];
  const subject = StripeSubject.safeParse(data.object);
  if (!subject.success) throw new NotificationRefused('form');
  const hint = reader(subject.data);
  return hint ? [hint] : [];
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new NotificationRefused('form');
  }
}

type Subject = z.infer<typeof StripeSubject>;
type Reader = (subject: Subject) => Hint | undefined;

const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const charge: Reader = ({ id, client_reference_id, metadata }) => {
  const { payment_id, merchant_id: merchantId, probe_id: probeId } = metadata ?? {};
  if (probeId !== undefined && merchantId !== undefined) return { kind: 'probe', probeId, merchantId };
  const isOurs = payment_id !== undefined && payment_id === client_reference_id && merchantId !== undefined;
  return isOurs ? { kind: 'charge', paymentId: payment_id, merchantId, reference: id } : undefined;
};

const refund: Reader = ({ id, metadata, payment_intent }) => ({
  kind: 'refund',
  refundId: metadata?.['refund_id'] ?? null,
  reference: id,
  transaction: idOf(payment_intent),
});

const dispute: Reader = ({ id, payment_intent }) => ({
  kind: 'dispute',
  reference: id,
  transaction: idOf(payment_intent),
});

const warning: Reader = ({ id }) => ({ kind: 'warning', reference: id });

const payout: Reader = ({ id }) => ({ kind: 'payout', reference: id });

/** Reads a notification about a charge. A charge contains the metadata of its intent. */
const fee: Reader = ({ metadata }) => {
  const { payment_id: paymentId, merchant_id: merchantId } = metadata ?? {};
  return paymentId && merchantId ? { kind: 'fee', paymentId, merchantId } : undefined;
};

/** The function that reads each type of notification. Other types are accepted and ignored. */
const readers: Readonly<Record<NotificationType, Reader>> = {
  'checkout.session.completed': charge,
  'checkout.session.expired': charge,
  'checkout.session.async_payment_succeeded': charge,
  'checkout.session.async_payment_failed': charge,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.updated': fee,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
  'radar.early_fraud_warning.created': warning,
  'radar.early_fraud_warning.updated': warning,
  'payout.created': payout,
  'payout.updated': payout,
  'payout.paid': payout,
  'payout.failed': payout,
  'payout.canceled': payout,
  'payout.reconciliation_completed': payout,
};
