import { wordsIn } from '../answers/words-in.ts';
import { customerAnswers } from './customer-answer.ts';

const customer = {
  ...wordsIn(customerAnswers.CustomerProfile),
  preferred_locale:
    'Not supported: mails are in the language in which the buyer paid, or which the buyer chose in the portal.',
};

/** The descriptions of the input fields of customers. They are the same as in answers. */
export const customerInputWords = { CustomerInput: customer, CustomerChangeInput: customer };
