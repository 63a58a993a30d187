import type { Dispute, DisputeRow } from '../../domain/payments/dispute.ts';
import type { DisputeSummary } from '../../domain/payments/payment.ts';
import type { Site } from '../../domain/site.ts';
import { disputeConstants, providerConstants } from '../constants.ts';
import { presentCustomer } from '../customer.ts';
import { presentAdjustment } from './dispute-adjustment.ts';
import type { PaymentAnswer } from './payment-answer.ts';

type Listed = DisputeSummary & { paymentId: string; currency: string };

/** A dispute in the answer about its payment. Its amount is in minor units. The API requires it as text. */
export const presentDisputeSummary =
  (site: Site) =>
  (dispute: Listed): PaymentAnswer<'DisputeSummary'> => ({
    dispute_id: dispute.id,
    payment_id: dispute.paymentId,
    business_id: site.businessId,
    dispute_status: `dispute_${dispute.status}`,
    dispute_stage: dispute.stage,
    amount: String(dispute.amount),
    currency: dispute.currency,
    created_at: dispute.createdAt,
    ...disputeConstants,
  });

/** A dispute in a list. */
export const presentDisputeItem =
  (site: Site) =>
  (dispute: DisputeRow): PaymentAnswer<'DisputeListItem'> => ({
    ...presentDisputeSummary(site)(dispute),
    ...providerConstants,
    processor: dispute.processor,
    evidence_due_by: dispute.dueBy,
  });

export const presentDispute =
  (site: Site) =>
  (dispute: Dispute): PaymentAnswer<'Dispute'> => ({
    ...presentDisputeItem(site)(dispute),
    brand_id: dispute.brandId,
    customer: presentCustomer(dispute.customer),
    reason: dispute.reason,
    withdrawn_amount: dispute.withdrawn,
    is_refundable: dispute.isRefundable,
    evidence_url: dispute.url,
    updated_at: dispute.updatedAt,
    ...(dispute.adjustments && { adjustments: dispute.adjustments.map(presentAdjustment) }),
  });
