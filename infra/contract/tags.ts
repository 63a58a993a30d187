/**
 * The groups of operations in reading order. The key is the folder of the functions. Each has a name and a description.
 */
export const tags: Readonly<Record<string, { name: string; description: string }>> = {
  products: {
    name: 'Products',
    description:
      'What is for sale. A price is fixed, or the buyer chooses: with `pay_what_you_want`, `price` is the minimum, which is enforced, and `suggested_price` is the amount that the page proposes, which is not.',
  },
  'localized-prices': {
    name: 'Localized prices',
    description: 'Prices of a product by currency or by country, as its `pricing_mode` says. Nothing is converted.',
  },
  discounts: {
    name: 'Discounts',
    description:
      'Codes that lower a price. They take their amount off what is displayed, before tax, so a code is worth the same in every country. An e-mail address is a weak identity: to a limit per customer, a new address is a new customer.',
  },
  entitlements: {
    name: 'Entitlements',
    description:
      'What a purchase gives: files, licence keys, or a flag for your own software. It is defined once, and attached to products. A grant is one buyer’s entitlement, from one payment.',
  },
  grants: { name: 'Grants', description: 'What single buyers have. They are listed by entitlement and by customer.' },
  brands: { name: 'Brands', description: 'The name, logo and colour that buyers see.' },
  'checkout-sessions': {
    name: 'Checkout sessions',
    description: 'A cart on its way to a payment. Create a session, then send the buyer to its `checkout_url`.',
  },
  checkout: {
    name: 'Checkout',
    description: 'Pays a session by JSON, without its page: for tests, and for pages of your own.',
  },
  countries: { name: 'Countries', description: 'Where the merchant sells.' },
  payments: { name: 'Payments', description: 'What was paid, line by line, and how its tax was calculated.' },
  refunds: { name: 'Refunds', description: 'Money that goes back: a payment as a whole, a part, or single lines.' },
  customers: {
    name: 'Customers',
    description:
      'Who has bought, or may. Buyers become customers by themselves when they pay. Their personal data can be erased.',
  },
  payouts: { name: 'Payouts', description: 'What the processor pays out to your bank account, and what is in it.' },
  disputes: { name: 'Disputes', description: 'Payments that a buyer’s bank asks back.' },
  withdrawals: {
    name: 'Withdrawals',
    description:
      'What consumers of the EEA and the UK declare in order to withdraw from a contract, and what was decided about it.',
  },
  licenses: {
    name: 'Licences',
    description:
      'What programs on buyers’ machines call: they activate, validate and deactivate a licence key, without an API key.',
  },
  'license-keys': {
    name: 'Licence keys',
    description:
      'Keys that buyers got, or that were imported. A key stops working as soon as its sale gives no access.',
  },
  'license-key-instances': { name: 'Licence key instances', description: 'The devices on which keys are active.' },
  invoices: { name: 'Invoices', description: 'Invoices and credit notes, numbered without gaps.' },
  webhooks: {
    name: 'Webhooks',
    description:
      'Endpoints that receive events. Each delivery is signed as Standard Webhooks specifies: `webhook-signature` has one or more signatures `v1,<base64>`, separated by spaces. A signature is the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, with the bytes of the secret after `whsec_`, decoded from base64. Verify the raw body before you parse it, refuse timestamps older than five minutes, and ignore a `webhook-id` that you have processed. Ten attempts are made within three and a half days; any 2xx within 15 seconds is a success.',
  },
  events: { name: 'Webhook events', description: 'What happened, as endpoints were told, and how to send it again.' },
  tax: { name: 'Tax', description: 'Where the merchant is registered for tax, and its own rates and exemptions.' },
  'api-keys': {
    name: 'API keys',
    description:
      'Who may call this API, and for what. A key that expires leaves nothing behind that keeps access or sends data after its end: it cannot create or enable webhook endpoints, change their address, add events, read or replace their secrets, or set their headers. The answer is 403 and says why. What it has made otherwise stays, such as products, discounts, registrations and refunds.',
  },
  'audit-log': { name: 'Audit log', description: 'Who changed what, and when.' },
};
