import type * as z from 'zod';

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

/** Says in plain words what is wrong with a value, if its schema has no message. */
export function faultMessage(issue: Issue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? 'of another type'}`;
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    default:
      return 'is not valid';
  }
}

/** What the length of a value counts. */
const units: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  const unit = units[origin];
  if (unit) return `must have at most ${maximum} ${unit}`;
  if (maximum === Number.MAX_SAFE_INTEGER) return 'is too large';
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  const unit = units[origin];
  if (unit) return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`;
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
}
