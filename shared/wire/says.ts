import type { ErrorCode } from '../domain/errors.ts';
import { type BrokenRule, brokenRule, type RuleValues, type Sentence } from '../domain/rules/rules.ts';

/** What a check of a schema says: the rule that a value breaks. */
export const says = (sentence: Sentence, values?: RuleValues) => ({
  error: (issue: object): string => keepRule(issue, brokenRule(sentence, values)),
});

/** The same for a fault with its own code in the dialect. */
export const saysWith = (code: ErrorCode, sentence: Sentence, values?: RuleValues) => ({
  ...says(sentence, values),
  params: { code },
});

/** Keeps a rule at zod's issue, which only has room for a message. */
export function keepRule(issue: object, rule: BrokenRule): string {
  Object.assign(issue, { broken: rule });
  return rule.message;
}

/** The rule that was kept at an issue; undefined if its schema says a sentence. */
export const keptRule = (issue: object): BrokenRule | undefined =>
  'broken' in issue ? (issue.broken as BrokenRule) : undefined;
