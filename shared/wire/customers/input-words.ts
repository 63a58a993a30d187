import { wordsIn } from '../answers/words-in.ts';
import { customerAnswers } from './customer-answer.ts';

const customer = {
  ...wordsIn(customerAnswers.CustomerProfile),
  preferred_locale: 'Not supported: mails are in the language in which the buyer paid.',
};

/** The words for the input fields of customers, which are those of answers. */
export const customerInputWords = { CustomerInput: customer, CustomerChangeInput: customer };
