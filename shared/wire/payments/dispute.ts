import type { Dispute, DisputeRow } from '../../domain/payments/dispute.ts';
import type { DisputeSummary } from '../../domain/payments/payment.ts';
import type { Site } from '../../domain/site.ts';
import { presentCustomer } from '../customer.ts';

type Listed = DisputeSummary & { paymentId: string; currency: string };

/** A dispute within its payment. The dialect writes its amount, in minor units, as text. */
export const presentDisputeSummary = (site: Site) => (dispute: Listed) => ({
  dispute_id: dispute.id,
  payment_id: dispute.paymentId,
  business_id: site.businessId,
  dispute_status: `dispute_${dispute.status}`,
  dispute_stage: dispute.stage,
  amount: String(dispute.amount),
  currency: dispute.currency,
  created_at: dispute.createdAt,
  is_resolved_by_rdr: null,
  remarks: null,
});

/** A dispute in a list. */
export const presentDisputeItem = (site: Site) => (dispute: DisputeRow) => ({
  ...presentDisputeSummary(site)(dispute),
  payment_provider: 'dodo',
  processor: dispute.processor,
  evidence_due_by: dispute.dueBy,
});

export const presentDispute = (site: Site) => (dispute: Dispute) => ({
  ...presentDisputeItem(site)(dispute),
  brand_id: dispute.brandId,
  customer: presentCustomer(dispute.customer),
  reason: dispute.reason,
  withdrawn_amount: dispute.withdrawn,
  is_refundable: dispute.isRefundable,
  evidence_url: dispute.url,
  updated_at: dispute.updatedAt,
});
