const pages = 'Pages are numbered from 1, and page 0 is refused; `cursor` begins a walk without gaps.';
const merged = 'It answers the changed object; the library declares no answer.';
const upload = 'The address is valid for one minute, and every upload has a new id. `content_length` may be sent.';

/**
 * How operations of the official library differ here, beyond the fields that we add or ignore, which the contract tells. An operation
 * without words has no other difference that is known.
 */
export const dialectDifferences: Readonly<Record<string, string>> = {
  'GET /brands':
    'Brands are not archived, so `include_archived` changes nothing. `verification_status` is always `Success`.',
  'POST /brands': '`name` is required. `color` and `search_listing` may be sent.',
  'PATCH /brands/{}': '`color` and `search_listing` may be sent.',
  'PUT /brands/{}/images': upload,
  'GET /checkout/supported_countries':
    'It lists the ISO countries where this merchant can sell, for one `tax_category` or for all. Checkouts are also opened for, and paid from, Kosovo (`XK`), which ISO has not.',
  'POST /checkouts':
    'A cart has no product twice, one brand and one currency. `allowed_payment_method_types` with `credit` or `debit` leaves cards, and is refused where it leaves nothing. `feature_flags` that the page does not fulfil are refused by name. A wrong country or tax id is refused here, not on the page. `consents_by` may be sent.',
  'POST /checkouts/preview': '`tax_date` may be sent. `locale` changes nothing. Totals are of one-time products only.',
  'GET /customers': `${pages} Buyers are listed by their payments, without having been created. \`name\` finds a part of a name.`,
  'POST /customers': 'An e-mail address that a customer has already answers that customer, unchanged.',
  'PATCH /customers/{}':
    'null leaves `email` and `name` as they are. Payments keep the details with which they were paid.',
  'GET /disputes': pages,
  'GET /entitlements': `${pages} Those that the older fields of a product make are not listed.`,
  'POST /entitlements':
    '`digital_files`, `license_key` and `feature_flag`; other types are refused by name. `access` says what ends the access of buyers. `pool: true` hands out codes that you import.',
  'PATCH /entitlements/{}': 'Fields of `integration_config` that are not sent stay as they are.',
  'POST /entitlements/{}/files':
    'The answer also says where the bytes are sent: the library’s call has no body, and only answers the id. Files have up to 5 GB.',
  'GET /entitlements/{}/grants': pages,
  'DELETE /entitlements/{}/grants/{}': 'A grant that is revoked by hand is not given back by a refund that fails.',
  'POST /customers/{}/customer-portal/session':
    'The link works for 24 hours, once, in the browser in which its button is pressed. `return_url` has an allowed origin; `send_email` needs a sender of mails.',
  'GET /customers/{}/entitlements': 'The newest 100 grants.',
  'GET /customers/{}/entitlement-grants': pages,
  'POST /grants/{}/license-key': 'A key that another grant has is refused. Nothing is mailed.',
  'GET /invoices/payments/{}':
    'A PDF by default; `format` or `Accept` also give a page, JSON and XML. 404 until the payment has succeeded.',
  'GET /invoices/refunds/{}':
    'A PDF by default; `format` or `Accept` also give a page, JSON and XML. 404 until the refund has succeeded.',
  'GET /payments': `${pages} \`subscription_id\` finds nothing.`,
  'GET /payments/{}': '`payment_provider` is `dodo`, which the adapters insist on; `processor` names the real one.',
  'GET /payments/{}/line-items': '`items_id` is the product’s id.',
  'GET /products': `${pages} \`locale\` changes nothing, and \`recurring=true\` finds nothing.`,
  'POST /products':
    'Prices are of the type `one_time_price`. `tax_inclusive` may be sent beside `price` or in it; without it, the tax is added. `maximum_price` limits what buyers choose.',
  'GET /products/{}': '`locale` changes nothing.',
  'PATCH /products/{}': `${merged} The type of a price cannot change. Open sessions keep what they were created with.`,
  'DELETE /products/{}': 'A product that is archived already answers 410.',
  'PUT /products/{}/files':
    'The address is valid for one minute, and takes a file of up to 5 GB. Buyers have the file once its bytes have arrived.',
  'PUT /products/{}/images': upload,
  'POST /products/{}/unarchive': merged,
  'GET /products/{}/localized-prices': 'Archived prices are gone.',
  'POST /products/{}/localized-prices':
    'Also for products whose price the buyer chooses: `amount` is then the minimum, and `suggested_price`, `maximum_price`, `preset_amounts` and `minimum_net` are the price’s. Nothing is converted. At most 100.',
  'PATCH /products/{}/localized-prices/{}': 'Also changes the limits and `tax_inclusive`.',
  'DELETE /products/{}/localized-prices/{}': 'The price is gone: a GET answers 404.',
  'GET /payouts': `${pages} \`fee\` and \`tax\` are 0: the processor takes its fees from the sales, and withholds no tax. \`refunds\` and \`chargebacks\` are 0 until \`matching\` is \`matched\`. A sandbox without a processor has no payouts.`,
  'GET /payouts/{}/breakup': 'Until a payout is matched, all of it is `unattributed`; manual payouts never are.',
  'GET /refunds': `${pages} \`subscription_id\` finds nothing.`,
  'POST /refunds':
    '`amount` without `items` refunds a part of the whole; `type: "tax"` refunds the tax alone, and `tax_reason` says why none is due. `tax_inclusive: false` reads amounts as net. `currency` must be the payment’s. `expected_refundable` refuses when something was refunded meanwhile. `keep_access` leaves the buyer what the lines gave. A pending refund says in `pending_reason` what it waits for.',
  'GET /webhooks': 'There are at most 20 endpoints.',
  'POST /webhooks': 'Needs an admin key. The address must be public and https. A 21st endpoint is refused.',
  'PATCH /webhooks/{}': 'Another `url` needs an admin key.',
  'DELETE /webhooks/{}': 'Needs an admin key.',
  'GET /webhooks/{}/headers': 'Values that may be secrets are not shown; `sensitive` has their names.',
  'PATCH /webhooks/{}/headers': 'Needs an admin key. null removes a header.',
  'GET /webhooks/{}/secret': 'Needs an admin key. After a rotation, the old secret also signs for 24 hours.',
};

/** What `dodopayments` 1.123 for Python asks for and the one for TypeScript does not. */
export const pythonOnly: readonly (readonly [string, string])[] = [
  ['GET', '/addons/{}/translations'],
  ['DELETE', '/addons/{}/translations/{}'],
  ['PUT', '/addons/{}/translations/{}'],
  ['POST', '/addons/{}/unarchive'],
  ['GET', '/credit-entitlements/{}/translations'],
  ['DELETE', '/credit-entitlements/{}/translations/{}'],
  ['PUT', '/credit-entitlements/{}/translations/{}'],
  ['GET', '/entitlements/{}/translations'],
  ['DELETE', '/entitlements/{}/translations/{}'],
  ['PUT', '/entitlements/{}/translations/{}'],
  ['GET', '/locales'],
  ['PATCH', '/meters/{}'],
  ['GET', '/meters/{}/translations'],
  ['DELETE', '/meters/{}/translations/{}'],
  ['PUT', '/meters/{}/translations/{}'],
  ['GET', '/product-collections/{}/translations'],
  ['DELETE', '/product-collections/{}/translations/{}'],
  ['PUT', '/product-collections/{}/translations/{}'],
  ['GET', '/products/{}/translations'],
  ['DELETE', '/products/{}/translations/{}'],
  ['PUT', '/products/{}/translations/{}'],
];
