import type { DeliveriesKey } from './en.ts';

export const deliveriesDe: Readonly<Record<DeliveriesKey, string>> = {
  'status.pending': 'ausstehend',
  'status.delivered': 'zugestellt',
  'status.exhausted': 'aufgegeben',
  'status.cancelled': 'abgebrochen',
  'error.timeout': 'Zeitüberschreitung',
  'error.connection': 'Verbindungsfehler',
  'error.dns': 'DNS-Fehler',
  'error.tls': 'TLS-Fehler',
  'error.blocked': 'gesperrte Adresse',
  'error.status': 'Statusfehler',
};
