import * as z from 'zod';
import { Brands } from '../../domain/catalogue/brand.ts';
import { Discount, DiscountBrief } from '../../domain/discounts/discount.ts';
import { usesOf } from '../../domain/discounts/use-counter.ts';
import type { CountRow } from '../../domain/discounts/use-shard.ts';
import { DomainError, faultAt, notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, timeKey } from '../keys.ts';
import { completing, rowParser } from '../table/complete-row.ts';
import { completePage, listPage } from '../table/list.ts';
import { fitted } from '../table/list-row.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';
import { findCounts, useCountWrites } from './use-rows.ts';
import { type ListedHold, oldestHolds } from './use-store.ts';

/** The row of a code. It names the discount that has the code; null if no discount has it now. */
const CodeRow = z.object({
  code: z.string(),
  discountId: z.string().nullable(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
type CodeRow = z.infer<typeof CodeRow>;

/** A discount, and everything that is written in the same transaction. */
interface DiscountCommit {
  discount: Discount;
  counters: readonly CountRow[];
  /** The former code of a discount that was renamed or deleted. After this, other discounts may use it. */
  freed?: string | undefined;
  /** Whether its code is new and must be reserved. */
  isClaimed: boolean;
}

export interface DiscountStore {
  find(id: string): Promise<Discount | undefined>;
  /** Reads a discount that is not deleted. */
  get(id: string): Promise<Discount>;
  /** Reads the discounts of codes, in the order of the codes; undefined for a code that no discount has. */
  findByCodes(codes: readonly string[]): Promise<(Discount | undefined)[]>;
  counters(id: string): Promise<CountRow[]>;
  /** The oldest reserved use of a discount that these counters show as used up. Undefined if it is not used up. */
  oldestHold(discount: Discount, counters: readonly CountRow[]): Promise<ListedHold | undefined>;
  /** Reads how often each discount was used. */
  uses(ids: readonly string[]): Promise<Map<string, number>>;
  list(matches: (row: DiscountBrief) => boolean, page: ItemPageRequest): Promise<ItemPage<Discount>>;
  save(change: DiscountCommit, records: readonly CommandRecord[]): Promise<void>;
}

const attributesOf = (discount: Discount): Item => ({
  ...keys.discount(discount.id),
  entity: 'DISCOUNT',
  ...(discount.deletedAt === null
    ? {
        listPk: 'DISCOUNT',
        listSk: timeKey(discount.createdAt, discount.id),
        row: fitted(discount, (whole) => DiscountBrief.parse(whole)),
      }
    : {}),
});

const row = rowParser(Discount, DiscountBrief);

export function discountStore(table: Table): DiscountStore {
  const find = (id: string) => findData(table, keys.discount(id), Discount);
  const complete = completing(table, {
    keyOf: ({ id }: DiscountBrief) => keys.discount(id),
    join: (_, data) => Discount.parse(data),
  });
  const counters = async (id: string) => (await findCounts(table, [id])).get(id) ?? [];
  return {
    find,
    get: async (id) => {
      const discount = await find(id);
      if (discount?.deletedAt === null) return discount;
      throw notFound('discount', id);
    },
    findByCodes: (codes) => findByCodes(table, codes),
    counters,
    oldestHold: async ({ id, usageLimit }, rows) =>
      usageLimit === null || usesOf(rows) < usageLimit ? undefined : (await oldestHolds(table, id, 1))[0],
    uses: async (ids) => {
      const found = await findCounts(table, ids);
      return new Map(ids.map((id) => [id, usesOf(found.get(id) ?? [])]));
    },
    list: async (matches, page) =>
      completePage(await listPage(table, { index: 'list', partition: 'DISCOUNT', page, row, matches }), complete),
    save: (change, records) => save(table, change, records),
  };
}

async function findByCodes(table: Table, codes: readonly string[]): Promise<(Discount | undefined)[]> {
  const codeRow = await findItems(table, codes.map(keys.discountCode));
  const ids = codes.map((code) => {
    const item = codeRow(keys.discountCode(code));
    return item ? CodeRow.parse(item['data']).discountId : null;
  });
  const item = await findItems(table, ids.filter((id) => id !== null).map(keys.discount));
  return ids.map((id) => {
    const found = id === null ? undefined : item(keys.discount(id));
    return found && Discount.parse(found['data']);
  });
}

/** Saves a discount in one transaction. It also reserves its code, and writes its limits to every counter. */
async function save(
  table: Table,
  { discount, counters, freed, isClaimed }: DiscountCommit,
  records: readonly CommandRecord[],
): Promise<void> {
  const [claimed, left, counted] = await Promise.all([
    isClaimed ? claimOf(table, discount) : null,
    freed === undefined ? null : releaseOf(table, freed),
    countWrites(table, discount),
  ]);
  const writes = [
    ...records.map(recordWrite),
    ...(claimed ? [claimed] : []),
    ...(left ? [left] : []),
    ...counted,
    versionedWrite(discount, attributesOf(discount), () => new StaleVersion()),
    ...useCountWrites(counters),
  ];
  // During a sale, buyers write the same counters all the time.
  await commit(table, writes, { isEager: true });
}

const findCode = async (table: Table, code: string): Promise<CodeRow> =>
  (await findData(table, keys.discountCode(code), CodeRow)) ?? { code, discountId: null, version: 0 };

const codeWrite = (claimed: CodeRow): Write =>
  versionedWrite(claimed, { ...keys.discountCode(claimed.code), entity: 'CODE' }, () => new StaleVersion());

async function claimOf(table: Table, { id, code }: Discount): Promise<Write> {
  const stored = await findCode(table, code);
  if (stored.discountId === null) return codeWrite({ ...stored, discountId: id });
  throw new DomainError('DISCOUNT_CODE_ALREADY_EXISTS', `Another discount has the code ${code}.`, {
    faults: [faultAt('code', brokenRule(sentences.discount_code_taken))],
  });
}

const releaseOf = async (table: Table, code: string): Promise<Write> =>
  codeWrite({ ...(await findCode(table, code)), discountId: null });

/**
 * The write that increases the number of codes for a new one, and decreases it for a deleted one. The number is in the
 * row of the brands.
 */
async function countWrites(table: Table, { version, deletedAt }: Discount): Promise<Write[]> {
  const change = (version === 0 ? 1 : 0) - (deletedAt === null ? 0 : 1);
  if (change === 0) return [];
  const stored: Brands = (await findData(table, keys.brands(), Brands)) ?? { brands: [], version: 0 };
  const counted = { ...stored, codes: Math.max(0, (stored.codes ?? 0) + change) };
  return [versionedWrite(counted, { ...keys.brands(), entity: 'BRAND' }, () => new StaleVersion())];
}
