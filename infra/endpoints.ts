/** What a function may do with the one table, by key prefix; its role and nothing else follows from it. */
export interface TableGrants {
  /** Entities that are read by key or from an index. */
  read?: readonly Entity[];
  /** Entities that are written. */
  write?: readonly Entity[];
}

export type Entity =
  | 'PRODUCT'
  | 'SESSION'
  | 'PAYMENT'
  | 'REFUND'
  | 'CUSTOMER'
  | 'IDEM'
  | 'EVENT'
  | 'DELIVERY'
  | 'DUE'
  | 'WEBHOOK'
  | 'KEY'
  | 'TAX';

/** `read` and `write` need an API key of that access; `public` endpoints are for buyers. */
export type Access = 'read' | 'write' | 'public';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'ANY';
  /** API Gateway v2 paths; the first is canonical, the others are aliases. */
  paths: readonly [string, ...string[]];
  /** The file below `functions/`, without its extension. */
  function: string;
  access: Access;
  table: TableGrants;
}

const authenticate = ['KEY'] as const satisfies readonly Entity[];

/** THE route table: one line, one file, one Lambda. The stack deploys it, the local sandbox serves it. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    paths: ['/products'],
    function: 'products/create-product',
    access: 'write',
    table: { read: [...authenticate, 'IDEM'], write: ['PRODUCT', 'IDEM'] },
  },
  {
    method: 'GET',
    paths: ['/products'],
    function: 'products/list-products',
    access: 'read',
    table: { read: [...authenticate, 'PRODUCT'] },
  },
  {
    method: 'GET',
    paths: ['/products/{id}'],
    function: 'products/get-product',
    access: 'read',
    table: { read: [...authenticate, 'PRODUCT'] },
  },
  {
    method: 'PATCH',
    paths: ['/products/{id}'],
    function: 'products/update-product',
    access: 'write',
    table: { read: [...authenticate, 'PRODUCT', 'IDEM'], write: ['PRODUCT', 'IDEM'] },
  },
  {
    method: 'DELETE',
    paths: ['/products/{id}'],
    function: 'products/archive-product',
    access: 'write',
    table: { read: [...authenticate, 'PRODUCT', 'IDEM'], write: ['PRODUCT', 'IDEM'] },
  },
  {
    method: 'POST',
    paths: ['/products/{id}/unarchive'],
    function: 'products/unarchive-product',
    access: 'write',
    table: { read: [...authenticate, 'PRODUCT', 'IDEM'], write: ['PRODUCT', 'IDEM'] },
  },
  {
    method: 'POST',
    paths: ['/checkout-sessions/create', '/checkouts'],
    function: 'checkout-sessions/create-checkout-session',
    access: 'write',
    table: { read: [...authenticate, 'PRODUCT', 'IDEM', 'TAX', 'CUSTOMER'], write: ['SESSION', 'IDEM'] },
  },
  {
    method: 'POST',
    paths: ['/checkouts/preview'],
    function: 'checkout-sessions/preview-checkout-session',
    access: 'read',
    table: { read: [...authenticate, 'PRODUCT', 'TAX', 'CUSTOMER'] },
  },
  {
    method: 'GET',
    paths: ['/checkout-sessions/{id}', '/checkouts/{id}'],
    function: 'checkout-sessions/get-checkout-session',
    access: 'read',
    table: { read: [...authenticate, 'SESSION', 'PAYMENT'] },
  },
  {
    method: 'GET',
    paths: ['/checkout/{id}'],
    function: 'checkout/show-checkout',
    access: 'public',
    table: { read: ['SESSION', 'PAYMENT', 'TAX'] },
  },
  {
    method: 'POST',
    paths: ['/checkout/{id}'],
    function: 'checkout/pay-checkout',
    access: 'public',
    table: { read: ['SESSION', 'PAYMENT', 'TAX'], write: ['SESSION', 'PAYMENT', 'EVENT'] },
  },
  {
    method: 'GET',
    paths: ['/payments'],
    function: 'payments/list-payments',
    access: 'read',
    table: { read: [...authenticate, 'PAYMENT', 'CUSTOMER'] },
  },
  {
    method: 'GET',
    paths: ['/payments/{payment_id}'],
    function: 'payments/get-payment',
    access: 'read',
    table: { read: [...authenticate, 'PAYMENT'] },
  },
  {
    method: 'GET',
    paths: ['/payments/{payment_id}/line-items'],
    function: 'payments/list-line-items',
    access: 'read',
    table: { read: [...authenticate, 'PAYMENT'] },
  },
  {
    method: 'POST',
    paths: ['/refunds'],
    function: 'refunds/create-refund',
    access: 'write',
    table: { read: [...authenticate, 'PAYMENT', 'REFUND', 'IDEM'], write: ['PAYMENT', 'REFUND', 'EVENT', 'IDEM'] },
  },
  {
    method: 'POST',
    paths: ['/refunds/preview'],
    function: 'refunds/preview-refund',
    access: 'read',
    table: { read: [...authenticate, 'PAYMENT'] },
  },
  {
    method: 'GET',
    paths: ['/refunds'],
    function: 'refunds/list-refunds',
    access: 'read',
    table: { read: [...authenticate, 'REFUND', 'CUSTOMER'] },
  },
  {
    method: 'GET',
    paths: ['/refunds/{refund_id}'],
    function: 'refunds/get-refund',
    access: 'read',
    table: { read: [...authenticate, 'REFUND'] },
  },
  {
    method: 'POST',
    paths: ['/webhooks'],
    function: 'webhooks/create-webhook',
    access: 'write',
    table: { read: [...authenticate, 'WEBHOOK', 'IDEM'], write: ['WEBHOOK', 'IDEM'] },
  },
  {
    method: 'GET',
    paths: ['/webhooks'],
    function: 'webhooks/list-webhooks',
    access: 'read',
    table: { read: [...authenticate, 'WEBHOOK'] },
  },
  {
    method: 'GET',
    paths: ['/webhooks/{id}'],
    function: 'webhooks/get-webhook',
    access: 'read',
    table: { read: [...authenticate, 'WEBHOOK'] },
  },
  {
    method: 'DELETE',
    paths: ['/webhooks/{id}'],
    function: 'webhooks/delete-webhook',
    access: 'write',
    table: { read: [...authenticate, 'WEBHOOK', 'IDEM'], write: ['WEBHOOK', 'IDEM'] },
  },
  {
    method: 'GET',
    paths: ['/webhooks/{id}/secret'],
    function: 'webhooks/get-webhook-secret',
    access: 'write',
    table: { read: [...authenticate, 'WEBHOOK'] },
  },
  { method: 'GET', paths: ['/tax/registrations'], function: 'tax/list-tax-registrations', access: 'read', table: { read: [...authenticate, 'TAX'] } },
  { method: 'POST', paths: ['/tax/registrations'], function: 'tax/create-tax-registration', access: 'write', table: { read: [...authenticate, 'TAX', 'IDEM'], write: ['TAX', 'IDEM'] } },
  { method: 'PATCH', paths: ['/tax/registrations/{id}'], function: 'tax/update-tax-registration', access: 'write', table: { read: [...authenticate, 'TAX', 'IDEM'], write: ['TAX', 'IDEM'] } },
  { method: 'DELETE', paths: ['/tax/registrations/{id}'], function: 'tax/delete-tax-registration', access: 'write', table: { read: [...authenticate, 'TAX', 'IDEM'], write: ['TAX', 'IDEM'] } },
  { method: 'GET', paths: ['/tax/overrides'], function: 'tax/list-tax-overrides', access: 'read', table: { read: [...authenticate, 'TAX'] } },
  { method: 'POST', paths: ['/tax/overrides'], function: 'tax/create-tax-override', access: 'write', table: { read: [...authenticate, 'TAX', 'IDEM'], write: ['TAX', 'IDEM'] } },
  { method: 'DELETE', paths: ['/tax/overrides/{id}'], function: 'tax/delete-tax-override', access: 'write', table: { read: [...authenticate, 'TAX', 'IDEM'], write: ['TAX', 'IDEM'] } },
  { method: 'GET', paths: ['/assets/{file}'], function: 'pages/get-asset', access: 'public', table: {} },
  { method: 'ANY', paths: ['$default'], function: 'routing/refuse-route', access: 'public', table: {} },
];

/** Reads the table's stream: new event rows become entries on the bus. */
export const streamConsumer = {
  function: 'events/relay-events',
  /** The filter of the event-source mapping: an event row was inserted. */
  filter: { eventName: ['INSERT'], dynamodb: { NewImage: { entity: { S: ['EVENT'] } } } },
  table: { read: ['EVENT'], write: ['EVENT'] },
} as const;

/** The rule on the bus and its target: every event of ours goes to the webhook dispatcher. */
export const dispatchRule = {
  function: 'webhooks/dispatch-webhook',
  pattern: { source: ['tillstack'] },
  table: { read: ['EVENT', 'DELIVERY', 'WEBHOOK'], write: ['EVENT', 'DELIVERY', 'WEBHOOK'] },
} as const;

/** Finishes whatever is due: unpublished events, webhook retries, processing payments, pending refunds. */
export const sweepSchedule = {
  function: 'events/sweep-due',
  everyMinutes: 1,
  table: {
    read: ['DUE', 'EVENT', 'DELIVERY', 'SESSION', 'PAYMENT', 'REFUND', 'WEBHOOK'],
    write: ['EVENT', 'DELIVERY', 'SESSION', 'PAYMENT', 'REFUND', 'WEBHOOK'],
  },
} as const;
