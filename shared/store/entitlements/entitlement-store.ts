import * as z from 'zod';
import { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { entitlementTypes } from '../../domain/entitlements/line-entitlement.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, timeKey } from '../keys.ts';
import { completePage, listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';

/** The fields of an entitlement in the index. Its files and metadata are too long for it. */
const EntitlementBrief = z.object({ id: z.string(), name: z.string(), type: z.enum(entitlementTypes) });
export type EntitlementBrief = z.infer<typeof EntitlementBrief>;

export interface EntitlementStore {
  /** Reads an entitlement. It may be deleted, because earlier buyers keep what it gives. */
  find(id: string): Promise<Entitlement | undefined>;
  /** Reads an entitlement that is not deleted. */
  get(id: string): Promise<Entitlement>;
  /** Reads entitlements in one call, including deleted ones. */
  findMany(ids: readonly string[]): Promise<Map<string, Entitlement>>;
  list(matches: (row: EntitlementBrief) => boolean, page: ItemPageRequest): Promise<ItemPage<Entitlement>>;
  save(entitlement: Entitlement, records: readonly CommandRecord[]): Promise<void>;
}

/**
 * The attributes of an entitlement's row. A deleted entitlement is not in the list. An entitlement that was made from
 * the older fields of a product is not in the list either.
 */
function attributesOf({ id, name, config, isActive, productId, createdAt }: Entitlement): Item {
  const row: EntitlementBrief = { id, name, type: config.type };
  const isListed = isActive && productId === undefined;
  return {
    ...keys.entitlement(id),
    entity: 'ENTITLEMENT',
    ...(isListed && { listPk: 'ENTITLEMENT', listSk: timeKey(createdAt, id), row }),
  };
}

/** Writes an entitlement, if it still has the version that was read. */
export const entitlementWrite = (entitlement: Entitlement): Write =>
  versionedWrite(entitlement, attributesOf(entitlement), () => new StaleVersion());

export function entitlementStore(table: Table): EntitlementStore {
  const find = (id: string) => findData(table, keys.entitlement(id), Entitlement);
  const findMany = async (ids: readonly string[]) => {
    if (ids.length === 0) return new Map<string, Entitlement>();
    const item = await findItems(table, ids.map(keys.entitlement));
    const found = ids.map((id) => item(keys.entitlement(id)));
    return new Map(found.flatMap((row) => (row ? [Entitlement.parse(row['data'])] : [])).map((one) => [one.id, one]));
  };
  return {
    find,
    get: async (id) => {
      const entitlement = await find(id);
      if (entitlement?.isActive) return entitlement;
      throw notFound('entitlement', id);
    },
    findMany,
    list: async (matches, page) => {
      const listed = await listPage(table, {
        index: 'list',
        partition: 'ENTITLEMENT',
        page,
        row: EntitlementBrief,
        matches,
      });
      return completePage(listed, async (rows) => {
        const found = await findMany(rows.map(({ id }) => id));
        return rows.map(({ id }) => found.get(id));
      });
    },
    save: (entitlement, records) => commit(table, [...records.map(recordWrite), entitlementWrite(entitlement)]),
  };
}
