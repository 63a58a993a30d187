import type { Member } from '../../../shared/domain/access/member.ts';
import { maxEntitlements } from '../../../shared/domain/entitlements/entitlement.ts';
import { payments, products as productStore } from '../../../shared/wiring/runtime.ts';
import type { Api } from '../shop/api.ts';
import { cards } from '../shop/cards.ts';
import { grantLicense } from '../shop/grants.ts';
import { addMember, rewriteMembers } from '../shop/members.ts';
import { hearDispute } from '../shop/settle.ts';
import { addProduct, createSession, pay, sell, support } from '../shop/shop.ts';

/** A form that the dashboard refuses. */
export interface RefusedForm {
  /** The commands' name in the route table, and the command; or the path of a form without commands. */
  command: string;
  path: string;
  fields: Readonly<Record<string, string>>;
}

type Fields = RefusedForm['fields'];

const long = (letters: number): string => 'A'.repeat(letters);
const card = '4111 1111 1111 1111';

/** Every command of every form of the dashboard, with input that is refused, and the owner who sends them. */
export async function refusedForms(api: Api): Promise<{ forms: RefusedForm[]; owner: Member }> {
  const { owner, ...ids } = await subjects(api);
  const at = (command: string, path: string, ...all: Fields[]): RefusedForm[] =>
    all.map((fields) => ({ command, path: `/dashboard/${path}`, fields }));
  const onFiles = `products/${ids.product}/entitlements/${ids.files}`;
  const forms = [
    ...at('/dashboard/sign-in', 'sign-in', ...signIns),
    ...at('/dashboard/sign-out', 'sign-out', { token: 'no' }),
    ...at('/dashboard/sign-in/link', 'sign-in/link', { email: 'nobody', no: 'form' }),
    ...at('/dashboard/sign-in/confirm', 'sign-in/confirm', { token: 'no' }),
    ...at('members.invite', 'members', { email: 'nobody', role: 'read' }, { email: 'a@b.example', role: 'queen' }),
    ...at('members.invite', 'members', { email: owner.email, role: 'read' }),
    ...at('members.invite_again', `members/${owner.id}`, {}),
    ...at('members.change_role', `members/${owner.id}`, { role: 'read' }, { role: 'queen' }),
    ...at('members.remove', `members/${owner.id}`, {}),
    ...at('members.end_session', `members/${owner.id}`, { session_id: 'no' }),
    ...at('members.end_own_session', 'members', { session_id: 'no' }),
    ...at('products.preview', 'products', { ...guide, price: 'x' }, { ...open, suggested: '3' }),
    ...at('products.save', 'products', ...products),
    ...at('products.save', `products/${ids.product}`, { ...guide, name: '' }),
    ...at('products.archive', 'products/pdt_no', {}),
    ...at('products.archive_several', 'products', {}, { product_id: 'pdt_no' }),
    ...at('products.restore', 'products/pdt_no', {}),
    ...at('products.set_markets', `products/${ids.product}`, { pricing_mode: 'by_moon' }),
    ...at('products.add_price', `products/${ids.product}`, { currency: 'EUR', amount: '5', tax: '' }),
    ...at('products.add_price', `products/${ids.byCountry}`, ...markets, ...countryMarkets),
    ...at('products.add_price', `products/${ids.byCurrency}`, ...markets, { currency: 'EUR', amount: '5', tax: '' }),
    ...at('products.add_price', `products/${ids.chosen}`, ...markets, ...chosenMarkets),
    ...at(
      'products.change_price',
      `products/${ids.byCountry}`,
      { price_id: ids.price, amount: '0' },
      { price_id: 'no' },
    ),
    ...at('products.archive_price', 'products/pdt_no', { price_id: 'no' }),
    ...at('entitlements.create', `products/${ids.product}/entitlements`, ...entitlements),
    ...at(
      'entitlements.create',
      `products/${ids.product}/entitlements`,
      { kind: 'moon' },
      { ...licence, integration_type: 'moon' },
    ),
    ...at('entitlements.attach', `products/${ids.product}/entitlements`, { entitlement_id: 'no' }),
    ...at('entitlements.attach', `products/${ids.full}/entitlements`, { entitlement_id: ids.entitlement }),
    ...at('entitlements.detach', 'products/pdt_no/entitlements', { entitlement_id: 'no' }),
    ...at('entitlements.save', `products/${ids.product}/entitlements/${ids.entitlement}`, ...entitlements),
    ...at('entitlements.add_file', onFiles, { file_name: 'a/b', file_size: '5' }, { file_name: 'a', file_size: '0' }),
    ...at('entitlements.sign_part', onFiles, { file_id: 'no', number: '0' }, { file_id: 'no', sha256: long(64) }),
    ...at('entitlements.finish_file', onFiles, { file_id: 'no', parts: '{' }, { file_id: 'no', parts: '[]' }),
    ...at('entitlements.rename_file', onFiles, { file_id: ids.file, file_name: '' }, { file_id: 'no', file_name: 'a' }),
    ...at('entitlements.rename_file', onFiles, { file_id: ids.file, file_name: '../a' }),
    ...at('entitlements.move_file', onFiles, { file_id: 'no' }),
    ...at('entitlements.remove_file', onFiles, { file_id: 'no' }),
    ...at('discounts.save', 'discounts', ...discounts, { ...percentage, code: 'TAKEN1' }),
    ...at('discounts.save', `discounts/${ids.discount}`, ...discounts),
    ...at('discounts.stop', 'discounts/dsc_no', {}),
    ...at('discounts.allow', `discounts/${ids.discount}`, { emails: '' }, { emails: 'nobody' }, { emails: card }),
    ...at('discounts.disallow', `discounts/${ids.discount}`, { customer_id: 'no' }),
    ...at('payments.preview', `payments/${ids.payment}`, ...refunds),
    ...at('payments.refund', `payments/${ids.payment}`, ...refunds, { scope: 'all', expected: '7' }),
    ...at('payments.refund', `payments/${ids.payment}`, { scope: 'amount', amount: '900000', expected: '1499' }),
    ...at('payments.preview', `payments/${ids.taxless}`, { scope: 'tax' }),
    ...at('payments.resend', `payments/${ids.payment}`, { event_id: 'evt_no', endpoint_id: 'no' }),
    ...at('payments.resend', `payments/${ids.payment}`, { event_id: ids.event, endpoint_id: ids.disabled }),
    ...at('payments.correct', `payments/${ids.payment}`, {}),
    ...at('payments.leave', `payments/${ids.payment}`, {}),
    ...at('disputes.choose_ground', `disputes/${ids.dispute}`, {}, { ground: 'moon' }),
    ...at('grants.revoke', 'grants/entg_no', { reason: '' }),
    ...at('grants.revoke', `grants/${ids.grant}`, { reason: long(301) }, { reason: 'a\u0007b' }),
    ...at('grants.restore', `grants/${ids.grant}`, {}),
    ...at('grants.reissue', `grants/${ids.grant}`, { key_id: 'no' }),
    ...at('grants.reissue', `grants/${ids.grant}`, { key_id: ids.licenseKey, new_key: long(256) }),
    ...at('grants.reissue', `grants/${ids.grant}`, { key_id: ids.licenseKey, new_key: 'REFUSED-FORMS-1' }),
    ...at('grants.change_key', `grants/${ids.grant}`, { key_id: ids.licenseKey, limit: 'x' }, { key_id: 'no' }),
    ...at('grants.change_key', `grants/${ids.grant}`, { key_id: ids.licenseKey, expires: '2035-02-30' }),
    ...at('grants.end_device', `grants/${ids.grant}`, { key_id: ids.licenseKey, device_id: 'no' }),
    ...at('orders.send', 'payments/pay_no/order', {}),
    ...at('orders.replace', 'payments/pay_no/order', {}),
    ...at('orders.correct', 'payments/pay_no/order', { email: 'right@example.com' }),
    ...at('customers.erase', `customers/${ids.customer}`, {}),
    ...at('customers.erase', `customers/${ids.disputing}`, {}),
    ...at('customers.erase', `customers/${ids.waitingCustomer}`, {}),
    ...at('webhooks.create', 'webhooks', ...endpoints),
    ...at('webhooks.save', `webhooks/${ids.endpoint}`, ...endpoints),
    ...at('webhooks.rotate', `webhooks/${ids.disabled}`, {}),
    ...at('webhooks.rotate', 'webhooks/no', {}),
    ...at('webhooks.test', `webhooks/${ids.disabled}`, { type: 'payment.succeeded' }),
    ...at('webhooks.test', `webhooks/${ids.endpoint}`, { type: 'no' }, { type: '' }),
    ...at('webhooks.resend', `webhooks/${ids.disabled}`, { event_id: ids.event }, { event_id: 'evt_no' }),
    ...at('webhooks.recover', `webhooks/${ids.disabled}`, {}),
    ...at('webhooks.delete', 'webhooks/no', {}),
    ...at('taxes.add_registration', 'tax', ...registrations),
    ...at('taxes.change_registration', 'tax', ...registrationChanges.map((one) => ({ ...one, id: ids.registration }))),
    ...at('taxes.remove_registration', 'tax', { id: 'no' }, { id: ids.registration }),
    ...at('taxes.add_override', 'tax', ...overrides),
    ...at('taxes.remove_override', 'tax', { id: 'no' }),
    ...at('taxes.state_small_seller', 'tax', ...smallSellers),
    ...at('taxes.leave_small_seller', 'tax', {}),
    ...at('keys.create', 'keys', ...keys),
    ...at('keys.revoke', 'keys', { id: 'no' }),
    ...at('keys.end_session', 'keys', { session_id: 'no' }),
    ...at('brands.save', 'brands', ...brands),
    ...at('brands.save', `brands/${ids.brand}`, ...brands),
    ...at(
      'brands.save_policies',
      'brands/policies',
      { terms: long(100_001) },
      { privacy: card },
      { kind: 'imprint', language: 'de', text: 'a\u0007b' },
      { kind: 'accessibility', language: 'fr', text: long(20_001) },
    ),
    ...at('brands.make_policy', 'brands/imprint', {}, { name: card }, { email: 'no', arbitration: 'yes' }),
    ...at('brands.make_policy', 'brands/accessibility', {}, { status: 'partly', checkedOn: 'no' }),
    ...at('brands.preview_policies', 'brands/policies', { kind: 'terms', language: 'en', text: card }),
    ...at('brands.save_rights', 'brands/rights', { offer: 'no' }, {}),
    ...at('returns.create', 'returns', ...returns),
    ...at('returns.file', 'returns', { job: 'exp_no' }),
    ...at('mails.send_example', 'mails', { mail: 'no' }),
    ...at('mails.preview_words', 'mails', { edit: 'no' }),
    ...at(
      'mails.save_words',
      'mails',
      { edit: 'no' },
      { edit: 'refund', subject: '{wrong}', greeting: 'x'.repeat(1_001) },
    ),
  ];
  return { forms, owner };
}

const signIns: Fields[] = [
  { key: '' },
  { key: 'nonsense' },
  { key: `sk_live_${long(43)}` },
  { key: `sk_test_${long(43)}` },
  { key: 'sk_test_no' },
];

const guide = {
  name: 'Guide',
  description: 'A guide',
  brand_id: '',
  tax_category: 'digital_products',
  currency: 'EUR',
  price: '10',
  tax_inclusive: 'on',
};
const open = { ...guide, pay_what_you_want: 'on', minimum: '5' };
const products: Fields[] = [
  { ...guide, name: '', description: '', price: '' },
  { ...guide, name: card, description: long(1_001) },
  { ...guide, name: long(101), description: 'a\u0007b' },
  { ...guide, brand_id: 'no', tax_category: 'none', currency: 'XXX' },
  ...['x', '-1', '99999999999', '1.2.3'].map((price) => ({ ...guide, price })),
  { ...guide, quantity_least: '9', quantity_most: '2' },
  { ...guide, quantity_least: '0', quantity_most: 'x' },
  { ...guide, delivery_instructions: card, delivery_url: 'ftp://a.example' },
  { ...guide, delivery_url: 'nonsense', delivery_instructions: long(1_001) },
  { ...open, suggested: '3', maximum: '2', preset_amounts: '9 3' },
  { ...open, maximum: '2' },
  { ...open, preset_amounts: '9 3' },
  { ...open, preset_amounts: 'x' },
  { ...open, minimum: '', purpose: card },
  { ...open, minimum_net: '99999', purpose: long(201) },
  { ...open, minimum_net: 'x', minimum: '0', suggested: 'x' },
];

const markets: Fields[] = [
  { currency: 'EUR', country: 'DE', amount: '', tax: '' },
  { currency: '', country: '', amount: '7', tax: '' },
  { currency: 'XXX', country: 'XX', amount: '7', tax: '' },
  { currency: 'USD', country: 'US', amount: 'x', tax: '' },
];
const countryMarkets: Fields[] = [
  { currency: 'USD', country: 'US', amount: '0', tax: '' },
  { currency: 'USD', country: '', amount: '5', tax: '' },
  { currency: 'EUR', country: 'FR', amount: '5', tax: '' },
];
const chosenMarkets: Fields[] = [
  { currency: 'USD', country: 'US', amount: '5', suggested: '3', maximum: '2', presets: '9 3' },
  { currency: 'USD', country: 'US', amount: '5', maximum: '2' },
  { currency: 'USD', country: 'US', amount: '5', presets: '9 3', purpose: card },
];

const licence = { kind: 'keys', integration_type: 'license_key', name: 'Licence' };
const book = { kind: 'files', integration_type: 'digital_files', name: 'Book' };
const entitlements: Fields[] = [
  { ...licence, name: '' },
  { ...licence, name: card, activation_message: long(2_501) },
  { ...licence, activations_limit: 'x', activation_message: 'a\u0007b' },
  { ...licence, activations_limit: '0', duration_count: '1.5' },
  { ...licence, duration_count: '1001', duration_interval: 'Day' },
  { ...licence, duration_count: '2', duration_interval: 'Moon' },
  { ...book, external_url: 'http://a.example/', instructions: card },
  { ...book, name: long(101), external_url: 'nonsense', instructions: long(1_001) },
  { kind: 'flag', integration_type: 'feature_flag', name: 'Flag', feature_id: '' },
  { kind: 'flag', integration_type: 'feature_flag', name: 'Flag', feature_id: long(201) },
];

const percentage = { type: 'percentage', percent: '10', eligibility: 'any' };
const flat = { type: 'flat', eligibility: 'any' };
const discounts: Fields[] = [
  { ...percentage, percent: '0', code: 'a b' },
  { ...percentage, percent: '', code: 'ab' },
  { ...percentage, percent: '101', name: card },
  { ...percentage, name: long(101), usage_limit: 'x', per_customer: '0' },
  { ...percentage, usage_limit: '2', per_customer: '3' },
  { ...percentage, starts_at: '2027-01-02T00:00', expires_at: '2027-01-01T00:00' },
  { ...percentage, starts_at: 'x', expires_at: 'x' },
  { ...percentage, products: 'pdt_no' },
  { ...percentage, type: 'gift' },
  { ...percentage, eligibility: 'nobody' },
  { ...percentage, cap_currency_0: 'XXX', cap_amount_0: '1', cap_minimum_0: '' },
  { ...percentage, cap_currency_0: 'EUR', cap_amount_0: 'x', cap_minimum_0: '' },
  { ...flat, flat_currency_0: 'EUR', flat_amount_0: '', flat_minimum_0: '' },
  { ...flat, flat_currency_0: 'EUR', flat_amount_0: '0', flat_minimum_0: 'x' },
  { ...flat, flat_currency_0: 'EUR', flat_amount_0: '1', flat_currency_1: 'EUR', flat_amount_1: '1' },
  { ...flat },
];

const refunds: Fields[] = [
  {},
  { scope: 'amount', amount: '' },
  { scope: 'amount', amount: 'x' },
  { scope: 'amount', amount: '900000' },
  { scope: 'amount', amount: '900000', basis: 'net' },
  { scope: 'amount', amount: '1', reason: card },
  { scope: 'amount', amount: '1', reason: long(3_001), public_reason: card },
  { scope: 'items' },
];

const endpoints: Fields[] = [
  { url: '' },
  { url: 'nonsense' },
  { url: 'http://shop.example/' },
  { url: 'https://user:pass@shop.example/' },
  { url: 'https://shop.example/#part' },
  { url: 'https://shop.example:99/' },
  { url: 'https://10.0.0.1/' },
  { url: 'https://localhost/' },
  { url: `https://${long(260)}.example/` },
  { url: 'https://shop.example/', description: long(501), type: 'no.such' },
  { url: 'https://shop.example/', description: card },
  { url: 'https://shop.example/', type: 'dispute.lost payment' },
];

const statement = { currency: 'EUR', is_one_state: 'true', last_year: '0', this_year: '0' };
const smallSellers: Fields[] = [
  { ...statement, last_year: 'x' },
  { ...statement, this_year: '' },
  { ...statement, currency: 'USD' },
  { currency: 'EUR', last_year: '0', this_year: '0' },
];

const registration = { country: 'DE', scheme: 'standard', active_from: '2026-01-01' };
const registrations: Fields[] = [
  { ...registration, country: '', active_from: '' },
  { ...registration, country: 'XX' },
  { ...registration, active_from: '2020' },
  { ...registration, scheme: 'none' },
  { ...registration, expires_at: '2025-01-01' },
  { ...registration, tax_id: 'x' },
  { ...registration, region: 'BY' },
  { ...registration, country: 'US' },
  { ...registration, country: 'US', region: 'ZZ' },
  { ...registration, country: 'CA', region: 'AB' },
  { ...registration, country: 'US', region: 'CA', scheme: 'oss' },
  { ...registration, business_buyers: 'charge' },
  { ...registration, business_buyers: 'charged' },
];

const registrationChanges: Fields[] = [
  { ...registration, active_from: '2020' },
  { ...registration, scheme: 'none' },
  { ...registration, scheme: 'simplified', expires_at: 'x' },
  { ...registration, expires_at: '2025-01-01' },
  { ...registration, tax_id: 'x' },
  { ...registration, business_buyers: 'charged' },
];

const override = {
  country: 'DE',
  mode: 'replace',
  taxability: 'taxable',
  name_1: 'USt',
  rate_1: '9',
  reason: 'A ruling.',
  effective_from: '2026-01-01',
};
const overrides: Fields[] = [
  { ...override, name_1: '', rate_1: 'much', reason: '' },
  { ...override, rate_1: '0' },
  { ...override, rate_1: '101' },
  { ...override, rate_1: '1.23456789' },
  { ...override, rate_1: '60', name_2: 'b', rate_2: '60' },
  { ...override, name_1: '', rate_1: '' },
  { ...override, taxability: 'exempt' },
  { ...override, taxability: 'zero_rated' },
  { ...override, mode: 'add', taxability: 'exempt', name_1: '', rate_1: '' },
  { ...override, mode: 'x', taxability: 'y', category: 'z' },
  { ...override, postal_code_prefix: '--' },
  { ...override, effective_to: '2025-01-01' },
  { ...override, effective_from: 'x', effective_to: 'y' },
  { ...override, reason: long(1_001) },
  { ...override, reason: card },
  { ...override, country: 'XX', region: 'x' },
  { ...override, country: 'US', region: 'ZZ' },
  { ...override, certificate: 'C1' },
  { ...override, customer_id: 'cus_no' },
  { ...override, customer_id: `cus_${long(21)}` },
  { ...override, customer_id: `cus_${long(21)}`, certificate: 'C1' },
  { ...override, country: 'FR' },
];

const key = { name: 'Key', access: 'read', refunds: 'no' };
const keys: Fields[] = [
  { ...key, name: '' },
  { ...key, name: long(101) },
  { ...key, name: card },
  { ...key, access: 'all' },
  { ...key, refunds: 'limited', limit: '0', currency: 'EUR' },
  { ...key, access: 'write', refunds: 'limited', limit: 'x', currency: 'EURO' },
  { ...key, expires_at: '2020-01-01' },
  { ...key, expires_at: 'x' },
];

const brands: Fields[] = [
  { name: '', supportEmail: 'nobody', url: 'ftp://example.com' },
  { name: long(101), description: long(1_001), url: 'nonsense' },
  { name: card, description: card },
  { name: 'Brand', has_color: 'on', color: 'red' },
  { name: 'Brand', statement: '1234' },
  { name: 'Brand', url: 'https://user:pass@shop.example/' },
];

const returns: Fields[] = [
  { kind: 'none', from: '2026-01-01', to: '2026-03-31' },
  { kind: 'oss', from: 'x', to: '2026-03-31' },
  { kind: 'oss', from: '2026-01-01', to: 'x' },
  { kind: 'oss', from: '2026-02-01', to: '2026-01-01' },
  { kind: 'oss', from: '2026-01-01', to: '2026-02-28' },
  { kind: 'movements', from: '2020-01-01', to: '2026-02-28' },
];

/** What the forms are about. */
async function subjects(api: Api) {
  const { paymentId: payment, productId: product } = await sell(api);
  await api.call('POST /refunds', { body: { payment_id: payment, amount: 500 } });
  const sold = async (number: string) => {
    const id = await createSession(api, [{ product_id: product, quantity: 1 }]);
    return (await pay(id, { expectedTotal: 1_999, card: number, email: `${number}@example.com` })).id;
  };
  const disputed = await sold(cards.disputeLost);
  const dispute = await hearDispute(disputed);
  await grantLicense(await payments().get(disputed));
  const waiting = await sold(cards.pendingRefunds);
  await api.call('POST /refunds', { body: { payment_id: waiting } });
  const taxless = await sold(cards.good);
  await api.call('POST /refunds', { body: { payment_id: taxless, type: 'tax', tax_reason: 'exempt' } });
  const processing = await sold(cards.slowSuccess);
  const customerOf = async (id: string) => (await payments().get(id)).customer.id ?? '';

  const byCountry = await addProduct(api, { pricing_mode: 'by_country' });
  const french = { country_code: 'FR', currency: 'EUR', amount: 900 };
  const { body: price } = await api.call(`POST /products/${byCountry}/localized-prices`, { body: french });
  const byCurrency = await addProduct(api, { pricing_mode: 'by_currency' });
  const chosen = await addProduct(api, { ...support, pricing_mode: 'by_country' });

  const flag = { name: 'Flag', integration_type: 'feature_flag', integration_config: { feature_id: 'area' } };
  const flags: string[] = [];
  for (let made = 0; made <= maxEntitlements; made += 1)
    flags.push((await api.call('POST /entitlements', { body: flag })).body.id);
  const [entitlement = '', ...most] = flags;
  const songs = { name: 'Songs', integration_type: 'digital_files', integration_config: {} };
  const files: string = (await api.call('POST /entitlements', { body: songs })).body.id;
  const file: string = (await api.call(`POST /entitlements/${files}/files`, { body: { file_name: 'a.mp3' } })).body
    .file_id;
  const full = await addProduct(api);
  await productStore().save({ ...(await productStore().get(full)), entitlements: most }, []);

  const code = { type: 'percentage', amount: 1_000, code: 'TAKEN1', customer_eligibility: 'specific' };
  const { body: discount } = await api.call('POST /discounts', { body: code });

  const endpointOf = async (fields: object) =>
    (await api.call('POST /webhooks', { body: { url: 'https://example.com/hook', ...fields } })).body.id as string;
  const [endpoint, disabled] = [await endpointOf({}), await endpointOf({})];
  await api.call(`PATCH /webhooks/${disabled}`, { body: { disabled: true } });
  for (const _ of [1, 2, 3]) await api.call(`POST /webhooks/${disabled}/rotate`);
  const { body: events } = await api.call('GET /webhook-events');

  const rule = { country: 'DE', scheme: 'standard', active_from: '2020-01-01' };
  const { body: registration } = await api.call('POST /tax/registrations', { body: rule });
  const component = { name: 'TVA', rate: '0.05' };
  const taxable = { mode: 'replace', taxability: 'taxable', components: [component], reason: 'A ruling.' };
  await api.call('POST /tax/overrides', { body: { country: 'FR', ...taxable, effective_from: '2020-01-01' } });

  const { body: brands } = await api.call('GET /brands');
  await rewriteMembers(() => []);
  const owner = await addMember('owner');
  return {
    ...{ entitlement, full, files, file },
    ...(await granted(api, payment)),
    ...{ payment, product, taxless, byCountry, byCurrency, chosen },
    ...{ endpoint, disabled, owner },
    price: price.id as string,
    discount: discount.discount_id as string,
    event: events.items[0].event_id as string,
    registration: registration.id as string,
    brand: brands.items[0].brand_id as string,
    customer: await customerOf(processing),
    dispute,
    disputing: await customerOf(disputed),
    waitingCustomer: await customerOf(waiting),
  };
}

/** A grant with a licence key, and another key whose text is taken. */
async function granted(api: Api, paymentId: string): Promise<{ grant: string; licenseKey: string }> {
  const { grant, licenseKey } = await grantLicense(await payments().get(paymentId));
  const { customerId: customer_id, productId: product_id } = grant;
  await api.call('POST /license_keys', { body: { customer_id, product_id, key: 'REFUSED-FORMS-1' } });
  return { grant: grant.id, licenseKey: licenseKey.id };
}
