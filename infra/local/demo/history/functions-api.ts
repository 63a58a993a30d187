import { randomUUID } from 'node:crypto';
import { now } from '../../../../shared/wiring/runtime.ts';
import { endpoints } from '../../../endpoints.ts';
import { answerOf } from '../../../local-aws/gateway/gateway-answer.ts';
import { invokeFunction } from '../../invoke.ts';
import { findRouteIn } from '../../local-gateway.ts';
import type { ApiClient } from '../api-client.ts';

export interface FunctionsApi extends ApiClient {
  put(path: string): Promise<unknown>;
  patch(path: string, body: object): Promise<unknown>;
}

/** Calls the functions without a gateway. The time of a request is that of the functions' clock. */
export function functionsApi(key: string): FunctionsApi {
  const match = findRouteIn(endpoints);
  const call = async (method: string, address: string, body?: object): Promise<unknown> => {
    const [path = '', rawQueryString = ''] = address.split('?');
    const { function: functionName, ...route } = match(method, path) ?? {};
    if (functionName === undefined) throw new Error(`There is no route for ${method} ${path}.`);
    const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'history' };
    const requestContext = { requestId: randomUUID(), timeEpoch: now().getTime(), http };
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const event = { version: '2.0', ...route, rawPath: path, rawQueryString, headers, requestContext };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = answerOf(await invokeFunction(functionName, { ...event, ...sent, isBase64Encoded: false }));
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${answer.body}`);
    return JSON.parse(answer.body.toString());
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path) => call('PUT', path),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  };
}
