import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { edge } from '../../shared/http/edge.ts';
import { type HttpResponse, presentProblem } from '../../shared/http/problem.ts';
import { logSink } from '../../shared/log.ts';

describe('A function that has no time left', () => {
  it('503: asks for another try, because it is unknown what it has done', async () => {
    const log: string[] = [];
    logSink.write = (line) => void log.push(line);
    const handler = edge({
      answer: () => new Promise<HttpResponse>(() => {}),
      refuse: (error) => presentProblem(error, { path: '/pay', requestId: 'request-1' }),
    });
    const event = { headers: {}, routeKey: 'POST /pay', requestContext: { requestId: 'request-1' } };
    const { statusCode, headers } = await handler(
      event as unknown as APIGatewayProxyEventV2,
      { getRemainingTimeInMillis: () => 210 } as Context,
    );
    expect(statusCode).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-should-retry': 'true' });
    expect(log.join()).toContain('request failed');
  });
});
