/** The one table: what the stack deploys, the local sandbox creates and the stores query. All keys are strings. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since the epoch after which a row may be removed; nothing relies on its removal. */
  timeToLive: 'ttl',
  /** Sparse indexes; `list` and `customer` carry the list view of an object, so that a page reads no bodies. */
  indexes: {
    list: { partitionKey: 'listPk', sortKey: 'listSk', projected: ['row'] },
    due: { partitionKey: 'duePk', sortKey: 'dueSk', projected: [] },
    customer: { partitionKey: 'customerPk', sortKey: 'customerSk', projected: ['row'] },
  },
} as const;

export type IndexName = keyof typeof tableSchema.indexes;
