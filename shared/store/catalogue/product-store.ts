import { Product, ProductBrief } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { recordWrite } from '../access/audit-store.ts';
import { entitlementWrite } from '../entitlements/entitlement-store.ts';
import { keys, timeKey } from '../keys.ts';
import { completing, rowParser } from '../table/complete-row.ts';
import { completePage, listPage } from '../table/list.ts';
import { fitted } from '../table/list-row.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';

interface ProductFilter {
  archived: boolean;
  brandId?: string | undefined;
}

export interface ProductStore {
  find(id: string): Promise<Product | undefined>;
  get(id: string): Promise<Product>;
  list(filter: ProductFilter, page: ItemPageRequest): Promise<ItemPage<Product>>;
  /** Lists products without the fields that can be long. */
  listBriefly(filter: ProductFilter, page: ItemPageRequest): Promise<ItemPage<ProductBrief>>;
  /** Reads the names of some products in one call. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Saves a product. `owns` are entitlements that change together with it. */
  save(product: Product, records: readonly CommandRecord[], ...owns: readonly Entitlement[]): Promise<void>;
  /** Saves several products together, or none. */
  saveAll(products: readonly Product[], records: readonly CommandRecord[]): Promise<void>;
}

const attributesOf = (product: Product): Item => ({
  ...keys.product(product.id),
  entity: 'PRODUCT',
  listPk: 'PRODUCT',
  listSk: timeKey(product.createdAt, product.id),
  row: fitted(product, (whole) => ProductBrief.parse(whole)),
});

const productWrite = (product: Product): Write =>
  versionedWrite(product, attributesOf(product), () => new StaleVersion());

const NamedData = Product.pick({ name: true });

const row = rowParser(Product, ProductBrief);

const listRows = (table: Table, { archived, brandId }: ProductFilter, page: ItemPageRequest) => {
  const matches = (product: ProductBrief) => product.archived === archived && (!brandId || product.brandId === brandId);
  return listPage(table, { index: 'list', partition: 'PRODUCT', page, row, matches });
};

export function productStore(table: Table): ProductStore {
  const find = (id: string) => findData(table, keys.product(id), Product);
  const complete = completing(table, {
    keyOf: ({ id }: ProductBrief) => keys.product(id),
    join: (_, data) => Product.parse(data),
  });
  return {
    find,
    get: async (id) => {
      const product = await find(id);
      if (!product) throw notFound('product', id);
      return product;
    },
    list: async (filter, page) => completePage(await listRows(table, filter, page), complete),
    listBriefly: (filter, page) => listRows(table, filter, page),
    names: async (ids) => {
      const item = ids.length > 0 ? await findItems(table, ids.map(keys.product), ['name']) : () => undefined;
      const named = ids.map((id) => ({ id, data: NamedData.safeParse(item(keys.product(id))?.['data']) }));
      return new Map(named.flatMap(({ id, data }) => (data.success ? [[id, data.data.name] as const] : [])));
    },
    save: (product, records, ...owns) =>
      commit(table, [...records.map(recordWrite), productWrite(product), ...owns.map(entitlementWrite)]),
    saveAll: (products, records) => commit(table, [...records.map(recordWrite), ...products.map(productWrite)]),
  };
}
