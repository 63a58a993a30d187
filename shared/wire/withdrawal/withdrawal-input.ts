import * as z from 'zod';
import { withdrawalRefusals, withdrawalStatuses } from '../../domain/withdrawal/withdrawal-case.ts';
import { onePaging, pageFields } from '../page.ts';
import { text } from '../text/texts.ts';
import { idOf, MoneyAmount } from '../values.ts';

export const WithdrawalQuery = onePaging(
  z.strictObject({
    ...pageFields,
    payment_id: idOf('pay').optional(),
    status: z.enum(withdrawalStatuses).optional(),
  }),
);

/** The body of `POST /withdrawals/{withdrawal_id}/decide`. */
export const DecisionInput = z
  .strictObject({
    outcome: z.enum(['refund', 'refuse', 'end', 'close']),
    lines: z
      .array(z.strictObject({ line: z.int().min(0).max(19), amount: MoneyAmount }))
      .min(1)
      .max(20)
      .nullish(),
    reason: z.enum(withdrawalRefusals).nullish(),
    note: text(1, 1_000).nullish(),
  })
  .refine(({ outcome, reason }) => outcome !== 'refuse' || reason, {
    path: ['reason'],
    message: 'is needed to refuse',
  })
  .transform(({ outcome, lines, reason, note }) => ({
    outcome,
    lines: lines ?? null,
    reason: reason ?? null,
    note: note ?? null,
  }));
