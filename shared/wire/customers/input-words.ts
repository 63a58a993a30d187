import { wordsIn } from '../answers/words-in.ts';
import { customerAnswers } from './customer-answer.ts';

const customer = wordsIn(customerAnswers.CustomerProfile);

/** The words for the input fields of customers, which are those of answers. */
export const customerInputWords = { CustomerInput: customer, CustomerChangeInput: customer };
