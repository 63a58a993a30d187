import type * as z from 'zod';
import { normalizeEmail } from '../../../../shared/domain/checkout/buyer.ts';
import type { catalogueAnswers } from '../../../../shared/wire/catalogue/product-answer.ts';
import type { customerAnswers } from '../../../../shared/wire/customers/customer-answer.ts';
import type { discountAnswers } from '../../../../shared/wire/discounts/discount-answer.ts';
import type { licenseAnswers } from '../../../../shared/wire/entitlements/license-answer.ts';
import type { ApiCaller, Query } from '../api.ts';
import { NotHappened } from '../failures.ts';
import { itemsOf } from '../listing.ts';
import { type ImportedShop, type ImportKind, importIdOf, type ShopItem } from './shop.ts';

/** An object of the stack that an item of the shop would double. */
export interface Known {
  id: string;
  /** Whether the product is archived, or the licence key disabled. */
  isEnded?: boolean;
}

/** What the stack has already, by what an item of the shop would double. */
export type Stock = Readonly<Record<ImportKind, Map<string, Known>>>;

/** What two prices of one product must not share. */
export const priceNameOf = (productId: string, { currency, country_code: country }: ShopItem['body']): string =>
  `${productId} ${currency} ${country ?? ''}`;

/** By what the object of an item is found: the ids, codes, addresses and texts that exist only once. */
export function findKnown(stock: Stock, item: ShopItem, productId: string | undefined): Known | undefined {
  const known = stock[item.kind];
  const { kind, id, body } = item;
  if (kind === 'price') return productId === undefined ? undefined : known.get(priceNameOf(productId, body));
  if (kind === 'licence key') return known.get(String(body['key']));
  if (kind === 'product') return known.get(id);
  return known.get(id) ?? known.get(kind === 'discount' ? codeOf(body['code']) : addressOf(body['email']));
}

/** The key of a code in the stock. No id looks like it. */
const codeOf = (code: unknown): string => `code ${String(code).toUpperCase()}`;

/** The key of an e-mail address in the stock. No id looks like it. */
export const addressOf = (email: unknown): string => `address ${normalizeEmail(String(email))}`;

type Product = z.infer<typeof catalogueAnswers.ProductListItem>;
type PriceList = z.infer<typeof catalogueAnswers.LocalizedPriceList>;
type Discount = z.infer<typeof discountAnswers.Discount>;
type Customer = z.infer<typeof customerAnswers.CustomerProfile>;
type Key = z.infer<typeof licenseAnswers.LicenseKey>;

/** Reads what the stack has, as far as the shop could double it. */
export async function readStock(api: ApiCaller, { source, items }: ImportedShop): Promise<Stock> {
  const products = [...(await productsOf(api, source, 'false')), ...(await productsOf(api, source, 'true'))];
  const product = new Map(products);
  const priced = items.filter(({ kind }) => kind === 'price').map(({ products: [id = ''] = [] }) => id);
  const hasKeys = items.some(({ kind }) => kind === 'licence key');
  return {
    product,
    price: await pricesOf(
      api,
      [...new Set(priced)].flatMap((id) => product.get(id)?.id ?? []),
    ),
    discount: new Map(
      (await everyItem<Discount>(api, '/discounts')).flatMap(({ discount_id: id, metadata, code }) =>
        named([importIdOf(metadata, source), codeOf(code)], { id }),
      ),
    ),
    customer: new Map(
      (await everyItem<Customer>(api, '/customers')).flatMap(({ customer_id: id, metadata, email }) =>
        named([importIdOf(metadata, source), addressOf(email)], { id }),
      ),
    ),
    'licence key': hasKeys ? await keysOf(api) : new Map(),
  };
}

const everyItem = async <Item>(api: ApiCaller, path: string, query: Query = {}) =>
  (await itemsOf(api, path, query, Number.MAX_SAFE_INTEGER)) as Item[];

/** The names by which an object is found. */
const named = (names: readonly (string | undefined)[], known: Known): [string, Known][] =>
  names.flatMap((name) => (name === undefined ? [] : [[name, known]]));

async function productsOf(api: ApiCaller, source: string, archived: 'true' | 'false'): Promise<[string, Known][]> {
  const products = await everyItem<Product>(api, '/products', { archived });
  return products.flatMap(({ product_id: id, metadata }) =>
    named([importIdOf(metadata, source)], { id, isEnded: archived === 'true' }),
  );
}

async function pricesOf(api: ApiCaller, productIds: readonly string[]): Promise<Map<string, Known>> {
  const prices = new Map<string, Known>();
  for (const productId of productIds) {
    const { items } = await api.get<PriceList>(`/products/${productId}/localized-prices`);
    for (const price of items) prices.set(priceNameOf(productId, price), { id: price.id });
  }
  return prices;
}

async function keysOf(api: ApiCaller): Promise<Map<string, Known>> {
  const keys = await everyItem<Key>(api, '/license_keys');
  if (keys.some(({ key }) => key.startsWith('••••')))
    throw new NotHappened('Licence keys are compared with those that exist, so it needs an API key that may write.');
  return new Map(keys.map(({ id, key, status }) => [key, { id, isEnded: status === 'disabled' }]));
}
