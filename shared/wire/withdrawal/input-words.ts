import type { WordsByField } from '../answers/words-in.ts';

/** The descriptions of the input fields of withdrawals. */
export const withdrawalInputWords: Readonly<Record<string, WordsByField>> = {
  DecisionInput: {
    outcome:
      '`refund` pays back, `refuse` needs a `reason`, `end` ends a contract without a payment, `close` is for a declaration without a contract.',
    lines: 'What goes back by line. Absent: everything that is left of the declared lines.',
    line: 'The position of the line in the order, from 0.',
    amount: 'What goes back of the line, tax included, in minor units.',
    reason: 'Why it is refused: `right_lost`, `late` or `no_consumer`.',
    note: 'What you write to the buyer. It stands in the mail, and on the credit note.',
  },
};
