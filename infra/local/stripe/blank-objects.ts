import type Stripe from 'stripe';

/** The members of a checkout session that are empty for a hosted page with one payment. */
const blankSession = {
  object: 'checkout.session',
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  customer_details: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  mode: 'payment',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  subscription: null,
  total_details: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

type SessionFacts = Omit<Stripe.Checkout.Session, keyof typeof blankSession>;

export const checkoutSession = (facts: SessionFacts): Stripe.Checkout.Session => ({ ...blankSession, ...facts });

const blankIntent = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  client_secret: null,
  confirmation_method: 'automatic',
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card', 'sepa_debit'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  status: 'requires_payment_method',
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>;

type IntentFacts = Omit<Stripe.PaymentIntent, keyof typeof blankIntent>;

export const paymentIntent = (facts: IntentFacts): Stripe.PaymentIntent => ({ ...blankIntent, ...facts });

const blankCharge = {
  object: 'charge',
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  customer: null,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: null,
  on_behalf_of: null,
  outcome: null,
  payment_method: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>;

type ChargeFacts = Omit<Stripe.Charge, keyof typeof blankCharge>;

export const charge = (facts: ChargeFacts): Stripe.Charge => ({ ...blankCharge, ...facts });

const blankRefund = {
  object: 'refund',
  balance_transaction: null,
  customer: null,
  customer_account: null,
  payment_method: null,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
} satisfies Partial<Stripe.Refund>;

type RefundFacts = Omit<Stripe.Refund, keyof typeof blankRefund>;

export const refund = (facts: RefundFacts): Stripe.Refund => ({ ...blankRefund, ...facts });

const blankEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute['evidence'];

type DisputeFacts = Pick<
  Stripe.Dispute,
  | 'id'
  | 'amount'
  | 'charge'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'livemode'
  | 'payment_intent'
  | 'reason'
  | 'status'
> & { dueBy: number };

export const dispute = ({ dueBy, ...facts }: DisputeFacts): Stripe.Dispute => ({
  object: 'dispute',
  balance_transactions: [],
  enhanced_eligibility_types: [],
  evidence: blankEvidence,
  evidence_details: {
    due_by: dueBy,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'manual',
  },
  intended_submission_method: null,
  metadata: {},
  ...facts,
});

type TransactionFacts = Pick<
  Stripe.BalanceTransaction,
  'id' | 'amount' | 'created' | 'currency' | 'exchange_rate' | 'fee' | 'source' | 'type'
>;

export const balanceTransaction = (facts: TransactionFacts): Stripe.BalanceTransaction => ({
  object: 'balance_transaction',
  available_on: facts.created + 7 * 86_400,
  balance_type: 'payments',
  description: null,
  fee_details: facts.fee
    ? [
        {
          amount: facts.fee,
          application: null,
          currency: facts.currency,
          description: 'Processing fee',
          type: 'stripe_fee',
        },
      ]
    : [],
  net: facts.amount - facts.fee,
  reporting_category: facts.type,
  status: 'pending',
  ...facts,
});

const blankPayout = {
  object: 'payout',
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  description: 'STRIPE PAYOUT',
  destination: null,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  metadata: {},
  original_payout: null,
  payout_method: null,
  reversed_by: null,
  source_type: 'card',
  statement_descriptor: null,
  trace_id: null,
  type: 'bank_account',
} satisfies Partial<Stripe.Payout>;

type PayoutFacts = Omit<Stripe.Payout, keyof typeof blankPayout>;

export const payout = (facts: PayoutFacts): Stripe.Payout => ({ ...blankPayout, ...facts });
