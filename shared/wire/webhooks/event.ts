import type { Site } from '../../domain/site.ts';
import type { ConfirmedOrder } from '../../domain/withdrawal/confirmation.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { presentExpiredCheckout } from '../checkout/expired-checkout.ts';
import { presentWholeGrant } from '../entitlements/grant.ts';
import { presentWholeKey } from '../entitlements/license.ts';
import { presentPoolNotice } from '../entitlements/pool-notice.ts';
import { presentDispute } from '../payments/dispute.ts';
import { presentPayment } from '../payments/payment.ts';
import { presentRefund } from '../payments/refund.ts';
import { presentThreshold } from '../tax/tax-threshold.ts';
import { presentConfirmation } from '../withdrawal/right.ts';
import { presentWithdrawal } from '../withdrawal/withdrawal.ts';

/** The body of a webhook. It has the object as a GET would have returned it when the change was committed. */
export const freezeEvent =
  (site: Site) =>
  (event: DomainEvent): string => {
    const data = dataOf(site, event);
    const { type, occurredAt: timestamp } = event;
    return JSON.stringify({ business_id: site.businessId, type, timestamp, sequence: event.sequence, data });
  };

function dataOf(site: Site, event: DomainEvent): object {
  const { payment, refund, dispute, threshold, expiry, grant, licenseKey, confirmed, withdrawal, poolNotice } = event;
  if (payment) return { ...presentPayment(site)(payment), payload_type: 'Payment' };
  if (refund) return { ...presentRefund(site)(refund), payload_type: 'Refund' };
  if (dispute) return { ...presentDispute(site)(dispute), payload_type: 'Dispute' };
  if (expiry) return { ...presentExpiredCheckout(site, expiry), payload_type: 'CheckoutSession' };
  if (grant) return { ...presentWholeGrant(site)(grant), payload_type: 'EntitlementGrant' };
  if (confirmed) return presentAccepted(site, confirmed);
  if (withdrawal) return { ...presentWithdrawal(site, withdrawal), payload_type: 'Withdrawal' };
  if (licenseKey) return { ...presentWholeKey(site, licenseKey), payload_type: 'LicenseKey' };
  if (poolNotice) return { ...presentPoolNotice(poolNotice), payload_type: 'CodePool' };
  return { ...presentThreshold(threshold), payload_type: 'TaxThreshold' };
}

const presentAccepted = (site: Site, order: ConfirmedOrder): object => ({
  payment_id: order.id,
  ...presentConfirmation(site)(order, order.confirmed),
  payload_type: 'Confirmation',
});
