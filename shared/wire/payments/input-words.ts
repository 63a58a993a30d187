import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { paymentAnswers } from './payment-answer.ts';

const amount =
  'How much to refund, in minor units: with `tax_inclusive` the gross amount, otherwise the net amount, to which its tax is added.';
const taxInclusive = 'Whether the refund’s amounts are gross. With false, they are net and their tax is added.';

/** The descriptions of the input fields of refunds and disputes. A field that an answer also has gets the same description. */
export const paymentInputWords: Readonly<Record<string, WordsByField>> = {
  AdjustmentInput: {
    ground: wordsIn(paymentAnswers.DisputeAdjustment)['ground'] ?? '',
    replaces: 'The booked ground that this choice changes. Without it, another booked ground is refused.',
  },
  RefundInput: {
    ...wordsIn(paymentAnswers.Refund),
    amount: `${amount} Beside \`items\` it is refused.`,
    tax_inclusive: taxInclusive,
    items: 'Single lines to refund. Null or absent: the whole payment, or `amount` of it.',
    'items.amount': `${amount} Null or absent means everything that is left of the line.`,
    'items.tax_inclusive': taxInclusive,
    currency: 'Must be the currency of the payment, where it is sent.',
    type: '`tax` refunds the whole remaining tax and nothing else.',
    tax_reason:
      'Why no tax is due, for `type` `tax`: `reverse_charge` (not in the European Union, the United Kingdom and Norway, where the tax id of the business corrects the invoice, nor in Switzerland), `exempt` or `place_corrected`. The net moves there in returns.',
    keep_access:
      'Whether the buyer keeps the files, licence keys and flags of the refunded lines, also if a whole line is refunded. Default: false.',
    expected_refundable:
      'What you believe is refundable, in minor units. Another amount is refused, so two people do not refund twice.',
  },
};
