import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../../shared/domain/errors.ts';
import { answers } from '../../shared/http/endpoint.ts';
import type { HttpResponse } from '../../shared/http/problem.ts';

/** Everything that is not in the route table. */
export const handler = middy<APIGatewayProxyEventV2, HttpResponse>()
  .use(answers)
  .handler(async ({ requestContext: { http } }) => {
    throw new DomainError('NOT_FOUND', `There is no ${http.method} ${http.path}.`);
  });
