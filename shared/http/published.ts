import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { edge } from './edge.ts';
import { compressed, type Page } from './page.ts';
import { presentProblem } from './problem.ts';

/** For how many seconds a client may use its copy without asking again. */
const freshSeconds = 300;

/**
 * A JSON document that all programs and sites may read. A client that already has this version gets a 304 without a
 * body.
 */
export function published(document: object) {
  const body = JSON.stringify(document);
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${freshSeconds}`,
    etag: tag,
    'access-control-allow-origin': '*',
  };
  const answer = (event: APIGatewayProxyEventV2): Page =>
    isKnownTag(event.headers['if-none-match'], tag)
      ? { statusCode: 304, headers, body: '' }
      : { statusCode: 200, headers, body };
  return edge({
    answer: async (event) => compressed(event, answer(event)),
    refuse: (error, event) =>
      compressed(event, presentProblem(error, { path: event.rawPath, requestId: event.requestContext.requestId })),
  });
}

/**
 * Whether the client already has this version, by the tags in its `If-None-Match`. A cache may have marked a tag as
 * weak.
 */
export const isKnownTag = (presented = '', tag: string): boolean =>
  presented.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, '')));
