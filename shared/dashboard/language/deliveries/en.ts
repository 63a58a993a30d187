/** What becomes of deliveries of webhooks, on the pages of payments and endpoints. The other languages have the same keys and placeholders. */
export const deliveriesEn = {
  'status.pending': 'pending',
  'status.delivered': 'delivered',
  'status.exhausted': 'exhausted',
  'status.cancelled': 'cancelled',
  'error.timeout': 'timeout',
  'error.connection': 'connection',
  'error.dns': 'dns',
  'error.tls': 'tls',
  'error.blocked': 'blocked',
  'error.status': 'status',
} as const;

export type DeliveriesKey = keyof typeof deliveriesEn;
