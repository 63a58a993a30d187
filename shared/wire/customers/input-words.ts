import { wordsIn } from '../answers/words-in.ts';
import { customerAnswers } from './customer-answer.ts';

const customer = wordsIn(customerAnswers.CustomerProfile);

/** What the fields of the inputs of customers mean: as in answers. */
export const customerInputWords = { CustomerInput: customer, CustomerChangeInput: customer };
