import { notedPayout, type Payout, withPart } from '../../../shared/domain/payouts/payout.ts';
import type { PayoutLine } from '../../../shared/domain/payouts/payout-line.ts';
import { payouts } from '../../../shared/wiring/runtime.ts';

const at = '2026-03-02T06:00:00.000Z';

/** The line of a sale of ours of 40.00, with its fee. */
export const lineOfSale = (paymentId: string, id = `txn_${paymentId}`): PayoutLine => ({
  id,
  kind: 'sale',
  type: 'charge',
  amount: 4_000,
  fee: 85,
  paymentId,
  refundId: null,
  disputeId: null,
  reference: `ch_${paymentId}`,
  original: null,
  note: null,
  createdAt: at,
});

/** Stores a payout with these payments, without a processor: each of 40.00, less 0.85. Returns its id. */
export async function payOutSales(paymentIds: readonly string[], fields: Partial<Payout> = {}): Promise<string> {
  const state = {
    id: 'po_1SaYzT2eZvKYlo2C',
    status: 'in_transit' as const,
    isAutomatic: true,
    isListed: true,
    amount: paymentIds.length * (4_000 - 85),
    currency: 'EUR',
    hasKnownUnit: true,
    destination: 'bank_account',
    arrivesOn: '2026-03-04',
    failure: null,
    createdAt: at,
    ...fields,
  };
  const noted = notedPayout(undefined, state, { processor: 'stripe', now: at });
  if (!noted) throw new Error('A new payout is news.');
  await payouts().save(noted);
  const lines = paymentIds.map((id) => lineOfSale(id));
  await payouts().savePart(withPart({ ...noted, version: 1 }, lines, null), lines);
  return state.id;
}
