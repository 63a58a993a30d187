import * as z from 'zod';
import { declarationSources } from '../../domain/withdrawal/declaration.ts';
import { withdrawalOutcomes, withdrawalRefusals } from '../../domain/withdrawal/withdrawal-case.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, instantText, pageOf, upTo } from '../answers/values.ts';

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
      status: z.enum(['due', 'sent', 'refused', 'none']).describe('`none`: the stack sends no mail.'),
      at: instantText.nullable().describe('When the mail service took the mail.'),
    })
    .describe('The mail that acknowledges the declaration.'),
  status: z.enum(['declared', 'decided']).describe('Whether a decision was made.'),
  due_at: instantText.describe('By when the money must be paid back.'),
  decisions: z.array(Decision).max(10).describe('The decisions, the latest one last.'),
});

/** The answers of the routes of withdrawals, by their names in the contract. */
export const withdrawalAnswers = { Withdrawal, WithdrawalPage: pageOf(Withdrawal) } as const;
export type WithdrawalAnswer<Name extends keyof typeof withdrawalAnswers> = z.input<(typeof withdrawalAnswers)[Name]>;
