import { DomainError } from '../domain/errors.ts';
import { type IdempotencyRecord, StaleVersion } from '../domain/idempotency.ts';
import { Product } from '../domain/product.ts';
import type { Page, PageRequest } from '../wire/page.ts';
import { idempotencyWrite } from './idempotency-store.ts';
import { keys, timeKey } from './keys.ts';
import { listPage } from './list.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { commit, type Item, versionedWrite } from './transaction.ts';

export interface ProductFilter {
  archived: boolean;
  brandId?: string | undefined;
}

export interface ProductStore {
  find(id: string): Promise<Product | undefined>;
  get(id: string): Promise<Product>;
  list(filter: ProductFilter, page: PageRequest): Promise<Page<Product>>;
  save(product: Product, records: readonly IdempotencyRecord[]): Promise<void>;
}

const attributesOf = (product: Product): Item => ({
  ...keys.product(product.id),
  entity: 'PRODUCT',
  listPk: 'PRODUCT',
  listSk: timeKey(product.createdAt, product.id),
  row: product,
});

export function productStore(table: Table): ProductStore {
  const find = (id: string) => findData(table, keys.product(id), Product);
  return {
    find,
    get: async (id) => {
      const product = await find(id);
      if (!product) throw new DomainError('NOT_FOUND', `There is no product ${id}.`);
      return product;
    },
    list: ({ archived, brandId }, page) =>
      listPage(table, {
        index: 'list',
        partition: 'PRODUCT',
        page,
        row: Product,
        matches: (product) => product.archived === archived && (!brandId || product.brandId === brandId),
      }),
    save: (product, records) => {
      const write = versionedWrite(product, attributesOf(product), () => new StaleVersion());
      return commit(table, [...records.map(idempotencyWrite), write]);
    },
  };
}
