import type * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import type { AnswerName } from './answers.ts';

/** What the contract adds to a line of the route table, besides its method, paths and access. */
export interface ContractOperation {
  /** The path under which it is shown; the others are aliases. Default: the first. */
  path?: string;
  /** A few words, for a menu. */
  summary: string;
  /** What the operation does, and what to know before calling it. */
  description: string;
  /** The schema that parses the body, under the name of its component. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The schema that parses the query. */
  query?: z.ZodType;
  /** What the operation answers with status 200. */
  answer: AnswerName;

  /** The errors besides those that the shape of the request causes. */
  refuses?: readonly ErrorCode[];
  /** The content types of its answers besides JSON. */
  files?: readonly string[];
}

/** The path under which an operation is shown. */
export const shownPath = ({ path }: ContractOperation, [first]: readonly [string, ...string[]]): string =>
  path ?? first;

/** Operations by the function of their route. */
export type Operations = Readonly<Record<string, ContractOperation>>;
