import type { DeliveriesKey } from './en.ts';

export const deliveriesFr: Readonly<Record<DeliveriesKey, string>> = {
  'status.pending': 'en attente',
  'status.delivered': 'livré',
  'status.exhausted': 'abandonné',
  'status.cancelled': 'annulé',
  'error.timeout': 'délai dépassé',
  'error.connection': 'échec de connexion',
  'error.dns': 'erreur DNS',
  'error.tls': 'erreur TLS',
  'error.blocked': 'adresse bloquée',
  'error.status': 'erreur de statut',
};
