/** Every key of every answer that the dialect documents. Its clients do not validate answers, so our tests do. */
const price = [
  'type',
  'currency',
  'price',
  'pay_what_you_want',
  'suggested_price',
  'maximum_price',
  'preset_amounts',
  'allow_zero',
  'minimum_net',
  'purpose',
  'show_net',
  'tax_inclusive',
  'tax_mode',
  'tax_anchor',
  'discount',
  'discount_bps',
  'purchasing_power_parity',
];

const product = [
  'product_id',
  'business_id',
  'brand_id',
  'name',
  'description',
  'image',
  'price',
  'tax_category',
  'supply',
  'tax_inclusive',
  'metadata',
  'created_at',
  'updated_at',
  'is_recurring',
  'license_key_enabled',
  'entitlements',
  'credit_entitlements',
  'addons',
  'digital_product_delivery',
  'adjustable_quantity',
  'license_key_activation_message',
  'license_key_activations_limit',
  'license_key_duration',
  'pricing_mode',
  'product_collection_id',
];

const productItem = [
  'product_id',
  'business_id',
  'brand_id',
  'name',
  'description',
  'image',
  'currency',
  'price',
  'price_detail',
  'tax_category',
  'supply',
  'tax_inclusive',
  'metadata',
  'is_recurring',
  'entitlements',
  'pricing_mode',
  'created_at',
  'updated_at',
];

const sessionCreated = ['session_id', 'checkout_url', 'client_secret', 'payment_id', 'publishable_key'];

const session = [
  'id',
  'created_at',
  'customer_email',
  'customer_name',
  'payment_id',
  'payment_status',
  'status',
  'expires_at',
  'checkout_url',
  'metadata',
  'discount_codes',
];

const preview = [
  'billing_country',
  'currency',
  'total_price',
  'total_tax',
  'current_breakup',
  'product_cart',
  'discounts',
  'tax_id_err_msg',
  'tax_id_format_name',
  'tax_id_business_name',
  'is_byop',
  'payment_method_required',
  'recurring_breakup',
  'next_billing_date',
  'subscriptions',
  'trial_amount',
  'trial_period_days',
];

const previewBreakup = ['subtotal', 'discount', 'tax', 'total_amount', 'listed_subtotal', 'listed_discount'];

const previewLine = [
  'product_id',
  'name',
  'description',
  'quantity',
  'currency',
  'og_currency',
  'og_price',
  'discounted_price',
  'line_discount',
  'tax',
  'tax_rate',
  'tax_category',
  'tax_inclusive',
  'is_subscription',
  'is_usage_based',
  'meters',
  'credit_entitlements',
  'addons',
  'discount_amount',
  'discount_cycle',
];

const customer = ['customer_id', 'email', 'name', 'metadata', 'phone_number'];
const billing = ['country', 'city', 'state', 'street', 'zipcode'];

/** The keys of a payment, both alone and in a list. */
const paymentCommon = [
  'payment_id',
  'brand_id',
  'created_at',
  'currency',
  'metadata',
  'status',
  'total_amount',
  'customer',
  'payment_provider',
  'processor',
  'payment_method',
  'payment_method_type',
  'card_last_four',
  'card_network',
  'refund_status',
  'invoice_id',
  'invoice_url',
  'is_multi_subscription',
  'subscription_ids',
  'subscription_id',
  'digital_products_delivered',
  'includes_usage',
  'service_periods',
  'charge_type',
  'retry_attempt',
];

const payment = [
  ...paymentCommon,
  'business_id',
  'updated_at',
  'tax',
  'billing',
  'card_holder_name',
  'card_issuing_country',
  'card_type',
  'payment_method_id',
  'refunds',
  'error_code',
  'error_message',
  'checkout_session_id',
  'card_exp_month',
  'card_exp_year',
  'three_ds_flow',
  'three_ds_status',
  'three_ds_version',
  'payment_link',
  'product_cart',
  'settlement_amount',
  'settlement_currency',
  'settlement_tax',
  'disputes',
  'is_update_payment_method',
  'discount_id',
  'discounts',
  'custom_field_responses',
];

const paymentItem = [...paymentCommon, 'checkout_session_id', 'has_license_key', 'dispute_status'];

const lineItem = [
  'items_id',
  'name',
  'description',
  'amount',
  'tax',
  'refundable_amount',
  'quantity',
  'unit_amount',
  'net_amount',
  'tax_rate',
  'tax_category',
  'tax_inclusive',
  'tax_components',
];

const taxComponent = ['name', 'rate', 'amount', 'reason'];

const refundItem = [
  'refund_id',
  'payment_id',
  'business_id',
  'status',
  'created_at',
  'is_partial',
  'amount',
  'currency',
  'reason',
];

const refund = [
  ...refundItem,
  'brand_id',
  'customer',
  'public_reason',
  'metadata',
  'pending_reason',
  'network_reference',
  'network_reference_type',
  'network_reference_updated_at',
  'keep_access',
  'tax',
  'tax_inclusive',
  'items',
  'invoice_id',
  'invoice_url',
];
const refundLine = ['item_id', 'amount', 'tax', 'tax_inclusive'];

const disputeSummary = [
  'dispute_id',
  'payment_id',
  'business_id',
  'dispute_status',
  'dispute_stage',
  'amount',
  'currency',
  'created_at',
  'is_resolved_by_rdr',
  'remarks',
];
const disputeItem = [...disputeSummary, 'payment_provider', 'processor', 'evidence_due_by'];
const dispute = [
  ...disputeItem,
  'brand_id',
  'customer',
  'reason',
  'withdrawn_amount',
  'is_refundable',
  'evidence_url',
  'updated_at',
];

const page = ['items', 'has_more', 'next_cursor'];

export const dialect = {
  price,
  product,
  productItem,
  sessionCreated,
  session,
  preview,
  previewBreakup,
  previewLine,
  customer,
  billing,
  payment,
  paymentItem,
  lineItem,
  taxComponent,
  refund,
  refundItem,
  refundLine,
  disputeSummary,
  disputeItem,
  dispute,
  page,
};

/** Returns the documented keys that an answer lacks. The list is empty if the answer is complete. */
export const missingKeys = (answer: object, keys: readonly string[]): string[] =>
  keys.filter((key) => !(key in answer));

/** Returns the keys of an answer that the dialect does not document. */
export const strayKeys = (answer: object, keys: readonly string[]): string[] =>
  Object.keys(answer).filter((key) => !keys.includes(key));
