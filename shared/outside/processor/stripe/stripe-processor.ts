import type { PaymentProcessor } from '../payment-processor.ts';
import { type StripeNotificationsOptions, stripeNotifications } from './notification.ts';
import { type StripeChargesOptions, stripeCharges } from './stripe-charges.ts';
import { type StripeDisputesOptions, stripeDisputes } from './stripe-disputes.ts';
import { stripeRefunds } from './stripe-refunds.ts';

/** All of Stripe, for who needs more than one part of it. */
export const stripeProcessor = (
  options: StripeChargesOptions & StripeDisputesOptions & StripeNotificationsOptions,
): PaymentProcessor => ({
  name: 'stripe',
  ...stripeCharges(options),
  ...stripeRefunds(options),
  ...stripeDisputes(options),
  ...stripeNotifications(options),
});
