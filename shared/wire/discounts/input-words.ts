import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { discountAnswers } from './discount-answer.ts';

const discount = wordsIn(discountAnswers.Discount);
const code = 'What the buyer types, in any case: 3 to 16 letters, digits, `_` or `-`.';

/** The descriptions of the input fields of discounts. A field that an answer also has gets the same description. */
export const discountInputWords: Readonly<Record<string, WordsByField>> = {
  DiscountInput: { ...discount, code: `${code} Without it, it is random.` },
  DiscountChangeInput: { ...discount, code: `${code} \`null\` keeps it.` },
  DiscountCustomersInput: { ...wordsIn(discountAnswers.DiscountCustomers), emails: 'E-mail addresses of customers.' },
};
