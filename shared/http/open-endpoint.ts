import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { parseInput } from '../wire/parse.ts';
import { edge } from './edge.ts';
import { sourceOf } from './origin.ts';
import { type HttpResponse, presentProblem } from './problem.ts';
import { readJson } from './request/json-body.ts';

/** The header that lets pages of every origin read the answer. These endpoints use no cookie and no key. */
export const anyOrigin = { 'access-control-allow-origin': '*' } as const;

interface OpenRequest<Body> {
  body: Body;
  /** The network of the caller, for which failures are counted and limited. */
  source: string;
  /** The Idempotency-Key of the request; undefined if it has none. */
  idempotencyKey: string | undefined;
}

interface OpenOptions<Body, Result> {
  body: z.ZodType<Body>;
  present: (result: Result) => unknown;
}

/**
 * Creates the handler of an endpoint that programs on buyers' machines call without an API key. A key in the request is
 * ignored.
 */
export const openEndpoint = <Body, Result>(
  { body: schema, present }: OpenOptions<Body, Result>,
  act: (request: OpenRequest<Body>) => Promise<Result>,
) =>
  edge<HttpResponse>({
    answer: async (event) => {
      const body = parseInput(schema, readJson(event));
      return answered(present(await act({ body, source: sourceOf(event), idempotencyKey: keyOf(event) })));
    },
    refuse: (error, event) => {
      const { rawPath: path, requestContext } = event;
      return withAnyOrigin(presentProblem(error, { path, requestId: requestContext.requestId }));
    },
  });

const keyOf = ({ headers }: APIGatewayProxyEventV2): string | undefined => headers['idempotency-key'] || undefined;

const answered = (value: unknown): HttpResponse =>
  withAnyOrigin({
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  });

const withAnyOrigin = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...anyOrigin },
});
