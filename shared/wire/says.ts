import type { ErrorCode } from '../domain/errors.ts';
import { type BrokenRule, brokenRule, type RuleValues, type Sentence } from '../domain/rules/rules.ts';

/** The error of a check in a schema: the rule that a value breaks. */
export const says = (sentence: Sentence, values?: RuleValues) => ({
  error: (issue: object): string => keepRule(issue, brokenRule(sentence, values)),
});

/** The error of a check in a schema, with its own code in the API. */
export const saysWith = (code: ErrorCode, sentence: Sentence, values?: RuleValues) => ({
  ...says(sentence, values),
  params: { code },
});

/** Stores a rule in zod's issue, because an issue itself only has a message. */
export function keepRule(issue: object, rule: BrokenRule): string {
  Object.assign(issue, { broken: rule });
  return rule.message;
}

/** The rule that was stored in an issue. Undefined if the schema has only a message. */
export const keptRule = (issue: object): BrokenRule | undefined =>
  'broken' in issue ? (issue.broken as BrokenRule) : undefined;
