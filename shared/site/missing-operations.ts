/** Resources of the API that Tillstack does not have, by the first part of their path. */
const missingThings: Readonly<Record<string, string>> = {
  addons: 'add-ons',
  balances: 'balances: your processor keeps them',
  blocklist: 'block lists',
  'credit-entitlements': 'credits',
  locales: 'translations: a product has one text',
  meters: 'usage meters',
  moderation: 'moderation',
  'product-collections': 'product collections',
  subscriptions: 'subscriptions',
};

const shortLinks = 'short links. The link to buy a product is /buy/{product_id}';

/** Operations of the API that Tillstack does not have, although it has their resource. */
const missingOperations: Readonly<Record<string, string>> = {
  'GET /events': 'usage events. Its webhook events are at /webhook-events',
  'POST /events/ingest': 'usage events',
  'POST /payments': 'payments without a checkout. Create one with POST /checkouts',
  'GET /products/short_links': shortLinks,
};

/** Parts of a resource that Tillstack does not have, although it has the resource. */
const missingParts: readonly [RegExp, string][] = [
  [/^\/brands\/[^/]+\/archive$/, 'archive of brands'],
  [/^\/customers\/[^/]+\/credit-entitlements$/, 'credits'],
  [/^\/customers\/[^/]+\/emails/, 'log of mails'],
  [/^\/customers\/[^/]+\/payment-methods/, 'saved payment methods'],
  [/^\/customers\/[^/]+\/wallets/, 'wallets'],
  [/^\/entitlements\/[^/]+\/translations/, 'translations: an entitlement has one text'],
  [/^\/events\//, 'usage events. Its webhook events are at /webhook-events'],
  [/^\/invoices\/payouts\//, 'documents of payouts: your processor has them'],
  [/^\/payments\/[^/]+\/retry$/, 'retries of payments. The buyer pays again on the page of the checkout'],
  [
    /^\/payouts\/[^/]+\/breakup\/details/,
    'entries of payouts in US dollars, which this operation answers. The dashboard has them as a file, in the currency of the payout',
  ],
  [/^\/products\/[^/]+\/translations/, 'translations: a product has one text'],
  [/^\/products\/[^/]+\/short_links$/, shortLinks],
];

/** Why an operation of the API does not exist here. Undefined for an operation that is not listed. */
export function missingOperation(method: string, path: string): string | undefined {
  const [first = ''] = path.split('/').filter(Boolean);
  const thing =
    missingOperations[`${method} ${path}`] ??
    missingParts.find(([part]) => part.test(path))?.[1] ??
    missingThings[first];
  return thing && `Tillstack has no ${thing}.`;
}
