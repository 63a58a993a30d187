import type * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import type { AnswerName } from './answers.ts';

/** What the contract says of one line of the route table, beyond its method, paths and access. */
export interface ContractOperation {
  /** Under which of its paths it is shown; the others are aliases. Absent: under the first. */
  path?: string;
  /** A few words, for a menu. */
  summary: string;
  /** What it does, and what to know before calling it. */
  description: string;
  /** The schema that parses the body, under the name of its component. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The schema that parses the query. */
  query?: z.ZodType;
  /** What it answers with 200. */
  answer: AnswerName;

  /** What it refuses beyond the form of the request. */
  refuses?: readonly ErrorCode[];
  /** What else than JSON it answers with. */
  files?: readonly string[];
}

/** The path under which an operation is shown. */
export const shownPath = ({ path }: ContractOperation, [first]: readonly [string, ...string[]]): string =>
  path ?? first;

/** Operations by the function of their route. */
export type Operations = Readonly<Record<string, ContractOperation>>;
