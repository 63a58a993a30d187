import * as z from 'zod';
import { declarationSources } from '../../domain/withdrawal/declaration.ts';
import { standingReasons } from '../../domain/withdrawal/standing.ts';
import { supplyKinds } from '../../domain/withdrawal/supply.ts';
import { withdrawalOutcomes, withdrawalRefusals, withdrawalStatuses } from '../../domain/withdrawal/withdrawal-case.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, currency, instantText, pageOf, paidAmount, upTo } from '../answers/values.ts';

const Decision = z.strictObject({
  outcome: z
    .enum(withdrawalOutcomes)
    .describe('`ended`: there was nothing to pay back. `closed`: no contract of this shop was found.'),
  reason: z.enum(withdrawalRefusals).nullable().describe('Why it was refused; null if it was not.'),
  note: upTo(1_000).nullable().describe('What the buyer was told. Null: nothing.'),
  decided_by: upTo(100).describe('The member or the key that decided; `automatic` if the stack did.'),
  decided_at: instantText.describe('When it was decided.'),
  refund_id: answeredId('ref').nullable().describe('The refund that it made; null if it made none.'),
});

const Withdrawal = z.strictObject({
  withdrawal_id: answeredId('wdr').describe('The id of the declaration and of everything that follows from it.'),
  business_id: common.business_id,
  payment_id: answeredId('pay').nullable().describe('The order that it is about; null while none was found.'),
  declared_at: instantText.describe('When the declaration was received. This instant decides about the period.'),
  source: z
    .enum(declarationSources)
    .describe('How it came: by the link of the order, from the portal, by the form, or entered by a member.'),
  is_proven: z
    .boolean()
    .describe('Whether it is proven that the buyer of the order declared. A typed address proves nothing.'),
  proven_by: z.enum(['order_link', 'portal', 'mail', 'merchant']).nullable().describe('What proves it; null: nothing.'),
  name: upTo(250).describe('The name that was given.'),
  email: upTo(254).describe('The address that was given for the acknowledgement.'),
  reference: upTo(1_000).describe('What identifies the contract, in the words of the declaration.'),
  lines: z.array(count).max(20).nullable().describe('The positions of the lines, from 0; null: the whole contract.'),
  acknowledgement: z
    .strictObject({
      status: z.enum(['due', 'sent', 'refused', 'none']).describe('`none`: there is no sender or no address.'),
      at: instantText.nullable().describe('When the mail service took the mail.'),
    })
    .describe('The mail that acknowledges the declaration.'),
  status: z
    .enum(withdrawalStatuses)
    .describe(
      'Whether a decision was made. `refund_failed`: its refund has failed since, so it must be decided again. A webhook says what was true when it was made.',
    ),
  due_at: instantText.describe('By when the money must be paid back.'),
  decisions: z.array(Decision).max(10).describe('The decisions, the latest one last.'),
});

const ProposedLine = z.strictObject({
  line: count.describe('The position of the line, from 0.'),
  supply: z.enum(supplyKinds).describe('What the line is in the law: `content` or a `service`.'),
  right: z.enum(['open', 'lost', 'ended_late', 'none']).describe('Whether the buyer could withdraw at that moment.'),
  why: z
    .enum(standingReasons)
    .describe('Why the right stands so. For an open right: the first thing that a loss lacks.'),
  consent: upTo(2_000)
    .nullable()
    .describe('The words of the buyer’s request for an early supply; null: there are none.'),
  consent_at: instantText.nullable().describe('When the buyer gave it.'),
  confirmed_at: instantText.nullable().describe('When the mail service took the confirmation of the contract.'),
  supply_begun_at: instantText.nullable().describe('When the buyer first downloaded, opened or activated it.'),
  refundable: paidAmount.describe('What is left of the line, in minor units.'),
  amount: paidAmount.describe('What goes back by this proposal.'),
  days_used: count.nullable().describe('The used days of a service; null if nothing is kept.'),
  days_paid: count.nullable().describe('Of how many days; null if nothing is kept.'),
});

const Proposal = z.strictObject({
  outcome: z
    .enum(['full_refund', 'part', 'refused', 'nothing_to_pay', 'by_hand', 'wait'])
    .describe(
      '`by_hand`: a person looks first. `wait`: a bank decides first, or a refund is on its way. Nothing is refused by itself.',
    ),
  why: upTo(40).nullable().describe('The reason, such as `unproven`, `right_lost` or `refund_pending`; null: none.'),
  amount: paidAmount.nullable().describe('What goes back, in minor units; null where nothing is proposed.'),
  currency: currency.nullable().describe('The currency of the order.'),
  period_ends_at: instantText.nullable().describe('The last instant of the period of withdrawal.'),
  lines: z.array(ProposedLine).max(20).describe('The lines, each with its right and the proofs.'),
});

const ProposedWithdrawal = z.strictObject({
  ...Withdrawal.shape,
  proposal: Proposal.describe('What the law says about it, with the proofs that there are. A person decides.'),
});

/** The answers of the routes of withdrawals, by their names in the contract. */
export const withdrawalAnswers = {
  Withdrawal,
  ProposedWithdrawal,
  WithdrawalPage: pageOf(Withdrawal),
} as const;
export type WithdrawalAnswer<Name extends keyof typeof withdrawalAnswers> = z.input<(typeof withdrawalAnswers)[Name]>;
