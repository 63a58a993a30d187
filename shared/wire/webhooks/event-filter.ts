import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';

/** The API's event types, by family. Most of them never occur here. */
const families: Record<string, readonly string[]> = {
  payment: ['succeeded', 'failed', 'processing', 'cancelled'],
  refund: ['succeeded', 'failed'],
  dispute: ['opened', 'expired', 'accepted', 'cancelled', 'challenged', 'won', 'lost'],
  subscription: [
    'active',
    'renewed',
    'on_hold',
    'past_due',
    'paused',
    'unpaused',
    'cancelled',
    'failed',
    'expired',
    'plan_changed',
    'updated',
    'update_payment_method',
  ],
  license_key: ['created'],
  payout: ['created', 'on_hold', 'in_progress', 'failed', 'success'],
  credit: [
    'added',
    'deducted',
    'expired',
    'rolled_over',
    'rollover_forfeited',
    'overage_charged',
    'overage_reset',
    'manual_adjustment',
    'balance_low',
  ],
  abandoned_checkout: ['detected', 'recovered'],
  dunning: ['started', 'recovered'],
  entitlement_grant: ['created', 'delivered', 'failed', 'revoked'],
};

/** The 48 names of the API. */
const dialectEventTypes = Object.entries(families).flatMap(([family, names]) =>
  names.map((name) => `${family}.${name}`),
);

/** The names that only this service has. The API's clients do not know them. */
const ownEventTypes = [
  'payment.fraud_warned',
  'refund.delayed',
  'invoice.corrected',
  'invoice.*',
  'dispute.adjusted',
  'tax_threshold.approached',
  'tax_threshold.passed',
  'tax_threshold.*',
  'checkout_session.expired',
  'checkout_session.*',
  'confirmation.accepted',
  'confirmation.*',
  'withdrawal.declared',
  'withdrawal.decided',
  'withdrawal.*',
  'code_pool.ran_low',
  'code_pool.ran_out',
  'code_pool.*',
];

const known = new Set([
  ...dialectEventTypes,
  ...Object.keys(families).map((family) => `${family}.*`),
  ...ownEventTypes,
]);

/** An event type, or a family such as `payment.*`. */
export const EventFilter = z
  .string()
  .refine((value) => known.has(value), says(sentences.event_type))
  .meta({ enum: [...known] });
