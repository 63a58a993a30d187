import type * as z from 'zod';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../domain/rules/rules.ts';
import { keepRule } from './says.ts';

type Issue = z.core.$ZodRawIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Says in plain words what is wrong with a value, if its schema has no message for it. */
export const faultMessage = (issue: Issue): string => keepRule(issue, brokenBy(issue));

function brokenBy(issue: Issue): BrokenRule {
  if (issue.input === undefined) return brokenRule(sentences.required);
  switch (issue.code) {
    case 'invalid_type':
      return brokenRule(sentences.wrong_type, { type: typeNames[issue.expected] ?? 'of another type' });
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_value':
      return issue.values.length === 1
        ? brokenRule(sentences.exactly, { value: String(issue.values[0]) })
        : brokenRule(sentences.one_of, { options: issue.values.join(', ') });
    case 'unrecognized_keys':
      return brokenRule(sentences.unknown_field);
    default:
      return brokenRule(sentences.not_valid);
  }
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): BrokenRule {
  const most = Number(maximum);
  if (origin === 'string') return brokenRule(sentences.too_long, { most });
  if (origin === 'array') return brokenRule(sentences.too_many, { most, entries: 'entries' });
  if (most === Number.MAX_SAFE_INTEGER) return brokenRule(sentences.too_large);
  return brokenRule(inclusive === false ? sentences.below : sentences.at_most, { most });
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): BrokenRule {
  const least = Number(minimum);
  const isCounted = origin === 'string' || origin === 'array';
  if (isCounted && least === 1) return brokenRule(sentences.empty);
  if (origin === 'string') return brokenRule(sentences.too_short, { least });
  if (origin === 'array') return brokenRule(sentences.too_few, { least, entries: 'entries' });
  return brokenRule(inclusive === false ? sentences.above : sentences.at_least, { least });
}
