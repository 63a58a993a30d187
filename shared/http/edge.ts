import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type ApiKey, apiKeyIdOf } from '../domain/access/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import { describeError, logError, logInfo, namedIds } from '../log.ts';
import { refuseDirectCall } from './origin.ts';
import { type HttpResponse, ruleOf, toDomainError } from './problem.ts';

interface Face<Response extends HttpResponse> {
  answer: (event: APIGatewayProxyEventV2) => Promise<Response>;
  /** The response to a request that failed. */
  refuse: (error: unknown, event: APIGatewayProxyEventV2) => Response;
}

/** Ends a request shortly before Lambda would stop its function. Its outcome is unknown, as after a lost answer. */
const inTime = {
  timeoutEarlyInMillis: 200,
  timeoutEarlyResponse: (): never => {
    throw new DomainError('SERVICE_UNAVAILABLE', 'The service could not answer in time. Try again.');
  },
};

/**
 * The common entry of all HTTP requests. It refuses calls that bypass the CDN, logs each request that is refused or
 * fails, and turns every error into a response.
 */
export function edge<Response extends HttpResponse>({ answer, refuse }: Face<Response>) {
  const answers: middy.MiddlewareObj<APIGatewayProxyEventV2, Response> = {
    before: refuseDirectCall,
    after: ({ event, response }) => logRefusal(event, response?.statusCode),
    onError: (failed) => {
      logFailure(failed.event, failed.error);
      failed.response = refuse(failed.error, failed.event);
    },
  };
  return middy<APIGatewayProxyEventV2, Response>(inTime).use(answers).handler(answer);
}

const callers = new WeakMap<APIGatewayProxyEventV2, string>();

/** Remembers which key was accepted for a request, so that its log line can contain the key's id. */
export function noteCaller(event: APIGatewayProxyEventV2, key: Pick<ApiKey, 'hash'>): void {
  callers.set(event, apiKeyIdOf(key));
}

const describe = (event: APIGatewayProxyEventV2) => ({
  request_id: event.requestContext.requestId,
  route: event.routeKey,
  ...namedIds([...Object.values(event.pathParameters ?? {}), callers.get(event)]),
});

/** Logs a refused request. The gateway's access log has all other requests, with the same id, route and status. */
function logRefusal(event: APIGatewayProxyEventV2, status = 200): void {
  if (status >= 400) logInfo('request', { ...describe(event), status });
}

/** Logs the internal cause of an error. The caller does not get it. */
function logFailure(event: APIGatewayProxyEventV2, error: unknown): void {
  const { code, details } = toDomainError(error);
  const { status } = ruleOf(code);
  const fields = { ...describe(event), status };
  if (status >= 500) logError('request failed', { ...fields, ...describeError(details.cause ?? error) });
  else logInfo('request', { ...fields, code });
}
