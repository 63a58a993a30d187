import * as z from 'zod';
import { adviceFor } from './advice.ts';
import { inMajorUnits } from './major-units.ts';

/** An error response of the API, `application/problem+json`. */
export const Problem = z.looseObject({
  code: z.string(),
  message: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  request_id: z.string().nullish(),
});
export type Problem = z.infer<typeof Problem>;

interface RefusingAnswer {
  status: number;
  /** The error response; undefined if the response is not from Tillstack. */
  problem: Problem | undefined;
  retryAfterSeconds: number;
  shouldRetry: boolean;
  /** The currency of the request; undefined if it has none. */
  currency?: string | undefined;
}

/** Thrown if the API answered with an error. */
export class ApiRefusal extends Error {
  readonly answer: RefusingAnswer;

  constructor(request: string, answer: RefusingAnswer) {
    super(describe(request, answer));
    this.answer = answer;
  }

  get code(): string | undefined {
    return this.answer.problem?.code;
  }
}

/** Thrown if the API could not be reached, or did not answer in time. */
export class UnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`${url} does not answer (${reasonOf(cause)}). Is the address correct, and is the stack running?`, { cause });
  }
}

/** Thrown if the event that the command should cause did not happen. */
export class NotHappened extends Error {}

/** The error code of the system, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return cause?.code || cause?.message || message;
}

function describe(request: string, { status, problem, currency }: RefusingAnswer): string {
  if (problem === undefined)
    return `${request} was answered with ${status}, but not by Tillstack. Is the address that of a stack?`;
  const { code, message, errors, request_id: requestId } = problem;
  const said = (text: string) => inMajorUnits(text, { code, currency });
  const others = errors.slice(1).map(({ path, message: fault }) => `  ${path}: ${said(fault)}`);
  const advice = adviceFor(status, code);
  return [
    said(message),
    ...others,
    `  ${request} was answered with ${status} ${code}.`,
    ...(advice ? [`  What to do: ${advice}`] : []),
    ...(requestId ? [`  Request id: ${requestId}`] : []),
  ].join('\n');
}

/**
 * The exit code for a failure. 1: the API refused, or the event did not happen. 3: the key is wrong. 4: the API was not
 * reached.
 */
export function exitCodeFor(failure: unknown): 1 | 3 | 4 {
  if (failure instanceof UnreachableError) return 4;
  if (!(failure instanceof ApiRefusal)) return 1;
  const { status } = failure.answer;
  if (status === 401 || status === 403) return 3;
  return status >= 500 ? 4 : 1;
}
