import type { Charges, Disputes, Refunds } from '../payment-processor.ts';

/** The sandbox's references begin with the last four digits of the test card. */
const isOfTestCard = ({ reference }: { reference: string }): boolean => /^\d{4}_/.test(reference);

/** The step in which a charge's processor moves money. It is 1 for test cards, even if the stage names a processor now. */
export const stepOfCharge = (
  charge: { reference: string; currency: string },
  named: Pick<Charges, 'limits'> | undefined,
): number => (isOfTestCard(charge) ? 1 : (named?.limits(charge.currency)?.step ?? 1));

/**
 * Handles older payments by test card in a sandbox that has since named a processor: they are settled as test cards.
 */
export const chargesBesideTestCards = <Present extends Charges>(present: Present, testCards: Charges): Present => ({
  ...present,
  begin: (attempt, isFirst) => (attempt.card === null ? present : testCards).begin(attempt, isFirst),
  find: (charge, returned) => (isOfTestCard(charge) ? testCards : present).find(charge, returned),
  close: (charge) => (isOfTestCard(charge) ? testCards : present).close(charge),
});

/** Does the same for refunds. */
export const refundsBesideTestCards = (present: Refunds, testCards: Refunds): Refunds => ({
  repeatableMs: present.repeatableMs,
  refund: (order) => (isOfTestCard(order) ? testCards : present).refund(order),
  findRefund: (order) => (isOfTestCard(order) ? testCards : present).findRefund(order),
  available: (charge) => (isOfTestCard(charge) ? testCards : present).available(charge),
});

/** Does the same for disputes. Their references name the payment. */
export const disputesBesideTestCards = (present: Disputes, testCards: Disputes): Disputes => ({
  findDispute: (reference) => (reference.startsWith('du.') ? testCards : present).findDispute(reference),
  disputesOf: (charge) => (isOfTestCard(charge) ? testCards : present).disputesOf(charge),
});
