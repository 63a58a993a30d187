import type { Site } from '../../domain/site.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { presentPayment } from '../payments/payment.ts';
import { presentRefund } from '../payments/refund.ts';

/** The body of a webhook: the object as GET would have returned it when the change was committed. */
export const freezeEvent =
  (site: Site) =>
  (event: DomainEvent): string => {
    const data = event.payment
      ? { ...presentPayment(site)(event.payment), payload_type: 'Payment' }
      : { ...presentRefund(site)(event.refund), payload_type: 'Refund' };
    const { type, occurredAt: timestamp } = event;
    return JSON.stringify({ business_id: site.businessId, type, timestamp, sequence: event.sequence, data });
  };
