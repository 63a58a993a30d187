/** Fields of the API that always have the same value here. Answers contain them, and their schemas declare them. */
export const priceConstants = {
  type: 'one_time_price',
  discount: 0,
  discount_bps: null,
  purchasing_power_parity: false,
} as const;

/** The constant fields of a product, in a list and in its own answer. */
export const listedProductConstants = { is_recurring: false } as const;

/** The constant fields that a product has only in its own answer. */
export const productConstants = {
  credit_entitlements: [],
  addons: null,
  product_collection_id: null,
} as const;

export const brandConstants = {
  enabled: true,
  verification_enabled: false,
  verification_status: 'Success',
  reason_for_hold: null,
  archived_at: null,
} as const;

/** The constant fields of a session that was just created. */
export const newSessionConstants = { client_secret: null, payment_id: null, publishable_key: null } as const;

export const previewLineConstants = {
  is_subscription: false,
  is_usage_based: false,
  meters: [],
  credit_entitlements: [],
  addons: null,
  discount_cycle: null,
} as const;

export const previewConstants = {
  is_byop: false,
  payment_method_required: true,
  recurring_breakup: null,
  next_billing_date: null,
  subscriptions: null,
  trial_amount: null,
  trial_period_days: null,
} as const;

/** The constant fields of a payment, in a list and in its own answer. */
export const paymentConstants = {
  is_multi_subscription: false,
  subscription_ids: [],
  subscription_id: null,
  digital_products_delivered: false,
  includes_usage: false,
  service_periods: [],
  charge_type: null,
  retry_attempt: 0,
} as const;

/** The constant fields that a payment has only in its own answer. */
export const onePaymentConstants = {
  card_holder_name: null,
  payment_method_id: null,
  is_update_payment_method: false,
  custom_field_responses: null,
} as const;

/** The constant fields of the lines of a payment. */
export const lineItemsConstants = { partial_refund_allowed: true } as const;

/** The constant fields of the buyer within payments, refunds and disputes. */
export const payerConstants = { metadata: {} } as const;

/** Values that clients of the API require in payments and disputes. */
export const providerConstants = { payment_provider: 'dodo' } as const;

export const redeemedDiscountConstants = {
  metadata: {},
  preserve_on_plan_change: false,
  cycles_remaining: null,
  subscription_cycles: null,
} as const;

export const disputeConstants = { is_resolved_by_rdr: null, remarks: null } as const;

export const customerConstants = { blocked_at: null, blocklist_entry_id: null } as const;

/** The constant fields of a webhook endpoint. */
export const webhookConstants = { rate_limit: null } as const;

/** The constant fields of a licence key. */
export const licenseKeyConstants = { subscription_id: null } as const;

/** The constant fields of a grant. */
export const grantConstants = { metadata: {}, oauth_url: null, oauth_expires_at: null, subscription_id: null } as const;

/** The constant fields of a payout: the processor takes nothing for it, no tax is withheld, and it has no document. */
export const payoutConstants = { fee: 0, tax: 0, name: null, payout_document_url: null } as const;
