import { request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoints } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { findRouteIn } from '../../../infra/local/local-gateway.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

const match = findRouteIn(endpoints);

/** An HTTP API decodes the path; what it would do with a broken one is not documented: the functions get it as it is. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface Result {
  statusCode: number;
  headers: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

/** Calls the function that the route table names, with the event that the gateway would make. */
export async function invokeDirectly(request: FuzzRequest): Promise<FuzzAnswer> {
  const { method, path, query, headers, cookies, body } = request;
  const rawPath = decodedPath(path);
  const route = match(method, rawPath);
  if (!route) throw new Error(`No route for ${method} ${path}.`);
  const http = { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'fuzz' };
  const event = {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath,
    rawQueryString: query,
    headers,
    ...(cookies.length > 0 && { cookies }),
    ...(route.pathParameters && { pathParameters: route.pathParameters }),
    ...(body && { body: body.toString('base64') }),
    isBase64Encoded: body !== undefined,
    requestContext: { requestId: 'fuzz', routeKey: route.routeKey, stage: '$default', timeEpoch: Date.now(), http },
  };
  const {
    statusCode,
    headers: sent,
    body: text = '',
    isBase64Encoded,
  } = (await invokeFunction(route.function, event)) as Result;
  return {
    status: statusCode,
    headers: sent,
    text: textOf(sent, Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8')),
  };
}

/** The bytes as a browser reads them. */
function textOf(headers: Record<string, string>, bytes: Buffer): string {
  const encoding = headers['content-encoding'];
  if (bytes.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** API Gateway takes no longer request line with headers. */
const mostHeadBytes = 10_240;

const headBytes = ({ path, query, headers, cookies }: FuzzRequest): number =>
  Buffer.byteLength([path, query, ...Object.entries(headers).flat(), ...cookies].join('    '));

function answerOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): FuzzAnswer {
  const sent = headers as Record<string, string>;
  return { status: statusCode, headers: sent, text: textOf(sent, bytes) };
}

/**
 * Sends it over HTTP to the gateway on this machine; undefined for what no client can put on the wire.
 * Opens a new connection for each request, because an idle one may have been closed. A reset is the status 0, which no answer has.
 */
export async function sendOverHttp(url: string, request: FuzzRequest): Promise<FuzzAnswer | undefined> {
  if (headBytes(request) > mostHeadBytes) return undefined;
  const { method, path, query, headers, cookies, body } = request;
  const { hostname, port } = new URL(url);
  const options = {
    agent: false,
    host: hostname,
    port,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...headers,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(body && { 'content-length': body.length }),
    },
  };
  const { promise, resolve } = Promise.withResolvers<FuzzAnswer>();
  try {
    const sent = httpRequest(options, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => resolve(answerOf(message, Buffer.concat(chunks))));
    });
    sent.on('error', ({ message }) => resolve({ status: 0, headers: {}, text: message }));
    sent.end(body);
  } catch {
    return undefined;
  }
  return promise;
}
