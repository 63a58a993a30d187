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

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'ANY';

export interface Endpoint {
  method: Method;
  /** API Gateway v2 paths; the first is canonical, the others are aliases. */
  paths: readonly [string, ...string[]];
  /** The file below `functions/`, without its extension. */
  function: string;
  access: Access;
  table: TableGrants;
  /** What it may do with the bucket of images; absent: nothing. */
  images?: ImageGrant;
}

/** `upload` signs addresses for uploads; `publish` checks, shows and removes what was uploaded; `deliver` reads what is shown. */
export type ImageGrant = 'upload' | 'publish' | 'deliver';

type Granted = Pick<Endpoint, 'access' | 'table' | 'images'>;

/** An API key that may read, and the entities that are read. */
const reads = (...read: Entity[]): Granted => ({ access: 'read', table: { read: ['KEY', ...read] } });

/** An API key that may write; what is written is read as well, and answers are kept under their idempotency key. */
const writes = (write: Entity[], alsoRead: Entity[] = []): Granted => ({
  access: 'write',
  table: { read: ['KEY', 'IDEM', ...write, ...alsoRead], write: ['IDEM', ...write] },
});

/** No key: what a buyer's browser asks for. */
const isPublic = (read: Entity[] = [], write: Entity[] = []): Granted => ({ access: 'public', table: { read, write } });

/** The same, and something with images. */
const images = (grant: ImageGrant, granted: Granted): Granted => ({ ...granted, images: grant });

function on(routes: string, file: string, granted: Granted): Endpoint {
  const [method, ...paths] = routes.split(' ') as [Method, string, ...string[]];
  return { method, paths: paths as [string, ...string[]], function: file, ...granted };
}

/** THE route table: one line, one file, one Lambda. The stack deploys it, the local sandbox serves it. */
// biome-ignore format: one line is one endpoint
export const endpoints: readonly Endpoint[] = [
  on('POST /products', 'products/create-product', writes(['PRODUCT'])),
  on('GET /products', 'products/list-products', reads('PRODUCT')),
  on('GET /products/{id}', 'products/get-product', reads('PRODUCT')),
  on('PATCH /products/{id}', 'products/update-product', images('publish', writes(['PRODUCT']))),
  on('DELETE /products/{id}', 'products/archive-product', writes(['PRODUCT'])),
  on('POST /products/{id}/unarchive', 'products/unarchive-product', writes(['PRODUCT'])),
  on('PUT /products/{id}/images', 'products/upload-image', images('upload', { ...reads('PRODUCT'), access: 'write' })),
  on('GET /images/{file}', 'images/get-image', images('deliver', isPublic())),
  on('POST /brands', 'brands/create-brand', writes(['PRODUCT'])),
  on('GET /brands', 'brands/list-brands', reads('PRODUCT')),
  on('GET /brands/{id}', 'brands/get-brand', reads('PRODUCT')),
  on('PATCH /brands/{id}', 'brands/update-brand', images('publish', writes(['PRODUCT']))),
  on('PUT /brands/{id}/images', 'brands/upload-logo', images('upload', { ...reads('PRODUCT'), access: 'write' })),
  on('POST /api-keys', 'api-keys/create-api-key', writes(['KEY'])),
  on('GET /api-keys', 'api-keys/list-api-keys', reads()),
  on('DELETE /api-keys/{id}', 'api-keys/revoke-api-key', writes(['KEY'])),
  on('POST /checkout-sessions/create /checkouts', 'checkout-sessions/create-checkout-session', writes(['SESSION'], ['PRODUCT', 'CUSTOMER'])),
  on('POST /checkouts/preview', 'checkout-sessions/preview-checkout-session', reads('PRODUCT', 'TAX')),
  on('GET /checkout-sessions/{id} /checkouts/{id}', 'checkout-sessions/get-checkout-session', reads('SESSION')),
  on('GET /payments', 'payments/list-payments', reads('PAYMENT', 'CUSTOMER')),
  on('GET /payments/{payment_id}', 'payments/get-payment', reads('PAYMENT')),
  on('GET /payments/{payment_id}/line-items', 'payments/list-line-items', reads('PAYMENT')),
  on('GET /payments/{payment_id}/calculation', 'payments/get-calculation', reads('PAYMENT')),
  on('POST /refunds', 'refunds/create-refund', writes(['PAYMENT', 'REFUND', 'EVENT'])),
  on('POST /refunds/preview', 'refunds/preview-refund', reads('PAYMENT')),
  on('GET /refunds', 'refunds/list-refunds', reads('REFUND', 'CUSTOMER')),
  on('GET /refunds/{refund_id}', 'refunds/get-refund', reads('REFUND')),
  on('POST /webhooks', 'webhooks/create-webhook', writes(['WEBHOOK'])),
  on('GET /webhooks', 'webhooks/list-webhooks', reads('WEBHOOK')),
  on('GET /webhooks/{id}', 'webhooks/get-webhook', reads('WEBHOOK')),
  on('PATCH /webhooks/{id}', 'webhooks/update-webhook', writes(['WEBHOOK'])),
  on('DELETE /webhooks/{id}', 'webhooks/delete-webhook', writes(['WEBHOOK'])),
  on('GET /webhooks/{id}/secret', 'webhooks/get-webhook-secret', { ...reads('WEBHOOK'), access: 'write' }),
  on('POST /webhooks/{id}/rotate', 'webhooks/rotate-webhook-secret', writes(['WEBHOOK'])),
  on('GET /webhooks/{id}/headers', 'webhooks/get-webhook-headers', reads('WEBHOOK')),
  on('PATCH /webhooks/{id}/headers', 'webhooks/update-webhook-headers', writes(['WEBHOOK'])),
  on('POST /webhooks/{id}/test', 'webhooks/test-webhook', writes(['EVENT'], ['WEBHOOK'])),
  on('GET /webhooks/{id}/deliveries', 'webhooks/list-deliveries', reads('WEBHOOK', 'DELIVERY')),
  on('POST /webhooks/{id}/recover', 'webhooks/recover-webhook', writes(['DELIVERY'], ['WEBHOOK'])),
  on('GET /events', 'events/list-events', reads('EVENT')),
  on('GET /events/{id}', 'events/get-event', reads('EVENT', 'DELIVERY')),
  on('POST /events/{id}/resend', 'events/resend-event', writes(['DELIVERY'], ['EVENT', 'WEBHOOK'])),
  on('GET /tax/registrations', 'tax/list-tax-registrations', reads('TAX')),
  on('POST /tax/registrations', 'tax/create-tax-registration', writes(['TAX'])),
  on('PATCH /tax/registrations/{id}', 'tax/update-tax-registration', writes(['TAX'])),
  on('DELETE /tax/registrations/{id}', 'tax/delete-tax-registration', writes(['TAX'])),
  on('GET /tax/overrides', 'tax/list-tax-overrides', reads('TAX')),
  on('POST /tax/overrides', 'tax/create-tax-override', writes(['TAX'])),
  on('DELETE /tax/overrides/{id}', 'tax/delete-tax-override', writes(['TAX'])),
  on('GET /checkout/{id}', 'checkout/show-checkout', isPublic(['SESSION', 'PAYMENT', 'TAX'], ['SESSION'])),
  on('POST /checkout/{id}', 'checkout/pay-checkout', isPublic(['SESSION', 'PAYMENT', 'TAX'], ['SESSION', 'PAYMENT', 'EVENT'])),
  on('GET /assets/{file}', 'pages/get-asset', isPublic()),
  on('ANY /dashboard/sign-in /dashboard/sign-out', 'dashboard/sign-in', isPublic(['KEY'], ['KEY'])),
  on('GET /dashboard', 'dashboard/show-overview', isPublic(['KEY', 'PAYMENT', 'PRODUCT'])),
  on('ANY /dashboard/products /dashboard/products/{id}', 'dashboard/manage-products', images('publish', isPublic(['KEY', 'IDEM', 'PRODUCT', 'TAX'], ['IDEM', 'PRODUCT']))),
  on('ANY $default', 'routing/refuse-route', isPublic()),
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
