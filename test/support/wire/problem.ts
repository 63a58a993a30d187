import { expect } from 'vitest';
import type { ApiAnswer } from '../shop/api.ts';
import { problemMembers } from './problem-members.ts';

/** Asserts a complete `application/problem+json` with this status and code, without internal details. */
export function expectProblem(answer: ApiAnswer, status: number, code: string, param?: string | null): void {
  expect({ status: answer.status, code: answer.body.code, param: answer.body.param, text: answer.text }).toEqual({
    status,
    code,
    param: param === undefined ? answer.body.param : param,
    text: answer.text,
  });
  expectConforming(answer);
}

/** Asserts the properties that all answers except 200 share. */
function expectConforming({ status, headers, body, text }: ApiAnswer): void {
  expect(headers['content-type']).toBe('application/problem+json');
  expect(Object.keys(body)).toEqual(expect.arrayContaining(problemMembers));
  expect(body).toMatchObject({ status, message: body.detail, type: typeOf(body.code), errors: expect.any(Array) });
  expect(body.message).toEqual(expect.any(String));
  expect(body.param).toBe(body.errors[0]?.path || null);
  expect(text).not.toMatch(/node_modules|\.ts:|\bat [A-Za-z.]+ \(/);
  if (status === 409) expect(headers['x-should-retry']).toMatch(/^(true|false)$/);
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
}

const typeOf = (code: string): string => `urn:tillstack:problem:${code.toLowerCase().replaceAll('_', '-')}`;
