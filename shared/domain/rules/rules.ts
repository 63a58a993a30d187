import type * as sentences from './rule-sentences.ts';

/** The values in a rule's sentence, such as limits and words. */
export type RuleValues = Readonly<Record<string, string | number>>;

/** What can be wrong with a request. */
export type Rule = keyof typeof sentences;

/** A rule and its sentence. */
export type Sentence = Readonly<Partial<Record<Rule, string>>>;

/** A rule that a request breaks, and the API's sentence about it. */
export interface BrokenRule {
  rule: Rule;
  values: RuleValues;
  message: string;
}

/** Makes a broken rule. Its sentence contains the values. */
export function brokenRule(sentence: Sentence, values: RuleValues = {}): BrokenRule {
  const [[rule, text]] = Object.entries(sentence) as [[Rule, string]];
  const message = text.replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder));
  return { rule, values, message };
}
