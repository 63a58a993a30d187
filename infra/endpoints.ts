import { deflateRawSync } from 'node:zlib';
import type { NeededAccess } from '../shared/domain/access/access.ts';
import { type Commands, dashboardCommands } from '../shared/domain/access/dashboard-commands.ts';
import type { ProcessorPart } from '../shared/domain/processor.ts';

/**
 * The access of a function to the table, by entity. Its role allows exactly this. A test finds access that is never
 * used.
 */
export interface TableGrants {
  /** Entities whose rows the function reads by key. */
  get?: readonly Entity[];
  /** Entities whose partitions the function reads as a whole. */
  query?: readonly Entity[];
  /** Entities that the function lists with the index `list`. */
  list?: readonly Entity[];
  /** Entities that the function lists with the index `customer`. */
  customer?: readonly Entity[];
  /** Entities that the function searches in the index `due`. */
  due?: readonly Entity[];
  /** Entities whose rows the function puts, alone or in a transaction. */
  put?: readonly Entity[];
  /** Entities whose rows the function updates in place. */
  update?: readonly Entity[];
}

export type Entity =
  | 'PRODUCT'
  | 'OFFER'
  | 'SESSION'
  | 'PAYMENT'
  | 'REFUND'
  | 'DISPUTE'
  | 'ADJUSTMENT'
  | 'PAYOUT'
  | 'ALLOWANCE'
  | 'CUSTOMER'
  | 'IDEM'
  | 'EVENT'
  | 'DELIVERY'
  | 'DUE'
  | 'WEBHOOK'
  | 'KEY'
  | 'SECRET'
  | 'SIGNIN'
  | 'MEMBER'
  | 'LINK'
  | 'THROTTLE'
  | 'BRAND'
  | 'TAX'
  | 'DOCUMENT'
  | 'SERIES'
  | 'AUDIT'
  | 'ORIGIN'
  | 'RATE'
  | 'EXPORT'
  | 'SALES'
  | 'DISCOUNT'
  | 'CODE'
  | 'ENTITLEMENT'
  | 'GRANT'
  | 'LICENSE'
  | 'POOL'
  | 'WITHDRAWAL'
  | 'PORTAL'
  | 'FIELD'
  | 'PROCESSOR'
  | 'FILED';

/** The access that a caller needs. `public` endpoints are for buyers, and for pages that have their own sign-in. */
type EndpointAccess = NeededAccess | 'public';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'ANY';

export interface Endpoint {
  method: Method;
  /** The paths in the form of API Gateway v2. The first is canonical, and the others are aliases. */
  paths: readonly [string, ...string[]];
  /** The path of its file in `functions/`, without the extension. */
  function: string;
  access: EndpointAccess;
  /**
   * The commands of the endpoint's forms, each with the access that it needs. Other commands are refused. By default,
   * there are none.
   */
  commands?: Commands;
  table: TableGrants;
  /** Its access to the image bucket; absent if none. */
  images?: ImageGrant;
  /** Its access to exported files; absent if none. */
  exports?: ExportGrant;
  /** Its access to the files that buyers download; absent if none. */
  buyerFiles?: FileGrant;
  /**
   * Files of packages that it reads while it runs, as patterns in `node_modules`. They are deployed with its bundle.
   */
  files?: readonly string[];
  /** Whether it sends mail from the merchant's address for receipts. */
  mails?: boolean;
  /** The parts of the processor that it calls. If absent, it calls none, and cannot read the processor's secrets. */
  processor?: readonly ProcessorPart[];
  /** Whether it calls registers of tax ids. Then it may read the merchant's credentials for them. */
  registers?: boolean;
  /** Whether its pages link to the log of the functions. */
  linksLogs?: boolean;
  /**
   * Its memory size, which also sets its share of CPU. `npm run bench -- memory` and docs/costs.md show what each size
   * costs.
   */
  memoryMegabytes: number;
}

/**
 * The memory of most functions. With 512 MB, a page or a call takes about 20 ms, even the first one. More memory costs
 * more without a visible gain.
 */
const callMegabytes = 512;

/**
 * The memory of functions that draw documents or pictures, or show the dashboard. They are called rarely, and a person
 * waits for them.
 */
const largeMegabytes = 1_024;

/**
 * The memory of functions that wait for the processor. AWS charges for the waiting time by memory, and the work itself
 * is small.
 */
const waitingMegabytes = 256;

/** The memory of workers. No caller waits for them. */
const workerMegabytes = 256;

const isLarge = (file: string): boolean => /^(dashboard|images|invoices)\//.test(file);

/**
 * The kinds of access to images. `upload` signs upload addresses. `publish` checks, publishes and removes uploads.
 * `show` publishes an image from a form. `deliver` reads published images.
 */
export type ImageGrant = 'upload' | 'publish' | 'show' | 'deliver';

/**
 * The kinds of access to exported files. `store` writes them to the bucket. `collect` signs addresses to download them.
 */
export type ExportGrant = 'store' | 'collect';

/**
 * The kinds of access to files for buyers. `receive` signs uploads, and checks what has arrived. `check` only checks.
 * Both remove bytes that do not match. `remove` removes files. `deliver` signs downloads.
 */
export type FileGrant = 'receive' | 'check' | 'remove' | 'deliver';

type Granted = Pick<
  Endpoint,
  | 'access'
  | 'commands'
  | 'table'
  | 'images'
  | 'exports'
  | 'buyerFiles'
  | 'files'
  | 'mails'
  | 'processor'
  | 'registers'
  | 'linksLogs'
>;

/** An endpoint that needs a read key. The access to the key is added to the given access. */
const reads = ({ get = [], ...others }: TableGrants = {}): Granted => ({
  access: 'read',
  table: { get: ['KEY', ...get], ...others },
});

/** An endpoint that needs a read key and returns a list. The stack's secret signs the list's cursors. */
const walks = ({ get = [], ...others }: TableGrants): Granted => reads({ get: ['SECRET', ...get], ...others });

/** An endpoint that needs a write key. Responses are stored under their idempotency key. */
const answers = ({ get = [], put = [], ...others }: TableGrants): Granted => ({
  access: 'write',
  table: { get: ['KEY', 'IDEM', ...get], put: ['IDEM', ...put], ...others },
});

/**
 * An endpoint that needs a write key, for commands on money, keys and settings. The audit log stores who gave each
 * command.
 */
const writes = ({ put = [], ...others }: TableGrants): Granted => answers({ put: ['AUDIT', ...put], ...others });

/**
 * An endpoint that needs an admin key, for API keys, webhook secrets and addresses, and tax rules. A stolen write key
 * must not be able to change these.
 */
const administers = (table: TableGrants): Granted => ({ ...writes(table), access: 'admin' });

/** An endpoint that also stores which fields of a request were ignored, if the stack does not have `strictFields`. */
const lenient = ({ table, ...granted }: Granted): Granted => ({
  ...granted,
  table: { ...table, update: [...(table.update ?? []), 'FIELD'] },
});

/** An endpoint that needs no key, because browsers call it. */
const isPublic = (table: TableGrants = {}): Granted => ({ access: 'public', table });

/** An endpoint that programs on buyers' machines call with a licence key. Failures are counted for each network. */
const usesLicenses = ({ get = [], ...others }: TableGrants = {}): Granted =>
  isPublic({ get: ['LICENSE', 'GRANT', 'PAYMENT', 'THROTTLE', ...get], update: ['THROTTLE'], ...others });

/** A page of the dashboard. For every request, it reads the session, and its key or member. */
const looks = ({ get = [], ...others }: TableGrants): Granted =>
  isPublic({ get: ['KEY', 'MEMBER', 'SECRET', 'SIGNIN', ...get], ...others });

/**
 * A dashboard page with forms. Each form names one of these commands. It takes effect only once, and is in the audit
 * log.
 */
const manages = (commands: Commands, { get = [], put = [], ...others }: TableGrants): Granted => ({
  ...looks({ get: ['IDEM', ...get], put: ['IDEM', 'AUDIT', ...put], ...others }),
  commands,
});

/** Adds access to images to a dashboard page. */
const images = (grant: ImageGrant, granted: Granted): Granted => ({ ...granted, images: grant });

/** Adds access to exported files to a dashboard page. */
const exporting = (grant: ExportGrant, granted: Granted): Granted => ({ ...granted, exports: grant });

/** Adds access to the files that buyers download. */
const gives = (grant: FileGrant, granted: Granted): Granted => ({ ...granted, buyerFiles: grant });

/** Adds the right to send mail from the merchant's address. */
const mailing = (granted: Granted): Granted => ({ ...granted, mails: true });

/** Adds calls to parts of the processor. */
const asks = (processor: readonly ProcessorPart[], granted: Granted): Granted => ({ ...granted, processor });

/** Adds a link to the log of the functions to a dashboard page. */
const leading = (granted: Granted): Granted => ({ ...granted, linksLogs: true });

/** Adds calls to registers of tax ids. */
const checks = (granted: Granted): Granted => ({ ...granted, registers: true });

/** The fonts of a PDF, split into files by characters. A function reads only the files that its document needs. */
export const documentFonts: readonly string[] = [
  ...['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'].flatMap((name) =>
    fontFiles(name, '{400,700}'),
  ),
  ...['noto-emoji', 'kosugi', 'chocolate-classical-sans', 'gowun-dodum', 'unifont'].flatMap((name) =>
    fontFiles(name, '400'),
  ),
];

function fontFiles(name: string, weights: string): string[] {
  const folder = `@fontsource/${name}`;
  return [`${folder}/LICENSE`, `${folder}/unicode.json`, `${folder}/files/${name}-*-${weights}-normal.woff`];
}

/**
 * An endpoint that returns a document: for an API key, for the browser that paid, or for a link with its secret. If the
 * document does not exist yet, it is issued now.
 */
const issues = (...alsoRead: Entity[]): Granted => ({
  ...isPublic({
    get: ['KEY', 'PAYMENT', 'TAX', 'BRAND', ...alsoRead],
    query: ['DOCUMENT', 'SERIES', 'RATE'],
    put: ['DOCUMENT', 'SERIES'],
  }),
  files: documentFonts,
});

function on(routes: string, file: string, granted: Granted): Endpoint {
  const [method, ...paths] = routes.split(' ') as [Method, string, ...string[]];
  const usual = granted.processor === undefined ? callMegabytes : waitingMegabytes;
  const memoryMegabytes = isLarge(file) ? largeMegabytes : usual;
  return { method, paths: paths as [string, ...string[]], function: file, memoryMegabytes, ...granted };
}

/**
 * The route table of the product. One line is one file and one Lambda function. The stack deploys it, and the local
 * sandbox serves it.
 */
// biome-ignore format: one line is one endpoint
export const endpoints: readonly Endpoint[] = [
  on('POST /products', 'products/create-product', lenient(writes({ get: ['BRAND', 'ENTITLEMENT'], put: ['PRODUCT', 'ENTITLEMENT'] }))),
  on('GET /products', 'products/list-products', walks({ get: ['PRODUCT', 'ENTITLEMENT'], list: ['PRODUCT'] })),
  on('GET /products/{id}', 'products/get-product', reads({ get: ['PRODUCT', 'ENTITLEMENT'] })),
  on('PATCH /products/{id}', 'products/update-product', gives('check', lenient(images('publish', writes({ get: ['BRAND', 'PRODUCT', 'ENTITLEMENT'], put: ['PRODUCT', 'ENTITLEMENT'] }))))),
  on('DELETE /products/{id}', 'products/archive-product', writes({ get: ['PRODUCT', 'ENTITLEMENT'], put: ['PRODUCT'] })),
  on('POST /products/{id}/unarchive', 'products/unarchive-product', writes({ get: ['PRODUCT', 'ENTITLEMENT'], put: ['PRODUCT'] })),
  on('PUT /products/{id}/images', 'products/upload-image', images('upload', { ...reads({ get: ['PRODUCT'] }), access: 'write' })),
  on('PUT /products/{id}/files', 'products/add-product-file', gives('receive', writes({ get: ['PRODUCT', 'ENTITLEMENT'], put: ['PRODUCT', 'ENTITLEMENT'] }))),
  on('POST /products/{id}/localized-prices', 'localized-prices/create-localized-price', writes({ get: ['PRODUCT'], put: ['PRODUCT'] })),
  on('GET /products/{id}/localized-prices', 'localized-prices/list-localized-prices', reads({ get: ['PRODUCT'] })),
  on('GET /products/{id}/localized-prices/{price_id}', 'localized-prices/get-localized-price', reads({ get: ['PRODUCT'] })),
  on('PATCH /products/{id}/localized-prices/{price_id}', 'localized-prices/update-localized-price', writes({ get: ['PRODUCT'], put: ['PRODUCT'] })),
  on('DELETE /products/{id}/localized-prices/{price_id}', 'localized-prices/archive-localized-price', writes({ get: ['PRODUCT'], put: ['PRODUCT'] })),
  on('GET /images/{file}', 'images/get-image', images('deliver', isPublic())),
  on('POST /brands', 'brands/create-brand', lenient(writes({ get: ['BRAND'], put: ['BRAND'] }))),
  on('GET /brands', 'brands/list-brands', reads({ get: ['BRAND'] })),
  on('GET /brands/{id}', 'brands/get-brand', reads({ get: ['BRAND'] })),
  on('PATCH /brands/{id}', 'brands/update-brand', lenient(images('publish', writes({ get: ['BRAND'], put: ['BRAND'] })))),
  on('PUT /brands/{id}/images', 'brands/upload-logo', images('upload', { ...reads({ get: ['BRAND'] }), access: 'write' })),
  on('POST /discounts', 'discounts/create-discount', writes({ get: ['PRODUCT', 'CODE', 'BRAND'], put: ['DISCOUNT', 'CODE', 'BRAND'] })),
  on('GET /discounts', 'discounts/list-discounts', walks({ get: ['DISCOUNT'], list: ['DISCOUNT'] })),
  on('GET /discounts/{id}', 'discounts/get-discount', reads({ get: ['DISCOUNT'] })),
  on('PATCH /discounts/{id}', 'discounts/update-discount', writes({ get: ['PRODUCT', 'DISCOUNT', 'CODE'], put: ['DISCOUNT', 'CODE'], update: ['DISCOUNT'] })),
  on('DELETE /discounts/{id}', 'discounts/delete-discount', writes({ get: ['DISCOUNT', 'CODE', 'BRAND'], put: ['DISCOUNT', 'CODE', 'BRAND'], update: ['DISCOUNT'] })),
  on('GET /discounts/code/{code}', 'discounts/get-discount-by-code', reads({ get: ['DISCOUNT', 'CODE'], list: ['DISCOUNT'] })),
  on('GET /discounts/{id}/customers', 'discounts/list-discount-customers', walks({ get: ['DISCOUNT'], list: ['DISCOUNT'] })),
  on('POST /discounts/{id}/customers', 'discounts/add-discount-customers', writes({ get: ['DISCOUNT'], put: ['DISCOUNT'] })),
  on('DELETE /discounts/{id}/customers/{customer_id}', 'discounts/remove-discount-customer', writes({ get: ['DISCOUNT'], put: ['DISCOUNT'] })),
  on('POST /entitlements', 'entitlements/create-entitlement', writes({ put: ['ENTITLEMENT'] })),
  on('GET /entitlements', 'entitlements/list-entitlements', walks({ get: ['ENTITLEMENT'], list: ['ENTITLEMENT'] })),
  on('GET /entitlements/{id}', 'entitlements/get-entitlement', gives('check', reads({ get: ['ENTITLEMENT'], put: ['ENTITLEMENT'] }))),
  on('PATCH /entitlements/{id}', 'entitlements/update-entitlement', gives('check', writes({ get: ['ENTITLEMENT'], put: ['ENTITLEMENT'] }))),
  on('DELETE /entitlements/{id}', 'entitlements/delete-entitlement', writes({ get: ['ENTITLEMENT'], put: ['ENTITLEMENT'] })),
  on('POST /entitlements/{id}/files', 'entitlements/add-file', gives('receive', writes({ get: ['ENTITLEMENT'], put: ['ENTITLEMENT'] }))),
  on('GET /entitlements/{id}/files/{file_id}', 'entitlements/get-file', gives('deliver', { ...reads({ get: ['ENTITLEMENT'] }), access: 'write' })),
  on('DELETE /entitlements/{id}/files/{file_id}', 'entitlements/remove-file', gives('remove', writes({ get: ['ENTITLEMENT'], put: ['ENTITLEMENT'] }))),
  on('POST /entitlements/{id}/codes', 'entitlements/import-codes', writes({ get: ['ENTITLEMENT', 'POOL', 'GRANT', 'PAYMENT'], list: ['POOL'], query: ['POOL'], put: ['POOL', 'GRANT', 'LICENSE', 'EVENT'], update: ['POOL', 'PAYMENT'] })),
  on('GET /entitlements/{id}/grants', 'entitlements/list-grants', walks({ get: ['ENTITLEMENT', 'LICENSE', 'PAYMENT'], list: ['GRANT'] })),
  on('DELETE /entitlements/{id}/grants/{grant_id}', 'entitlements/revoke-grant', writes({ get: ['GRANT', 'ENTITLEMENT', 'LICENSE'], put: ['GRANT', 'EVENT'], update: ['POOL'] })),
  on('POST /entitlements/{id}/grants/{grant_id}/restore', 'entitlements/restore-grant', writes({ get: ['GRANT', 'ENTITLEMENT', 'PAYMENT', 'LICENSE'], put: ['GRANT', 'EVENT'], update: ['PAYMENT'] })),
  on('POST /grants/{id}/license-key', 'grants/fulfill-license-key', writes({ get: ['GRANT', 'ENTITLEMENT', 'PAYMENT', 'LICENSE'], put: ['GRANT', 'LICENSE', 'EVENT'], update: ['PAYMENT', 'POOL'] })),
  on('POST /api-keys', 'api-keys/create-api-key', administers({ put: ['KEY'] })),
  on('GET /api-keys', 'api-keys/list-api-keys', reads()),
  on('DELETE /api-keys/{id}', 'api-keys/revoke-api-key', administers({ put: ['KEY'] })),
  on('GET /audit-log', 'audit-log/list-audit-log', walks({ list: ['AUDIT'] })),
  on('POST /checkout-sessions/create /checkouts', 'checkout-sessions/create-checkout-session', lenient(checks(answers({ get: ['SECRET', 'SESSION', 'PRODUCT', 'ENTITLEMENT', 'OFFER', 'PAYMENT', 'TAX', 'CUSTOMER', 'DISCOUNT', 'CODE'], list: ['DISCOUNT'], customer: ['CUSTOMER'], put: ['SECRET', 'SESSION', 'OFFER'] })))),
  on('POST /checkouts/preview', 'checkout-sessions/preview-checkout-session', lenient(checks(reads({ get: ['PRODUCT', 'TAX', 'DISCOUNT', 'CODE'], list: ['DISCOUNT'] })))),
  on('POST /checkout-sessions/{id}/expire /checkouts/{id}/expire', 'checkout-sessions/expire-checkout-session', answers({ get: ['SESSION', 'PAYMENT'], put: ['SESSION', 'EVENT'] })),
  on('GET /checkout-sessions/{id} /checkouts/{id}', 'checkout-sessions/get-checkout-session', reads({ get: ['SESSION', 'PAYMENT'] })),
  on('GET /payments', 'payments/list-payments', walks({ get: ['PAYMENT', 'SESSION', 'CUSTOMER'], query: ['SERIES', 'DOCUMENT'], list: ['PAYMENT'], customer: ['CUSTOMER'] })),
  on('GET /payments/{payment_id}', 'payments/get-payment', reads({ get: ['SECRET', 'PAYMENT', 'DOCUMENT', 'PAYOUT'], put: ['SECRET'] })),
  on('GET /payments/{payment_id}/line-items', 'payments/list-line-items', reads({ get: ['PAYMENT'] })),
  on('GET /payments/{payment_id}/calculation', 'payments/get-calculation', reads({ get: ['PAYMENT'] })),
  on('POST /refunds', 'refunds/create-refund', asks(['refunds'], { ...writes({ get: ['PAYMENT', 'REFUND', 'ALLOWANCE'], put: ['PAYMENT', 'REFUND', 'ALLOWANCE', 'EVENT'] }), access: 'refunds' })),
  on('GET /withdrawals', 'withdrawals/list-withdrawals', walks({ get: ['WITHDRAWAL', 'PAYMENT'], query: ['WITHDRAWAL'], list: ['WITHDRAWAL'] })),
  on('GET /withdrawals/{withdrawal_id}', 'withdrawals/get-withdrawal', reads({ get: ['WITHDRAWAL', 'PAYMENT', 'GRANT', 'LICENSE', 'DOCUMENT'] })),
  on('POST /withdrawals/{withdrawal_id}/decide', 'withdrawals/decide-withdrawal', mailing(asks(['refunds'], { ...writes({ get: ['WITHDRAWAL', 'PAYMENT', 'REFUND', 'ALLOWANCE', 'CUSTOMER'], put: ['WITHDRAWAL', 'PAYMENT', 'REFUND', 'ALLOWANCE', 'EVENT'] }), access: 'refunds' }))),
  on('POST /refunds/preview', 'refunds/preview-refund', reads({ get: ['PAYMENT'] })),
  on('GET /refunds', 'refunds/list-refunds', walks({ get: ['REFUND', 'PAYMENT'], list: ['REFUND'], customer: ['CUSTOMER'] })),
  on('GET /refunds/{refund_id}', 'refunds/get-refund', reads({ get: ['REFUND'] })),
  on('POST /customers', 'customers/create-customer', lenient(writes({ get: ['CUSTOMER', 'PAYMENT'], customer: ['CUSTOMER'], put: ['CUSTOMER'] }))),
  on('GET /customers', 'customers/list-customers', walks({ get: ['CUSTOMER', 'PAYMENT'], list: ['CUSTOMER', 'PAYMENT'], customer: ['CUSTOMER'] })),
  on('GET /customers/{customer_id}', 'customers/get-customer', reads({ get: ['CUSTOMER', 'PAYMENT'], customer: ['CUSTOMER'] })),
  on('PATCH /customers/{customer_id}', 'customers/update-customer', lenient(writes({ get: ['CUSTOMER', 'PAYMENT'], customer: ['CUSTOMER'], put: ['CUSTOMER'] }))),
  on('POST /customers/{customer_id}/customer-portal/session', 'customers/create-portal-session', mailing(answers({ get: ['SECRET', 'PORTAL', 'CUSTOMER', 'PAYMENT'], customer: ['CUSTOMER'], put: ['SECRET', 'PORTAL'], update: ['THROTTLE'] }))),
  on('POST /customers/{customer_id}/erase', 'customers/request-erasure', administers({ get: ['CUSTOMER', 'PAYMENT', 'REFUND', 'DISPUTE', 'WITHDRAWAL'], query: ['WITHDRAWAL'], list: ['PAYMENT'], customer: ['CUSTOMER', 'WITHDRAWAL'], put: ['CUSTOMER'], update: ['PORTAL'] })),
  on('GET /customers/{customer_id}/entitlements', 'customers/list-customer-entitlements', reads({ get: ['ENTITLEMENT'], customer: ['CUSTOMER'] })),
  on('GET /customers/{customer_id}/entitlement-grants', 'customers/list-entitlement-grants', walks({ get: ['ENTITLEMENT', 'LICENSE', 'PAYMENT'], customer: ['CUSTOMER'] })),
  on('GET /disputes', 'disputes/list-disputes', walks({ get: ['DISPUTE', 'PAYMENT'], list: ['DISPUTE'], customer: ['CUSTOMER'] })),
  on('GET /disputes/{dispute_id}', 'disputes/get-dispute', reads({ get: ['DISPUTE'] })),
  on('POST /disputes/{dispute_id}/adjustments', 'disputes/choose-ground', writes({ get: ['DISPUTE', 'PAYMENT'], put: ['DISPUTE', 'PAYMENT', 'EVENT'] })),
  on('GET /payouts', 'payouts/list-payouts', walks({ list: ['PAYOUT'] })),
  on('GET /payouts/{payout_id}/breakup', 'payouts/get-payout-breakup', reads({ get: ['PAYOUT'] })),
  on('POST /licenses/activate', 'licenses/activate-license', usesLicenses({ get: ['PRODUCT'], put: ['LICENSE'] })),
  on('POST /licenses/deactivate', 'licenses/deactivate-license', usesLicenses({ put: ['LICENSE'] })),
  on('POST /licenses/validate', 'licenses/validate-license', usesLicenses()),
  on('POST /license_keys', 'license-keys/create-license-key', writes({ get: ['PRODUCT', 'CUSTOMER'], customer: ['CUSTOMER'], put: ['LICENSE'] })),
  on('GET /license_keys', 'license-keys/list-license-keys', walks({ get: ['GRANT', 'PAYMENT'], list: ['LICENSE'], customer: ['CUSTOMER'] })),
  on('GET /license_keys/{id}', 'license-keys/get-license-key', reads({ get: ['LICENSE', 'GRANT', 'PAYMENT'] })),
  on('PATCH /license_keys/{id}', 'license-keys/update-license-key', writes({ get: ['LICENSE', 'GRANT', 'PAYMENT'], put: ['LICENSE'] })),
  on('POST /license_keys/{id}/reissue', 'license-keys/reissue-license-key', mailing(writes({ get: ['CUSTOMER', 'LICENSE', 'GRANT', 'PAYMENT', 'ENTITLEMENT', 'SECRET', 'POOL'], query: ['DOCUMENT'], list: ['POOL'], customer: ['LICENSE'], put: ['GRANT', 'LICENSE', 'EVENT'], update: ['PAYMENT', 'POOL', 'THROTTLE', 'DOCUMENT'] }))),
  on('GET /license_key_instances', 'license-key-instances/list-license-key-instances', walks({ get: ['GRANT'], list: ['LICENSE'], customer: ['LICENSE'] })),
  on('GET /license_key_instances/{id}', 'license-key-instances/get-license-key-instance', reads({ get: ['LICENSE'] })),
  on('PATCH /license_key_instances/{id}', 'license-key-instances/update-license-key-instance', writes({ get: ['LICENSE'], put: ['LICENSE'] })),
  on('POST /webhooks', 'webhooks/create-webhook', lenient(administers({ get: ['WEBHOOK'], put: ['WEBHOOK'] }))),
  on('GET /webhooks', 'webhooks/list-webhooks', reads({ query: ['WEBHOOK'] })),
  on('GET /webhooks/{id}', 'webhooks/get-webhook', reads({ get: ['WEBHOOK'] })),
  on('PATCH /webhooks/{id}', 'webhooks/update-webhook', lenient(writes({ get: ['WEBHOOK'], put: ['WEBHOOK'], update: ['WEBHOOK'] }))),
  on('DELETE /webhooks/{id}', 'webhooks/delete-webhook', administers({ get: ['WEBHOOK'], put: ['WEBHOOK'] })),
  on('GET /webhooks/{id}/secret', 'webhooks/get-webhook-secret', { ...reads({ get: ['WEBHOOK'] }), access: 'admin' }),
  on('POST /webhooks/{id}/rotate', 'webhooks/rotate-webhook-secret', administers({ get: ['WEBHOOK'], put: ['WEBHOOK'] })),
  on('GET /webhooks/{id}/headers', 'webhooks/get-webhook-headers', reads({ get: ['WEBHOOK'] })),
  on('PATCH /webhooks/{id}/headers', 'webhooks/update-webhook-headers', administers({ get: ['WEBHOOK'], put: ['WEBHOOK'] })),
  on('POST /webhooks/{id}/test', 'webhooks/test-webhook', answers({ get: ['WEBHOOK'], put: ['EVENT'] })),
  on('GET /webhooks/{id}/deliveries', 'webhooks/list-deliveries', walks({ get: ['WEBHOOK', 'DELIVERY'], list: ['DELIVERY'] })),
  on('POST /webhooks/{id}/recover', 'webhooks/recover-webhook', answers({ get: ['EVENT', 'DELIVERY', 'WEBHOOK'], list: ['EVENT', 'DELIVERY'], put: ['DELIVERY'] })),
  on('GET /webhook-events', 'events/list-events', walks({ list: ['EVENT'] })),
  on('GET /webhook-events/{id}', 'events/get-event', reads({ get: ['EVENT'], query: ['DELIVERY'] })),
  on('POST /webhook-events/{id}/resend', 'events/resend-event', answers({ get: ['EVENT', 'DELIVERY', 'WEBHOOK'], query: ['WEBHOOK'], put: ['DELIVERY'], update: ['DELIVERY'] })),
  on('GET /tax/registrations', 'tax/list-tax-registrations', reads({ get: ['TAX'] })),
  on('POST /tax/registrations', 'tax/create-tax-registration', administers({ get: ['TAX'], put: ['TAX'] })),
  on('PATCH /tax/registrations/{id}', 'tax/update-tax-registration', administers({ get: ['TAX'], put: ['TAX'] })),
  on('DELETE /tax/registrations/{id}', 'tax/delete-tax-registration', administers({ get: ['TAX'], put: ['TAX'] })),
  on('GET /tax/overrides', 'tax/list-tax-overrides', reads({ get: ['TAX'] })),
  on('POST /tax/overrides', 'tax/create-tax-override', administers({ get: ['TAX'], put: ['TAX'] })),
  on('DELETE /tax/overrides/{id}', 'tax/delete-tax-override', administers({ get: ['TAX'], put: ['TAX'] })),
  on('GET /invoices/payments/{payment_id}', 'invoices/get-invoice', issues('DISPUTE', 'REFUND')),
  on('GET /invoices/refunds/{refund_id}', 'invoices/get-credit-note', issues('REFUND')),
  on('POST /invoices/payments/{payment_id} /invoices/refunds/{refund_id}', 'invoices/mail-document-link', { ...isPublic({ get: ['BRAND'], query: ['DOCUMENT'], update: ['DOCUMENT'] }), mails: true }),
  on('ANY /invoices/payments/{payment_id}/tax-id', 'tax-ids/add-tax-id', checks(isPublic({ get: ['SECRET', 'PAYMENT', 'TAX', 'BRAND'], put: ['PAYMENT'] }))),
  on('GET /invoices/audit', 'invoices/audit-invoices', walks({ get: ['SERIES', 'PAYMENT', 'REFUND', 'DISPUTE'], query: ['SERIES', 'DOCUMENT'], list: ['PAYMENT', 'REFUND', 'ADJUSTMENT'] })),
  on('GET /checkout/{id} /checkout/{id}/quote /checkout/{id}/pay /checkout/{id}/change', 'checkout/show-checkout', checks(isPublic({ get: ['SECRET', 'SESSION', 'PAYMENT', 'TAX', 'BRAND', 'PRODUCT', 'OFFER'], put: ['SECRET', 'SESSION'] }))),
  on('GET /checkout/supported_countries', 'countries/list-supported-countries', reads({ get: ['TAX'] })),
  on('POST /checkout/{id}/quote', 'checkout/quote-checkout', checks(isPublic({ get: ['KEY', 'SESSION', 'PAYMENT', 'TAX', 'BRAND', 'PRODUCT', 'OFFER', 'DISCOUNT', 'CODE'], list: ['DISCOUNT'], put: ['SESSION'] }))),
  on('POST /checkout/{id}/pay', 'checkout/pay-checkout', checks(asks(['charges'], isPublic({ get: ['KEY', 'IDEM', 'SESSION', 'PAYMENT', 'TAX', 'BRAND', 'PRODUCT', 'OFFER', 'DISCOUNT', 'CODE'], list: ['DISCOUNT'], customer: ['CUSTOMER'], put: ['IDEM', 'SESSION', 'PAYMENT', 'EVENT', 'DISCOUNT'], update: ['DISCOUNT', 'TAX', 'THROTTLE'] })))),
  on('POST /processor/stripe', 'processor/receive-notification', asks(['charges', 'refunds', 'disputes', 'records', 'payouts', 'notifications'], isPublic({ get: ['SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'PAYOUT', 'DISCOUNT'], put: ['SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'PAYOUT', 'EVENT', 'DISCOUNT'], update: ['PAYMENT', 'REFUND', 'DISCOUNT', 'THROTTLE'] }))),
  on('GET /checkout/{id}/return', 'checkout/return-checkout', asks(['charges'], isPublic({ get: ['SESSION', 'PAYMENT', 'BRAND', 'DISCOUNT'], put: ['SESSION', 'PAYMENT', 'EVENT', 'DISCOUNT'], update: ['DISCOUNT'] }))),
  on('POST /checkout/{id}/change', 'checkout/change-checkout', asks(['charges'], isPublic({ get: ['SESSION', 'PAYMENT', 'DISCOUNT'], put: ['SESSION', 'PAYMENT', 'EVENT', 'DISCOUNT'], update: ['DISCOUNT'] }))),
  on('ANY /checkout/{id}/step', 'checkout/confirm-step', isPublic({ get: ['SESSION', 'PAYMENT', 'BRAND'] })),
  on('ANY /checkout/{id}/recover', 'checkout/recover-checkout', isPublic({ get: ['SESSION', 'PAYMENT', 'PRODUCT', 'ENTITLEMENT', 'OFFER', 'BRAND', 'DISCOUNT', 'CODE'], list: ['DISCOUNT'], put: ['SESSION', 'OFFER'] })),
  on('ANY /orders/{payment_id}', 'orders/show-order', gives('deliver', isPublic({ get: ['SECRET', 'PAYMENT', 'DOCUMENT', 'SESSION', 'REFUND', 'DISPUTE', 'BRAND', 'GRANT', 'ENTITLEMENT', 'LICENSE', 'POOL'], list: ['POOL'], query: ['POOL'], put: ['GRANT', 'LICENSE', 'EVENT', 'POOL'], update: ['PAYMENT', 'POOL'] }))),
  on('ANY /withdraw /withdraw/confirm /orders/{payment_id}/withdraw', 'withdrawals/declare-withdrawal', mailing(isPublic({ get: ['SECRET', 'PAYMENT', 'BRAND', 'WITHDRAWAL', 'CUSTOMER'], query: ['SERIES', 'DOCUMENT'], customer: ['CUSTOMER'], put: ['SECRET', 'WITHDRAWAL', 'EVENT'], update: ['THROTTLE'] }))),
  on('ANY /portal /portal/confirm /portal/keys /portal/data /portal/orders/{payment_id}', 'portal/open-portal', mailing(isPublic({ get: ['SECRET', 'PORTAL', 'CUSTOMER', 'PAYMENT', 'BRAND', 'LICENSE', 'GRANT', 'WITHDRAWAL', 'DOCUMENT'], query: ['DOCUMENT', 'WITHDRAWAL'], customer: ['CUSTOMER', 'LICENSE', 'WITHDRAWAL'], put: ['SECRET', 'PORTAL', 'CUSTOMER', 'LICENSE', 'EVENT'], update: ['THROTTLE', 'DOCUMENT'] }))),
  on('ANY /downloads/{grant_id}/{file_id}', 'downloads/download-file', gives('deliver', isPublic({ get: ['SECRET', 'DOCUMENT', 'GRANT', 'PAYMENT', 'ENTITLEMENT', 'BRAND'], put: ['GRANT'], update: ['THROTTLE'] }))),
  on('GET /openapi.json', 'contract/get-contract', isPublic()),
  on('GET /docs /docs/{page} /llms.txt', 'contract/show-docs', isPublic()),
  on('GET /assets/{file} /favicon.ico /robots.txt', 'pages/get-asset', { ...isPublic(), files: ['htmx.org/dist/htmx.min.js'] }),
  on('GET /policies/{kind} /policies/{kind}/{hash}', 'checkout/show-policy', isPublic({ get: ['BRAND'] })),
  on('GET /buy/{id}', 'dashboard/show-offer', isPublic({ get: ['PRODUCT', 'BRAND', 'DISCOUNT', 'CODE', 'THROTTLE'], list: ['DISCOUNT'], update: ['THROTTLE'] })),
  on('POST /buy/{id}', 'dashboard/open-offer', isPublic({ get: ['PRODUCT', 'ENTITLEMENT', 'OFFER', 'SESSION', 'DISCOUNT', 'CODE', 'THROTTLE'], list: ['DISCOUNT'], put: ['SESSION', 'OFFER'], update: ['THROTTLE'] })),
  on('ANY /dashboard/sign-in /dashboard/sign-out', 'dashboard/sign-in', isPublic({ get: ['KEY', 'MEMBER', 'SECRET', 'SIGNIN'], put: ['SECRET', 'SIGNIN', 'AUDIT'] })),
  on('ANY /dashboard/sign-in/link /dashboard/sign-in/confirm', 'members/sign-in-by-link', mailing(isPublic({ get: ['LINK', 'MEMBER', 'SECRET'], put: ['LINK', 'MEMBER', 'SECRET', 'SIGNIN', 'AUDIT'], update: ['THROTTLE'] }))),
  on('ANY /dashboard/members /dashboard/members/{id}', 'members/manage-members', mailing(manages(dashboardCommands.members, { query: ['SIGNIN'], put: ['KEY', 'MEMBER', 'SIGNIN'], update: ['THROTTLE'] }))),
  on('GET /dashboard', 'dashboard/show-overview', looks({ get: ['PAYMENT', 'PRODUCT', 'TAX', 'SALES', 'DOCUMENT', 'DISPUTE', 'BRAND', 'FIELD', 'PROCESSOR', 'POOL'], query: ['SALES', 'WEBHOOK'], list: ['PAYMENT', 'PRODUCT', 'REFUND', 'DISPUTE', 'POOL', 'WITHDRAWAL'] })),
  on('ANY /dashboard/products /dashboard/products/{id}', 'dashboard/manage-products', images('show', manages(dashboardCommands.products, { get: ['BRAND', 'PRODUCT', 'TAX', 'ENTITLEMENT', 'PAYMENT'], list: ['PRODUCT', 'PAYMENT'], put: ['PRODUCT', 'ENTITLEMENT'] }))),
  on('ANY /dashboard/products/{id}/entitlements /dashboard/products/{id}/entitlements/{entitlement_id}', 'entitlements/manage-entitlements', gives('receive', manages(dashboardCommands.entitlements, { get: ['PRODUCT', 'ENTITLEMENT', 'POOL', 'GRANT', 'LICENSE', 'PAYMENT', 'CUSTOMER'], list: ['ENTITLEMENT', 'GRANT', 'POOL'], query: ['POOL'], customer: ['CUSTOMER'], put: ['PRODUCT', 'ENTITLEMENT', 'POOL', 'GRANT', 'LICENSE', 'EVENT'], update: ['POOL', 'PAYMENT'] }))),
  on('ANY /dashboard/discounts /dashboard/discounts/{id}', 'dashboard/manage-discounts', manages(dashboardCommands.discounts, { get: ['DISCOUNT', 'CODE', 'PRODUCT', 'BRAND'], list: ['DISCOUNT', 'PAYMENT', 'PRODUCT'], put: ['DISCOUNT', 'CODE', 'BRAND'], update: ['DISCOUNT'] })),
  on('ANY /dashboard/payments /dashboard/payments/{id}', 'dashboard/manage-payments', leading(asks(['refunds'], manages(dashboardCommands.payments, { get: ['TAX', 'SESSION', 'PAYMENT', 'PRODUCT', 'GRANT', 'ENTITLEMENT', 'LICENSE', 'DISCOUNT', 'CODE', 'REFUND', 'DISPUTE', 'ALLOWANCE', 'EVENT', 'DELIVERY', 'WEBHOOK', 'WITHDRAWAL', 'DOCUMENT', 'FILED', 'PAYOUT'], query: ['DELIVERY', 'WEBHOOK', 'DOCUMENT', 'WITHDRAWAL', 'FILED', 'SERIES'], list: ['PAYMENT', 'EVENT'], customer: ['CUSTOMER'], put: ['PAYMENT', 'REFUND', 'ALLOWANCE', 'EVENT', 'DELIVERY'], update: ['DELIVERY'] })))),
  on('ANY /dashboard/payments/{id}/order', 'orders/manage-order', mailing(manages(dashboardCommands.orders, { get: ['PAYMENT', 'BRAND', 'CUSTOMER', 'DOCUMENT'], query: ['DOCUMENT'], put: ['SECRET', 'PAYMENT', 'CUSTOMER', 'EVENT'], update: ['THROTTLE', 'DOCUMENT'] }))),
  on('ANY /dashboard/grants/{id}', 'grants/manage-grant', mailing(manages(dashboardCommands.grants, { get: ['CUSTOMER', 'GRANT', 'PAYMENT', 'ENTITLEMENT', 'LICENSE', 'POOL'], query: ['DOCUMENT'], list: ['POOL'], customer: ['LICENSE'], put: ['GRANT', 'LICENSE', 'EVENT'], update: ['PAYMENT', 'POOL', 'THROTTLE', 'DOCUMENT'] }))),
  on('GET /dashboard/disputes /dashboard/disputes/{id}', 'dashboard/show-disputes', looks({ get: ['DISPUTE', 'PAYMENT', 'GRANT', 'ENTITLEMENT'], query: ['DOCUMENT'], list: ['DISPUTE'], customer: ['LICENSE'] })),
  on('POST /dashboard/disputes/{id}', 'disputes/choose-ground-form', manages(dashboardCommands.disputes, { get: ['DISPUTE', 'PAYMENT', 'GRANT', 'ENTITLEMENT'], query: ['DOCUMENT'], customer: ['LICENSE'], put: ['DISPUTE', 'PAYMENT', 'EVENT'] })),
  on('GET /dashboard/payouts /dashboard/payouts/{id}', 'payouts/show-payouts', looks({ get: ['PAYOUT', 'PAYMENT'], query: ['PAYOUT'], list: ['PAYOUT'] })),
  on('ANY /dashboard/withdrawals /dashboard/withdrawals/{id}', 'withdrawals/manage-withdrawals', mailing(asks(['refunds'], manages(dashboardCommands.withdrawals, { get: ['WITHDRAWAL', 'PAYMENT', 'GRANT', 'LICENSE', 'DOCUMENT', 'REFUND', 'ALLOWANCE', 'CUSTOMER'], query: ['WITHDRAWAL'], list: ['WITHDRAWAL'], customer: ['CUSTOMER', 'WITHDRAWAL'], put: ['WITHDRAWAL', 'PAYMENT', 'REFUND', 'ALLOWANCE', 'EVENT'] })))),
  on('GET /dashboard/customers /dashboard/customers/{id}', 'dashboard/show-customers', looks({ get: ['CUSTOMER', 'PAYMENT', 'PRODUCT', 'ENTITLEMENT', 'LICENSE'], list: ['PAYMENT', 'PORTAL'], customer: ['CUSTOMER'] })),
  on('POST /dashboard/customers/{id}', 'dashboard/erase-customer', manages(dashboardCommands.customers, { get: ['CUSTOMER', 'PAYMENT', 'REFUND', 'DISPUTE', 'WITHDRAWAL'], query: ['WITHDRAWAL'], list: ['PAYMENT'], customer: ['CUSTOMER', 'WITHDRAWAL'], put: ['CUSTOMER'], update: ['PORTAL'] })),
  on('ANY /dashboard/webhooks /dashboard/webhooks/{id}', 'dashboard/manage-webhooks', manages(dashboardCommands.webhooks, { get: ['EVENT', 'DELIVERY', 'WEBHOOK'], query: ['WEBHOOK'], list: ['EVENT', 'DELIVERY'], put: ['EVENT', 'DELIVERY', 'WEBHOOK'], update: ['DELIVERY', 'WEBHOOK'] })),
  on('ANY /dashboard/tax', 'dashboard/manage-taxes', manages(dashboardCommands.taxes, { get: ['TAX', 'SALES'], query: ['RATE'], put: ['TAX'], update: ['TAX'] })),
  on('ANY /dashboard/keys', 'dashboard/manage-keys', manages(dashboardCommands.keys, { query: ['SIGNIN'], put: ['KEY', 'SIGNIN'] })),
  on('ANY /dashboard/brands /dashboard/brands/{id}', 'dashboard/manage-brands', images('show', manages(dashboardCommands.brands, { get: ['BRAND'], put: ['BRAND'] }))),
  on('GET /dashboard/exports /dashboard/exports/{file}', 'dashboard/export-reports', looks({ get: ['PAYMENT', 'REFUND', 'DISPUTE'], list: ['PAYMENT', 'REFUND', 'ADJUSTMENT', 'AUDIT'] })),
  on('ANY /dashboard/returns', 'dashboard/manage-returns', exporting('collect', manages(dashboardCommands.returns, { get: ['FILED'], query: ['EXPORT', 'FILED'], put: ['EXPORT', 'FILED'] }))),
  on('ANY /dashboard/mails', 'dashboard/show-mails', mailing(manages(dashboardCommands.mails, { get: ['BRAND'], put: ['BRAND'], update: ['THROTTLE'] }))),
  on('GET /dashboard/audit-log', 'dashboard/show-audit-log', looks({ list: ['AUDIT'] })),
  on('ANY $default', 'routing/refuse-route', isPublic()),
];

/** The methods of an endpoint's routes. An endpoint for GET also has HEAD. */
export const methodsOf = ({ method }: Endpoint): readonly (Method | 'HEAD')[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/**
 * Lists the routes, one line for each set of methods: `GET,POST /products /webhooks`. Paths for any method are left
 * out, because a request to them cannot have a wrong method. The list is compressed, because Lambda allows 4 kB of
 * environment.
 */
export function answeredPaths(table: readonly Endpoint[]): string {
  const methods = new Map<string, string[]>();
  for (const endpoint of table.filter(({ method }) => method !== 'ANY'))
    for (const path of endpoint.paths.map((named) => named.replace(/\{\w+\}/g, '{}')))
      methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(endpoint)]);
  const bySet = Map.groupBy(methods, ([, names]) => names.join(','));
  const lines = [...bySet].map(([names, paths]) => [names, ...paths.map(([path]) => path)].join(' '));
  return deflateRawSync(lines.join('\n')).toString('base64');
}

/** The function that reads the table's stream, and puts new events on the bus. */
export const streamConsumer = {
  function: 'events/relay-events',
  /** The filter of the event-source mapping. It lets only newly inserted event rows pass. */
  filter: { eventName: ['INSERT'], dynamodb: { NewImage: { entity: { S: ['EVENT'] } } } },
  memoryMegabytes: workerMegabytes,
  table: {},
} as const;

/** The rule of the bus. Every entry of Tillstack, with up to ten events, is sent to the webhook dispatcher. */
export const dispatchRule = {
  function: 'webhooks/dispatch-webhook',
  pattern: { source: ['tillstack'] },
  memoryMegabytes: callMegabytes, // The merchant's server waits for this function, and ten events share one call.
  table: {
    get: ['EVENT', 'DELIVERY', 'WEBHOOK', 'PAYMENT', 'SECRET'],
    query: ['EVENT', 'WEBHOOK'],
    list: ['DELIVERY'],
    put: ['EVENT', 'DELIVERY', 'WEBHOOK'],
    update: ['EVENT', 'DELIVERY', 'WEBHOOK'],
  },
} as const;

/**
 * The function that reads succeeded payments and refunds from its queue. It issues their invoice or credit note, and
 * mails it if the merchant wants that.
 */
export const queueConsumer = {
  function: 'documents/issue-documents',
  /**
   * The most messages of one call, and how many seconds the first message waits for others. So many messages are three
   * transactions of 33 documents.
   */
  batch: { most: 99, seconds: 1 },
  mails: true,
  memoryMegabytes: workerMegabytes,
  table: {
    get: ['SECRET', 'PAYMENT', 'REFUND', 'DISPUTE', 'TAX', 'BRAND', 'CUSTOMER', 'DOCUMENT'],
    query: ['DOCUMENT', 'SERIES', 'RATE', 'WEBHOOK'],
    put: ['SECRET', 'DOCUMENT', 'SERIES', 'EVENT'],
    update: ['EVENT', 'DOCUMENT'],
  },
} as const;

/**
 * The function that finishes all due work: unpublished events, webhook retries, processing payments, pending refunds,
 * open disputes, expired checkouts.
 */
export const sweepSchedule = {
  function: 'events/sweep-due',
  everyMinutes: 1,
  memoryMegabytes: callMegabytes,
  processor: ['charges', 'refunds', 'disputes'],
  registers: true,
  mails: true,
  table: {
    get: [
      'SESSION',
      'PAYMENT',
      'REFUND',
      'DISPUTE',
      'EVENT',
      'DELIVERY',
      'WEBHOOK',
      'SECRET',
      'BRAND',
      'DOCUMENT',
      'TAX',
      'DISCOUNT',
      'GRANT',
      'LICENSE',
      'ENTITLEMENT',
      'POOL',
      'WITHDRAWAL',
      'CUSTOMER',
      'THROTTLE',
    ],
    query: ['WEBHOOK', 'POOL', 'WITHDRAWAL'],
    list: ['DELIVERY', 'POOL'],
    due: ['DUE'],
    put: [
      'SESSION',
      'PAYMENT',
      'REFUND',
      'DISPUTE',
      'EVENT',
      'DELIVERY',
      'WEBHOOK',
      'DISCOUNT',
      'GRANT',
      'LICENSE',
      'POOL',
      'WITHDRAWAL',
      'AUDIT',
    ],
    update: [
      'SESSION',
      'PAYMENT',
      'REFUND',
      'DISPUTE',
      'EVENT',
      'DELIVERY',
      'WEBHOOK',
      'DISCOUNT',
      'POOL',
      'THROTTLE',
      'TAX',
    ],
  },
} as const;

/** The function that compares the processor's account with our rows, and reads which sales its payouts contain. */
export const reconcileSchedule = {
  function: 'processor/reconcile-account',
  everyMinutes: 24 * 60,
  memoryMegabytes: callMegabytes,
  processor: ['charges', 'refunds', 'disputes', 'records', 'payouts'],
  table: {
    get: ['SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'PAYOUT', 'DISCOUNT'],
    list: ['PAYMENT', 'REFUND', 'DISPUTE'],
    put: ['SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'PAYOUT', 'EVENT', 'DISCOUNT', 'PROCESSOR'],
    update: ['DISCOUNT'],
  },
} as const;

/**
 * The function that downloads the published exchange rates. It runs often, so that a new day is known soon after its
 * publication.
 */
export const ratesSchedule = {
  function: 'accounting/fetch-rates',
  everyMinutes: 60,
  memoryMegabytes: workerMegabytes,
  table: { query: ['RATE'], put: ['RATE'] },
} as const;

/** The function that makes the files that members requested on the dashboard: returns and lists. */
export const exportsSchedule = {
  function: 'accounting/run-exports',
  everyMinutes: 1,
  memoryMegabytes: largeMegabytes,
  exports: 'store',
  table: {
    get: ['PAYMENT', 'REFUND', 'DISPUTE', 'TAX', 'FILED'],
    query: ['EXPORT', 'DOCUMENT', 'RATE', 'FILED'],
    list: ['PAYMENT', 'REFUND', 'DISPUTE', 'ADJUSTMENT'],
    put: ['EXPORT', 'TAX'],
  },
} as const;

/** The function that continues the requested erasures of personal data. */
export const eraseSchedule = {
  function: 'customers/erase-customers',
  everyMinutes: 15,
  memoryMegabytes: workerMegabytes,
  table: {
    get: ['CUSTOMER', 'SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'EVENT', 'TAX', 'BRAND', 'WITHDRAWAL'],
    query: ['DELIVERY', 'DOCUMENT', 'SERIES', 'RATE', 'WITHDRAWAL'],
    list: ['EVENT', 'PAYMENT'],
    customer: ['CUSTOMER', 'LICENSE', 'WITHDRAWAL'],
    due: ['DUE'],
    put: ['CUSTOMER', 'SESSION', 'PAYMENT', 'REFUND', 'DISPUTE', 'DOCUMENT', 'SERIES', 'LICENSE', 'WITHDRAWAL'],
    update: ['EVENT', 'DELIVERY'],
  },
} as const;

/** The function that compares sales by place with the limits above which a seller must register. */
export const thresholdsSchedule = {
  function: 'accounting/watch-thresholds',
  everyMinutes: 24 * 60,
  memoryMegabytes: callMegabytes,
  table: {
    get: ['PAYMENT', 'TAX', 'SALES'],
    query: ['SALES', 'RATE'],
    list: ['PAYMENT', 'REFUND'],
    put: ['SALES', 'EVENT'],
    update: ['TAX'],
  },
} as const;

/**
 * The function that measures each hour problems of a shop that cause no error: sales have stopped, keys expire soon, or
 * the amounts of a payment do not balance. It also stores texts from version 0.2.0 as versions.
 */
export const shopSchedule = {
  function: 'accounting/watch-shop',
  everyMinutes: 60,
  memoryMegabytes: callMegabytes,
  table: { get: ['KEY', 'PAYMENT', 'REFUND', 'DISPUTE', 'BRAND'], list: ['PAYMENT'], put: ['BRAND'] },
} as const;

/** The functions that run on a schedule. */
export const schedules = [
  sweepSchedule,
  reconcileSchedule,
  ratesSchedule,
  exportsSchedule,
  eraseSchedule,
  thresholdsSchedule,
  shopSchedule,
] as const;

/**
 * The function that stores what SES reports about mails with documents. Only a stack with an address for receipts has
 * it.
 */
export const mailReportRule = {
  function: 'orders/note-mail-report',
  /** The tag that only mails with documents have. */
  tag: 'document',
  memoryMegabytes: workerMegabytes,
  table: { update: ['DOCUMENT'] },
} as const;

/** The function that creates the secret between the CDN and the API. A deployment with a CDN calls it. */
export const originSecretProvider = {
  function: 'protection/provide-origin-secret',
  memoryMegabytes: callMegabytes,
  table: { get: ['ORIGIN'], put: ['ORIGIN'] },
} as const;
