import type * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import type { AnswerName } from './answers.ts';

/** The parts that the contract adds to a line of the route table, besides its method, paths and access. */
export interface ContractOperation {
  /** The path under which the contract shows it. Its other paths are aliases. By default, it is the first path. */
  path?: string;
  /** A name of a few words, for menus. */
  summary: string;
  /** What the operation does, and what a caller should know before. */
  description: string;
  /** The schema that parses the body, with the name of its component. */
  body?: Readonly<Record<string, z.ZodType>>;
  /** The schema that parses the query. */
  query?: z.ZodType;
  /** The name of the answer with status 200. */
  answer: AnswerName;

  /** The possible errors, apart from those that follow from the form of the request. */
  refuses?: readonly ErrorCode[];
  /** The content types of its answers, apart from JSON. */
  files?: readonly string[];
}

/** The path under which an operation is shown. */
export const shownPath = ({ path }: ContractOperation, [first]: readonly [string, ...string[]]): string =>
  path ?? first;

/** Operations by the function of their route. */
export type Operations = Readonly<Record<string, ContractOperation>>;
