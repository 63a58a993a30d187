/** What becomes of deliveries of webhooks, on the pages of payments and endpoints. The other languages have the same keys and placeholders. */
export const deliveriesEn = {
  'status.pending': 'pending',
  'status.delivered': 'delivered',
  'status.exhausted': 'exhausted',
  'status.cancelled': 'cancelled',
  'error.timeout': 'timed out',
  'error.connection': 'no connection',
  'error.dns': 'unknown host',
  'error.tls': 'TLS error',
  'error.blocked': 'address not allowed',
  'error.status': 'refused',
} as const;

export type DeliveriesKey = keyof typeof deliveriesEn;
