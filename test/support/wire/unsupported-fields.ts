import { type Api, type ApiAnswer, startApi, testMerchant } from '../shop/api.ts';
import { addProduct, fieldGuide } from '../shop/shop.ts';

export interface Case {
  /** The path of the field, as errors and notes name it. */
  field: string;
  /** Values that ask for nothing. */
  nothing: readonly unknown[];
  /** Values that ask for what is not done. */
  something: readonly unknown[];
  /** Its name in notes, if that is another one. */
  noted?: string;
}

const off = [null, false] as const;
const flag = (name: string, fields: Partial<Case> = {}): Case => ({
  field: `feature_flags.${name}`,
  nothing: off,
  something: [true],
  ...fields,
});

const ofSessions: readonly Case[] = [
  {
    field: 'allowed_payment_method_types',
    nothing: [null, [], ['credit'], ['klarna', 'debit']],
    something: [['klarna'], ['apple_pay', 'sepa'], 'credit', true],
  },
  {
    field: 'custom_fields',
    nothing: [null, []],
    something: [[{ key: 'size', label: 'Size', field_type: 'text' }], { any: ['thing'] }],
  },
  { field: 'customization.force_language', nothing: [null], something: ['fr'] },
  { field: 'force_3ds', nothing: off, something: [true] },
  { field: 'show_saved_payment_methods', nothing: off, something: [true] },
  ...[
    'allow_customer_editing_email',
    'allow_editing_addons',
    'allow_phone_number_collection',
    'always_create_new_customer',
    'redirect_immediately',
    'require_cardholder_name',
    'require_phone_number',
    'require_tax_id',
    'single_page',
  ].map((name) => flag(name)),
  flag('allow_tax_id', { nothing: [null, true], something: [false] }),
  flag('a_new_flag', { noted: 'feature_flags' }),
];
const ofProducts: readonly Case[] = [
  { field: 'addons', nothing: [null, []], something: [['adn_1']] },
  { field: 'credit_entitlements', nothing: [null, []], something: [[{ credit_entitlement_id: 'cde_1' }]] },
];
const ofBrands: readonly Case[] = [
  { field: 'statement_descriptor', nothing: [null, 'ATLAS'], something: ['Ā*', '1234'] },
];
const ofWebhooks: readonly Case[] = [{ field: 'rate_limit', nothing: [null], something: [5, 0] }];
const ofCustomers: readonly Case[] = [{ field: 'preferred_locale', nothing: [null], something: ['fr'] }];

/** Every field that version 0.2.0 ignored and that is refused since, at each request that takes it. */
export const unsupportedFields = [
  ...['POST /checkouts', 'POST /checkouts/preview'].flatMap((route) => ofSessions.map((one) => ({ route, ...one }))),
  ...['POST /products', 'PATCH /products'].flatMap((route) => ofProducts.map((one) => ({ route, ...one }))),
  ...['POST /brands', 'PATCH /brands'].flatMap((route) => ofBrands.map((one) => ({ route, ...one }))),
  ...['POST /customers', 'PATCH /customers'].flatMap((route) => ofCustomers.map((one) => ({ route, ...one }))),
  ...['POST /webhooks', 'PATCH /webhooks'].flatMap((route) => ofWebhooks.map((one) => ({ route, ...one }))),
];

/** A shop, and what sends a body with a field to one of these requests. */
export interface FieldShop {
  api: Api;
  send(route: string, field: string, value: unknown): Promise<ApiAnswer>;
}

export async function openFieldShop(strictFields: boolean | undefined): Promise<FieldShop> {
  const api = await startApi({ ...testMerchant, strictFields });
  const product = await addProduct(api);
  const { brand_id } = (await api.call('POST /brands', { body: { name: 'Atlas' } })).body;
  const { customer_id } = (await api.call('POST /customers', { body: { email: 'a@example.com', name: 'A' } })).body;
  const hook = { url: 'https://shop.example/hooks' };
  const { id: webhook } = (await api.call('POST /webhooks', { body: hook })).body;
  const cart = { product_cart: [{ product_id: product, quantity: 1 }], billing_address: { country: 'DE' } };
  const requests: Record<string, () => [string, object]> = {
    'POST /checkouts': () => ['POST /checkouts', cart],
    'POST /checkouts/preview': () => ['POST /checkouts/preview', cart],
    'POST /products': () => ['POST /products', fieldGuide],
    'PATCH /products': () => [`PATCH /products/${product}`, {}],
    'POST /brands': () => ['POST /brands', { name: 'Maps' }],
    'PATCH /brands': () => [`PATCH /brands/${brand_id}`, {}],
    'POST /webhooks': () => ['POST /webhooks', hook],
    'PATCH /webhooks': () => [`PATCH /webhooks/${webhook}`, {}],
    'POST /customers': () => ['POST /customers', { email: 'b@example.com', name: 'B' }],
    'PATCH /customers': () => [`PATCH /customers/${customer_id}`, {}],
  };
  const send = (route: string, field: string, value: unknown) => {
    const [request, body] = requests[route]!();
    const [first = '', second] = field.split('.');
    return api.call(request, { body: { ...body, [first]: second ? { [second]: value } : value } });
  };
  return { api, send };
}

/** The log lines about fields that were left out. */
export const notesIn = (log: readonly string[]) =>
  log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'unsupported fields left out');
