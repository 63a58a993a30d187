import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** The HTTP response to send. */
export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
}

/** A function's result that describes a response. Any other result is sent as JSON. */
const ProxyResult = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** Headers that only the server may set. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection']);

/** An answer in the format of API Gateway's own answers: `{"message": …}`. */
export const gatewayMessage = (statusCode: number, message: string): GatewayAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

function plainAnswer(result: unknown): GatewayAnswer {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(text ?? ''),
  };
}

/**
 * The response that API Gateway makes from a function's result.
 * @throws ZodError for a result for which API Gateway answers 500
 */
export function answerOf(result: unknown): GatewayAnswer {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return plainAnswer(result);
  const { statusCode, headers, cookies, body, isBase64Encoded } = ProxyResult.parse(result);
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !ownHeaders.has(name));
  return {
    statusCode,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...Object.fromEntries(kept) },
    cookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

export function writeAnswer(response: ServerResponse, { statusCode, headers, cookies, body }: GatewayAnswer): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(statusCode, { ...headers, 'content-length': body.length }).end(body);
}
