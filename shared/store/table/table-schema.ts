/** The one table: what the stack deploys, the local sandbox creates and the stores query. All keys are strings. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since the epoch after which a row may be removed. Nothing depends on the removal. */
  timeToLive: 'ttl',
  /** Sparse indexes; `list` and `customer` carry an object's list view, so a page reads no whole objects. */
  indexes: {
    list: { partitionKey: 'listPk', sortKey: 'listSk', projected: ['row'] },
    due: { partitionKey: 'duePk', sortKey: 'dueSk', projected: [] },
    customer: { partitionKey: 'customerPk', sortKey: 'customerSk', projected: ['row'] },
  },
} as const;

export type IndexName = keyof typeof tableSchema.indexes;
