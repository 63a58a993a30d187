/** The keys of a row in the table. */
export interface RowKey {
  pk: string;
  sk: string;
}

/** Reads rows in one call. The reads inside `act` then need no call of their own. */
export type ReadAhead = <Result>(rows: readonly RowKey[], act: () => Promise<Result>) => Promise<Result>;

/** Every key of the one table is made here. */
export const keys = {
  product: (id: string) => ({ pk: `PRODUCT#${id}`, sk: 'PRODUCT' }),
  /** The prices of a product in all markets. A checkout refers to the version of the time when it was opened. */
  offer: (productId: string, version: string) => ({ pk: `OFFER#${productId}`, sk: `VERSION#${version}` }),
  session: (id: string) => ({ pk: `SESSION#${id}`, sk: 'SESSION' }),
  payment: (id: string) => ({ pk: `PAYMENT#${id}`, sk: 'PAYMENT' }),
  /** The address to which an order was corrected, and its customer. */
  orderAddress: (paymentId: string) => ({ pk: `PAYMENT#${paymentId}`, sk: 'ADDRESS' }),
  refund: (id: string) => ({ pk: `REFUND#${id}`, sk: 'REFUND' }),
  dispute: (id: string) => ({ pk: `DISPUTE#${id}`, sk: 'DISPUTE' }),
  /** The row by which an adjustment of a dispute is found by its day. The dispute's own row contains the adjustment. */
  disputeAdjustment: (disputeId: string, id: string) => ({ pk: `DISPUTE#${disputeId}`, sk: `ADJUSTMENT#${id}` }),
  payout: (id: string) => ({ pk: `PAYOUT#${id}`, sk: 'PAYOUT' }),
  /** A part of the lines of a payout, as many as one answer of the processor has. */
  payoutLines: (id: string, part: number) => ({
    pk: `PAYOUT#${id}`,
    sk: `LINES#${String(part).padStart(6, '0')}`,
  }),
  /** The payout with the money of a payment. */
  payoutOf: (paymentId: string) => ({ pk: `PAYOUT#OF#${paymentId}`, sk: 'PAYOUT' }),
  /** Whether the processor's key may read payouts. */
  payoutAccess: () => ({ pk: 'PAYOUT', sk: 'ACCESS' }),
  /** How much a key with a daily limit has refunded on a day. */
  refundAllowance: (hash: string, day: string) => ({ pk: `ALLOWANCE#${hash}`, sk: `DAY#${day}` }),
  customer: (id: string) => ({ pk: `CUSTOMER#${id}`, sk: 'CUSTOMER' }),
  idempotency: (id: string) => ({ pk: `IDEM#${id}`, sk: 'IDEM' }),
  event: (id: string) => ({ pk: `EVENT#${id}`, sk: 'EVENT' }),
  delivery: (eventId: string, endpointId: string) => ({ pk: `EVENT#${eventId}`, sk: `DELIVERY#${endpointId}` }),
  webhook: (id: string) => ({ pk: 'WEBHOOK', sk: `ENDPOINT#${id}` }),
  webhookCount: () => ({ pk: 'WEBHOOK', sk: 'COUNT' }),
  webhookHealth: (id: string) => ({ pk: 'WEBHOOK', sk: `HEALTH#${id}` }),
  taxRules: () => ({ pk: 'TAX', sk: 'RULES' }),
  /** The sales of a small seller to other member states of the Union, by year. */
  homeSales: () => ({ pk: 'TAX', sk: 'HOME' }),
  /** The copy of the registrations, which decides about sales of 0.2.0. */
  firstRegistrations: () => ({ pk: 'TAX', sk: 'FIRST' }),
  /** The published exchange rates of a day. */
  exchangeRates: (day: string) => ({ pk: 'RATE', sk: `DAY#${day}` }),
  /** The exports that were requested, with their progress. */
  exportJob: (id: string) => ({ pk: 'EXPORT', sk: `JOB#${id}` }),
  /** The returns that were filed, and the movements of each. */
  filedReturn: (kind: string, from: string) => ({ pk: 'FILED', sk: `RETURN#${from}#${kind}` }),
  filedMovements: (kind: string, from: string, part: number) => ({
    pk: `FILED#${kind}#${from}`,
    sk: `MOVEMENTS#${String(part).padStart(6, '0')}`,
  }),
  /** The sales of a day in each place, to compare them with the limits for tax registration. */
  soldDay: (day: string) => ({ pk: 'SALES', sk: `DAY#${day}` }),
  thresholdWatch: () => ({ pk: 'SALES', sk: 'WATCH' }),
  /** The counter of a series, and the rows of its used numbers, so that no number is used twice. */
  series: (kind: string, year: string) => ({ pk: `SERIES#${kind}#${year}`, sk: 'SERIES' }),
  documentNumber: (kind: string, year: string, serial: number) => ({
    pk: `SERIES#${kind}#${year}`,
    sk: `NUMBER#${String(serial).padStart(9, '0')}`,
  }),
  /** The document of a payment or refund, its permanent number, and the outcome of its mail. */
  document: (subjectId: string) => ({ pk: `DOCUMENT#${subjectId}`, sk: 'DOCUMENT' }),
  takenNumber: (subjectId: string) => ({ pk: `DOCUMENT#${subjectId}`, sk: 'NUMBER' }),
  documentMail: (subjectId: string) => ({ pk: `DOCUMENT#${subjectId}`, sk: 'MAIL' }),
  /** The secret of a document's link, if the link was mailed on request. */
  documentLink: (subjectId: string) => ({ pk: `DOCUMENT#${subjectId}`, sk: 'LINK' }),
  apiKey: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  /** The list of all API keys. */
  apiKeyList: () => ({ pk: 'KEY', sk: 'LIST' }),
  /** The stack's own secret, from which the ids of sessions and links are derived. It never changes. */
  sessionSecret: () => ({ pk: 'SECRET', sk: 'SESSION' }),
  /** The secret that signs the sessions of the dashboard. */
  dashboardSecret: () => ({ pk: 'SECRET', sk: 'DASHBOARD' }),
  /** A session of the dashboard. Its holder is a key (by hash) or a member (by id). */
  signIn: (holder: string, id: string) => ({ pk: `SIGNIN#${holder}`, sk: `SESSION#${id}` }),
  /** All members. */
  members: () => ({ pk: 'MEMBER', sk: 'LIST' }),
  /** A link that signs in a member. */
  signInLink: (hash: string) => ({ pk: `LINK#${hash}`, sk: 'LINK' }),
  /** How often a requester did something in an hour. The requester is stored as a hash. */
  throttle: (hash: string, hour: string) => ({ pk: `THROTTLE#${hash}`, sk: `HOUR#${hour}` }),
  auditEntry: (id: string) => ({ pk: `AUDIT#${id}`, sk: 'AUDIT' }),
  /** The secret from which the secret between the CDN and the API is derived. */
  originSecret: () => ({ pk: 'ORIGIN', sk: 'SECRET' }),
  /** All of a merchant's brands. */
  brands: () => ({ pk: 'BRAND', sk: 'BRANDS' }),
  /** The merchant's own words for mails in one language. */
  mailWords: (language: string) => ({ pk: 'BRAND', sk: `MAILS#${language}` }),
  discount: (id: string) => ({ pk: `DISCOUNT#${id}`, sk: 'DISCOUNT' }),
  /** A row that counts the uses of a code. It also has the uses of one customer. */
  discountUses: (id: string, shard: number) => ({ pk: `DISCOUNT#${id}`, sk: `USES#${shard}` }),
  /** A shard of the counter of a code with a limit. Each has a partition of its own, because many buyers write it. */
  discountShard: (id: string, shard: number) => ({ pk: `DISCOUNT#${id}#${shard}`, sk: `SHARD#${shard}` }),
  /** A use of a code with a limit that an open payment has reserved. */
  discountHold: (id: string, paymentId: string) => ({ pk: `DISCOUNT#HOLD#${paymentId}`, sk: `HOLD#${id}` }),
  /** How many open payments of a network have reserved uses of a code, in one of up to eight parts. */
  discountNetwork: (id: string, network: string, part: number) => ({
    pk: `DISCOUNT#NETWORK#${id}#${network}`,
    sk: `NETWORK#${part}`,
  }),
  /** A customer's uses of a code. Version 0.2.0 writes the first key, and later versions write the second. */
  discountCustomer: (id: string, customerId: string) => ({ pk: `DISCOUNT#${id}`, sk: `CUSTOMER#${customerId}` }),
  discountBuyer: (id: string, customerId: string) => ({ pk: `DISCOUNT#BUYER#${id}#${customerId}`, sk: 'BUYER' }),
  /** A customer who may use a restricted code. */
  discountGuest: (id: string, customerId: string) => ({ pk: `DISCOUNT#${id}`, sk: `ALLOW#${customerId}` }),
  /** The payment in which a customer used a code that is only for new customers. */
  firstPurchase: (customerId: string) => ({ pk: `DISCOUNT#FIRST#${customerId}`, sk: 'FIRST' }),
  /** The discount that has a code now. */
  discountCode: (code: string) => ({ pk: `CODE#${code}`, sk: 'CODE' }),
  entitlement: (id: string) => ({ pk: `ENTITLEMENT#${id}`, sk: 'ENTITLEMENT' }),
  grant: (id: string) => ({ pk: `GRANT#${id}`, sk: 'GRANT' }),
  /** The duty to issue or revoke the grants of a payment. It is due only while there is something to do. */
  grantDuty: (paymentId: string) => ({ pk: `PAYMENT#${paymentId}`, sk: 'GRANTS' }),
  licenseKey: (id: string) => ({ pk: `LICENSE#${id}`, sk: 'LICENSE' }),
  activation: (id: string) => ({ pk: `LICENSE#ACTIVATION#${id}`, sk: 'ACTIVATION' }),
  /** The licence key that has a text, by the hash of the text. */
  licenseKeyHash: (hash: string) => ({ pk: `LICENSE#HASH#${hash}`, sk: 'HASH' }),
  /** The state of a pool of codes. */
  pool: (entitlementId: string) => ({ pk: `POOL#${entitlementId}`, sk: 'STATE' }),
  /** A grant that waits, or has waited, for a code. */
  poolQueue: (entitlementId: string, place: string) => ({ pk: `POOL#${entitlementId}#QUEUE`, sk: place }),
  /** A free code of a pool, in the order of import. */
  poolCode: (entitlementId: string, position: string) => ({ pk: `POOL#${entitlementId}`, sk: `CODE#${position}` }),
  /** The hash of a code that a pool contains or contained. */
  poolCodeHash: (entitlementId: string, hash: string) => ({ pk: `POOL#${entitlementId}`, sk: `HASH#${hash}` }),
  /** A declaration of withdrawal, and its case. */
  declaration: (id: string) => ({ pk: `WITHDRAWAL#${id}`, sk: 'DECLARATION' }),
  withdrawalCase: (id: string) => ({ pk: `WITHDRAWAL#${id}`, sk: 'CASE' }),
  /** The withdrawals of one order. */
  withdrawalOf: (paymentId: string, id: string) => ({ pk: `WITHDRAWAL#OF#${paymentId}`, sk: `CASE#${id}` }),
  /** A link to the portal, and a session of it, by the hashes of their secrets. */
  portalLink: (hash: string) => ({ pk: `PORTAL#LINK#${hash}`, sk: 'LINK' }),
  portalSession: (hash: string) => ({ pk: `PORTAL#SESSION#${hash}`, sk: 'SESSION' }),
  /** A buyer's request that the merchant erases their data. */
  erasureRequest: (customerId: string, since: string) => ({
    pk: `PORTAL#ERASURE#${customerId}`,
    sk: `REQUEST#${since}`,
  }),
  /** The rights and events that the account at the processor lacks. */
  accountLacks: () => ({ pk: 'PROCESSOR', sk: 'LACKS' }),
  /** The unsupported fields of requests that were ignored. */
  leftOutFields: () => ({ pk: 'FIELD', sk: 'LEFT_OUT' }),
  /** The texts of terms, privacy and refunds that version 0.2.0 shows. */
  policies: () => ({ pk: 'BRAND', sk: 'POLICIES' }),
  /** The log of published texts, with their times. */
  policyLog: () => ({ pk: 'BRAND', sk: 'TEXTS' }),
  /** A text of the merchant. It never changes. */
  policyVersion: (hash: string) => ({ pk: 'BRAND', sk: `POLICY#${hash}` }),
} as const;

/** The partition of the reserved uses of a code, oldest first. */
export const openHolds = (discountId: string): string => `DISCOUNT#HOLDS#${discountId}`;

/** The partition of orders whose address was corrected to that of a customer. */
export const ownOrders = (customerId: string): string => `PAYMENT#OF#${customerId}`;

/** Sort keys of the indexes by time: the instant, then the id, which makes them unique. */
export const timeKey = (at: string, id: string): string => `${at}#${id}`;

const spread = 4;

/** Spreads due events, payments, refunds and disputes over four partitions by their id. */
export function duePartition(id: string): string {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return `DUE#${hash % spread}`;
}

/** The partitions of all due events, payments, refunds and disputes. */
export const duePartitions = Array.from({ length: spread }, (_, index) => `DUE#${index}`);

/**
 * The partition of due deliveries for each endpoint. So a long queue of one endpoint delays neither events nor other
 * endpoints.
 */
export const deliveriesDuePartition = (endpointId: string): string => `DUE#${endpointId}`;

/** The partition of sessions that wait for their expiry. It is separate, so that many of them delay no payment. */
export const sessionsDuePartition = 'DUE#SESSION';

/**
 * The partition of the rows that make the sweep check grants. Version 0.2.0 does not read it, so its sweep cannot
 * remove these rows.
 */
export const grantsDuePartition = 'DUE#GRANTS';

/**
 * The partition of events whose document exists, but whose mail waits until the mail service accepts it. It is separate,
 * so that a day of waiting mails delays nothing else. Version 0.2.0 does not read it.
 */
export const mailsDuePartition = 'DUE#MAILS';

/** The same for mails that confirm a waiver. The sweep reads it first, because the buyer's content waits for them. */
export const confirmationsDuePartition = 'DUE#CONFIRMATIONS';

/**
 * The partition of reserved uses of codes. Version 0.2.0 does not read it, so the rows that it cannot end hide nothing
 * from its sweep.
 */
export const holdsDuePartition = 'DUE#HOLDS';

/** The partition of withdrawals whose mail or automatic refund is due. Version 0.2.0 does not read it. */
export const withdrawalsDuePartition = 'DUE#WITHDRAWAL';
