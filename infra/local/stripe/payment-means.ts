import type Stripe from 'stripe';

/** A means of payment on the fake page. If Stripe has such a test card, the number and the result are the same. */
export interface PaymentMeans {
  name: string;
  label: string;
  method: string;
  details: Stripe.Charge.PaymentMethodDetails;
  outcome: 'paid' | 'declined' | 'later';
  declineCode?: string;
  /** Whether the buyer has to confirm first, as with 3-D Secure. */
  asks?: boolean;
  /** How a pending payment ends. A test can decide otherwise. */
  ends?: 'succeeded' | 'failed';
  isDisputed?: boolean;
  /**
   * How its refunds end. They succeed at once, succeed later, fail after success, or succeed only after the buyer has
   * named a bank account.
   */
  refunds?: 'pending' | 'failing' | 'asking' | 'after-charge';
}

const card = (last4: string, country = 'DE'): Stripe.Charge.PaymentMethodDetails => ({
  type: 'card',
  card: {
    amount_authorized: null,
    authorization_code: null,
    brand: 'visa',
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country,
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2034,
    funding: 'credit',
    installments: null,
    last4,
    mandate: null,
    network: 'visa',
    network_token: null,
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: {
      authentication_flow: 'frictionless',
      electronic_commerce_indicator: '05',
      exemption_indicator: null,
      result: 'authenticated',
      result_reason: null,
      transaction_id: null,
      version: '2.2.0',
    },
    transaction_link_id: null,
    wallet: null,
  },
});

const debit: Stripe.Charge.PaymentMethodDetails = {
  type: 'sepa_debit',
  sepa_debit: {
    bank_code: '37040044',
    branch_code: null,
    country: 'DE',
    fingerprint: null,
    last4: '3000',
    mandate: null,
  },
};

const transfer: Stripe.Charge.PaymentMethodDetails = { type: 'customer_balance', customer_balance: {} };

const cards: readonly PaymentMeans[] = [
  { name: '4242424242424242', label: 'Card 4242: is paid', outcome: 'paid' },
  { name: '4000000000000002', label: 'Card 0002: is declined', outcome: 'declined', declineCode: 'generic_decline' },
  {
    name: '4000000000009995',
    label: 'Card 9995: has insufficient funds',
    outcome: 'declined',
    declineCode: 'insufficient_funds',
  },
  { name: '4000000000003220', label: 'Card 3220: asks for 3-D Secure', outcome: 'paid', asks: true },
  { name: '4000000000000259', label: 'Card 0259: is paid and disputed', outcome: 'paid', isDisputed: true },
  { name: '4000000000007726', label: 'Card 7726: its refunds take a while', outcome: 'paid', refunds: 'pending' },
  { name: '4000000000005126', label: 'Card 5126: its refunds succeed, then fail', outcome: 'paid', refunds: 'failing' },
].map((means) => ({ ...means, method: 'card', details: card(means.name.slice(-4)) }) as PaymentMeans);

/** All means of payment, as the page lists them. */
export const paymentMeans: readonly PaymentMeans[] = [
  ...cards,
  {
    name: 'debit',
    label: 'Bank debit: is paid after a while',
    method: 'sepa_debit',
    details: debit,
    outcome: 'later',
    ends: 'succeeded',
  },
  {
    name: 'debit-settling',
    label: 'Bank debit: its refunds wait until its own money is there',
    method: 'sepa_debit',
    details: debit,
    outcome: 'paid',
    refunds: 'after-charge',
  },
  {
    name: 'transfer',
    label: 'Bank transfer: its refunds ask the buyer for an account',
    method: 'customer_balance',
    details: transfer,
    outcome: 'paid',
    refunds: 'asking',
  },
  {
    name: 'debit-fails',
    label: 'Bank debit: fails after a while',
    method: 'sepa_debit',
    details: debit,
    outcome: 'later',
    ends: 'failed',
  },
];

export function paymentMeansNamed(name: string): PaymentMeans {
  const means = paymentMeans.find((known) => known.name === name);
  if (!means) throw new RangeError(`There is no way to pay called ${name}.`);
  return means;
}
