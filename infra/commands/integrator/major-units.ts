import { isCurrency } from '../../../shared/domain/money/currency.ts';
import * as sentences from '../../../shared/domain/rules/rule-sentences.ts';
import type { Rule } from '../../../shared/domain/rules/rules.ts';
import { moneyText } from './money.ts';

/** The API's sentences that have amounts, with the names of these amounts. */
const amountsIn: Partial<Record<Rule, readonly string[]>> = {
  amount_minimum: ['least'],
  amount_minimum_or_zero: ['least'],
  amount_maximum: ['most'],
  total_minimum: ['least', 'total'],
  charge_minimum: ['least', 'step', 'total'],
  charge_maximum: ['most', 'step', 'total'],
  discount_minimum: ['least'],
  price_suggested: ['minimum'],
  refund_changed: ['refundable', 'expected'],
  refund_line_high: ['most'],
  refund_high: ['most'],
  refund_step_near: ['step', 'amount', 'near'],
  refund_step: ['step', 'amount'],
  refund_limit: ['most', 'left'],
  correction_step: ['step', 'tax'],
};

/** The limits of an amount that is too large have the sentence of all limits. */
const amountsOfSize = { range: ['least', 'most'] };

const placeholder = /\{(\w+)\}/g;

/** A pattern for what the API makes from a sentence. Its groups have the names of the values. */
function patternOf(sentence: string): RegExp {
  const [first = '', ...others] = sentence.split(placeholder).map((part) => part.replace(/[.()]/g, '\\$&'));
  const parts = others.map((part, at) => (at % 2 === 0 ? `(?<${part}>\\d+(?: or \\d+)?|[A-Z]{3})` : part));
  return new RegExp(first + parts.join(''), 'g');
}

/** The sentence without the words that say that its amounts are in minor units, and without a currency after an amount. */
const plainSentence = (sentence: string): string =>
  sentence
    .replace(/ \(\{currency\}, minor units\)|,? (in )?minor units( of \{currency\})?/g, '')
    .replace(/(\{\w+\}) \{currency\}/g, '$1');

/**
 * Writes the amounts in a refusal as the command line takes them: `1999` → `19.99 EUR`. It reads the amounts back with
 * the sentence from which the API made the message. A message without a currency stays as it is.
 */
export function inMajorUnits(
  message: string,
  { code, currency }: { code: string; currency?: string | undefined },
): string {
  const rules = Object.entries({ ...amountsIn, ...(code === 'INTEGER_CONVERSION_FAILURE' && amountsOfSize) });
  const all = sentences as unknown as Record<string, Record<string, string>>;
  return rules.reduce((text, [rule, amounts]) => {
    const sentence = all[rule]?.[rule] ?? '';
    return text.replace(patternOf(sentence), (whole, ...rest) => {
      const values = rest.at(-1) as Record<string, string>;
      const unit = values['currency'] ?? currency ?? '';
      if (!isCurrency(unit)) return whole;
      return plainSentence(sentence).replace(placeholder, (_, name: string) => {
        const value = values[name] ?? '';
        return amounts.includes(name) ? value.replace(/\d+/g, (one) => moneyText(Number(one), unit)) : value;
      });
    });
  }, message);
}
