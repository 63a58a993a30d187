import type { DeliveriesKey } from './en.ts';

export const deliveriesEs: Readonly<Record<DeliveriesKey, string>> = {
  'status.pending': 'pendiente',
  'status.delivered': 'entregado',
  'status.exhausted': 'agotado',
  'status.cancelled': 'cancelado',
  'error.timeout': 'tiempo agotado',
  'error.connection': 'error de conexión',
  'error.dns': 'error de DNS',
  'error.tls': 'error de TLS',
  'error.blocked': 'dirección bloqueada',
  'error.status': 'error de estado',
};
