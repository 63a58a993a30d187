/**
 * The schema of the one table. The stack deploys it, the local sandbox creates it, and the stores query it. All keys
 * are strings.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * The attribute with the time after which a row may be removed, in seconds since the epoch. Nothing depends on the
   * removal.
   */
  timeToLive: 'ttl',
  /** Sparse indexes. `list` and `customer` hold the list view of an object, so a page does not read whole objects. */
  indexes: {
    list: { partitionKey: 'listPk', sortKey: 'listSk', projected: ['row'] },
    due: { partitionKey: 'duePk', sortKey: 'dueSk', projected: [] },
    customer: { partitionKey: 'customerPk', sortKey: 'customerSk', projected: ['row'] },
  },
} as const;

export type IndexName = keyof typeof tableSchema.indexes;
