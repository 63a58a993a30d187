import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { settingAnswers } from './access-answer.ts';

const registration = wordsIn(settingAnswers.TaxRegistration);

/**
 * The descriptions of the input fields of keys and tax rules. A field that an answer also has gets the same
 * description.
 */
export const settingInputWords: Readonly<Record<string, WordsByField>> = {
  ApiKeyInput: {
    ...wordsIn(settingAnswers.ApiKey),
    name: 'A name to recognize the key by.',
    'daily_refund_limit.currency':
      'The currency of the daily refund limit. The key then refunds payments in this currency only.',
    expires_at:
      'When it expires, at the latest with the key that creates it. Left out or null: with that key, or never where that key never does.',
  },
  RegistrationInput: registration,
  RegistrationChange: registration,
  OverrideInput: {
    ...wordsIn(settingAnswers.TaxOverride),
    customer_id: 'Exempts this customer only. Needs `certificate`.',
  },
};
