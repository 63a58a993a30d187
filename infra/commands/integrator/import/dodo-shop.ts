import * as z from 'zod';
import type { ApiCaller, Query } from '../api.ts';
import { addDodoDiscount } from './dodo-discount.ts';
import { addDodoProduct, dodo } from './dodo-product.ts';
import { DodoCustomer, DodoDiscount, DodoKey, DodoListedProduct } from './dodo-shapes.ts';
import { type ImportedShop, markOf } from './shop.ts';
import { ShopCollection } from './shop-collection.ts';

const pageSize = 100;

interface ReadOptions {
  now: Date;
  /** Is called with what has been read. */
  note(text: string): void;
}

/**
 * Reads all pages of a list. Pages are numbered from 0, and an empty one is the last. A source that answers the same page
 * again has no other.
 */
async function everyItem<Item>(api: ApiCaller, path: string, schema: z.ZodType<Item>, query: Query = {}) {
  const page = z.looseObject({ items: z.array(schema) });
  const found: Item[] = [];
  let last = '';
  for (let number = 0; ; number += 1) {
    const { items } = page.parse(await api.get(path, { ...query, page_size: pageSize, page_number: number }));
    const text = JSON.stringify(items);
    if (items.length === 0 || (text === last && number > 1)) return found;
    if (text !== last) found.push(...items);
    last = text;
  }
}

/** Reads the shop of a business at Dodo Payments. */
export async function readDodoShop(api: ApiCaller, { now, note }: ReadOptions): Promise<ImportedShop> {
  const collection = new ShopCollection(dodo);
  const discounts = await readProducts(api, collection).then(() => everyItem(api, '/discounts', DodoDiscount));
  note(`${collection.shop.items.length + collection.shop.leftOut.length} products and prices read`);
  for (const discount of discounts)
    if (collection.isNew('discount', discount.discount_id)) addDodoDiscount(collection, discount, now);
  const customers = await everyItem(api, '/customers', DodoCustomer);
  for (const customer of customers)
    if (collection.isNew('customer', customer.customer_id)) addCustomer(collection, customer);
  note(`${discounts.length} discounts and ${customers.length} customers read`);
  const addresses = new Map(customers.map(({ customer_id: id, email }) => [id, email]));
  const keys = await everyItem(api, '/license_keys', DodoKey);
  for (const key of keys) if (collection.isNew('licence key', key.id)) addKey(collection, key, addresses);
  note(`${keys.length} licence keys read`);
  return collection.shop;
}

async function readProducts(api: ApiCaller, collection: ShopCollection): Promise<void> {
  for (const archived of ['false', 'true'])
    for (const listed of await everyItem(api, '/products', DodoListedProduct, { archived }))
      if (collection.isNew('product', listed.product_id))
        await addDodoProduct(api, collection, listed, archived === 'true');
}

function addCustomer(collection: ShopCollection, { customer_id: id, email, ...customer }: DodoCustomer): void {
  collection.add({
    kind: 'customer',
    id,
    body: {
      email,
      name: customer.name || email,
      phone_number: customer.phone_number,
      metadata: { ...customer.metadata, ...markOf(dodo, id) },
    },
  });
}

function addKey(collection: ShopCollection, key: DodoKey, addresses: ReadonlyMap<string, string>): void {
  const named = { kind: 'licence key' as const, id: key.id };
  const email = addresses.get(key.customer_id);
  if (email === undefined) {
    collection.leaveOut(named, `the source has no customer ${key.customer_id}.`);
    return;
  }
  if (key.instances_count)
    collection.note(named, `is active on ${key.instances_count} devices, which activate it again.`);
  collection.add({
    ...named,
    products: [key.product_id],
    email,
    isEnded: key.status === 'disabled',
    body: { key: key.key, activations_limit: key.activations_limit, expires_at: key.expires_at },
  });
}
