import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { discountAnswers } from './discount-answer.ts';

const discount = wordsIn(discountAnswers.Discount);
const code = 'What the buyer types, in any case: 3 to 16 letters, digits, `_` or `-`.';

/** The words for the input fields of discounts: those of answers, or the ones given here. */
export const discountInputWords: Readonly<Record<string, WordsByField>> = {
  DiscountInput: { ...discount, code: `${code} Without it, it is random.` },
  DiscountChangeInput: { ...discount, code: `${code} \`null\` keeps it.` },
  DiscountCustomersInput: { ...wordsIn(discountAnswers.DiscountCustomers), emails: 'E-mail addresses of customers.' },
};
