import type { ProcessorDescription } from '../processor-description.ts';
import { limits } from './amounts.ts';

/** Stripe Checkout: buyers are redirected to Stripe's own page. */
export const stripe = {
  name: 'stripe',
  title: 'Stripe',
  methods: () => ({ kind: 'redirect', title: 'Stripe' }),
  limits,
  payOrigins: ['https://checkout.stripe.com'],
} as const satisfies ProcessorDescription;
