type Body = Record<string, unknown>;

/** What a command has in addition to the contract, by operation. */
interface Beyond {
  /** A field of the body that is typed as a plain word: `products create "Field Guide"`. */
  word?: string;
  /** Adds default values to the body for fields that the user did not type. */
  usual?: (body: Body) => Body;
  /** A sentence that is added to the help. */
  note?: string;
  /** Whether the command asks before an action that cannot be undone. */
  asks?: boolean;
  /** The fields that a table shows. By default, they are the first ones in the contract. */
  columns?: readonly string[];
  /** Whether every `listen` on this machine gets the event, unless one endpoint was named. */
  reachesListeners?: boolean;
  /** The fields that a table leaves out, because other columns show the same. */
  hides?: readonly string[];
}

const taxFields = ['tax_inclusive', 'tax_mode'];

/** The default values of a product: its description is its name, and its price includes the tax. */
function usualProduct(body: Body): Body {
  const hasTax = taxFields.some((name) => name in body || name in ((body['price'] ?? {}) as object));
  return { description: body['name'], ...(!hasTax && { tax_inclusive: true }), ...body };
}

// biome-ignore format: one line is one operation
export const beyond: Readonly<Record<string, Beyond>> = {
  createProduct: { word: 'name', usual: usualProduct, note: 'The price contains its tax unless --no-tax-inclusive is there, and the name describes a product without a description.' },
  createApiKey: { word: 'name' },
  createDiscount: { word: 'code' },
  createRefund: { asks: true },
  deleteDiscount: { asks: true },
  deleteTaxOverride: { asks: true },
  deleteTaxRegistration: { asks: true },
  deleteWebhook: { asks: true },
  requestErasure: { asks: true },
  resendEvent: { reachesListeners: true, note: 'Without --webhook-id, every "listen" of the stack on this machine gets it as well.' },
  revokeApiKey: { asks: true },
  rotateWebhookSecret: { asks: true },
  listApiKeys: { columns: ['id', 'access', 'may_refund', 'last_four', 'revoked_at', 'expires_at', 'name'] },
  listCustomers: { columns: ['created_at', 'customer_id', 'email', 'name', 'erasure.status'] },
  listDiscounts: { columns: ['discount_id', 'code', 'type', 'amount', 'times_used', 'usage_limit', 'expires_at'] },
  listLineItems: { columns: ['name', 'items_id', 'quantity', 'net_amount', 'tax', 'amount', 'refundable_amount'] },
  listLocalizedPrices: { hides: ['product_id', 'mode', 'currency'] },
  listPayments: { columns: ['created_at', 'payment_id', 'status', 'total_amount', 'refund_status', 'customer.email'] },
  listProducts: { columns: ['product_id', 'name', 'tax_category', 'price', 'price_detail.pay_what_you_want', 'tax_inclusive'] },
  listRefunds: { columns: ['created_at', 'refund_id', 'payment_id', 'status', 'amount', 'reason'] },
  listDisputes: { columns: ['created_at', 'dispute_id', 'payment_id', 'dispute_status', 'amount', 'evidence_due_by'] },
  listPayouts: { columns: ['created_at', 'payout_id', 'status', 'amount', 'currency', 'arrives_on', 'matching'] },
};
