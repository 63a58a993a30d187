import type { Charges, Disputes, Refunds } from '../payment-processor.ts';

/** Whether a charge was made with a test card. The sandbox's references begin with the last four digits of the card. */
const isOfTestCard = ({ reference }: { reference: string }): boolean => /^\d{4}_/.test(reference);

/**
 * The smallest step in which the processor of a charge moves money. It is 1 for test cards, even if the stage has a
 * processor now.
 */
export const stepOfCharge = (
  charge: { reference: string; currency: string },
  named: Pick<Charges, 'limits'> | undefined,
): number => (isOfTestCard(charge) ? 1 : (named?.limits(charge.currency)?.step ?? 1));

/**
 * Handles charges in a sandbox that got a processor later. Older charges with test cards are still settled as test
 * cards.
 */
export const chargesBesideTestCards = <Present extends Charges>(present: Present, testCards: Charges): Present => ({
  ...present,
  begin: (attempt, isFirst) => (attempt.card === null ? present : testCards).begin(attempt, isFirst),
  find: (charge, returned) => (isOfTestCard(charge) ? testCards : present).find(charge, returned),
  close: (charge) => (isOfTestCard(charge) ? testCards : present).close(charge),
});

/**
 * Handles refunds in a sandbox that got a processor later. Refunds of older test-card payments still go to the test
 * cards.
 */
export const refundsBesideTestCards = (present: Refunds, testCards: Refunds): Refunds => ({
  repeatableMs: present.repeatableMs,
  refund: (order) => (isOfTestCard(order) ? testCards : present).refund(order),
  findRefund: (order) => (isOfTestCard(order) ? testCards : present).findRefund(order),
  available: (charge) => (isOfTestCard(charge) ? testCards : present).available(charge),
});

/**
 * Handles disputes in a sandbox that got a processor later. Disputes of test cards, whose references begin with `du.`,
 * still go to the test cards.
 */
export const disputesBesideTestCards = (present: Disputes, testCards: Disputes): Disputes => ({
  findDispute: (reference) => (reference.startsWith('du.') ? testCards : present).findDispute(reference),
  disputesOf: (charge) => (isOfTestCard(charge) ? testCards : present).disputesOf(charge),
});
