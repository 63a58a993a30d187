import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { edge } from './edge.ts';
import { sourceOf } from './origin.ts';
import { type HttpResponse, presentProblem, retryHeaders, ruleOf, toDomainError } from './problem.ts';
import { bodyBytes, isJson } from './request/body.ts';
import { parseJsonBody } from './request/json-body.ts';
import { pathParameter } from './request/path-parameter.ts';

/** A function's response to a browser. */
export interface Page extends HttpResponse {
  /** The cookies to set: `name=value; Path=/; …`. */
  cookies?: string[];
  /** Set if the body is bytes, in base64. They are not compressed. */
  isBase64Encoded?: boolean;
}

/** A page in the format of the gateway. */
interface PageResponse extends Omit<Page, 'isBase64Encoded'> {
  isBase64Encoded: boolean;
}

/** A browser's request. */
export interface PageRequest {
  headers: Readonly<Record<string, string | undefined>>;
  /** The requested path. */
  path: string;
  requestId: string;
  method: string;
  /**
   * The network of the request: an IPv4 address, or the first half of an IPv6 address. It is only used for counting.
   */
  source: string;
  /** A path parameter; empty if it is missing. Refuses a text that cannot be an id or a file name. */
  param: (name: string) => string;
  query: (name: string) => string | undefined;
  /** All query parameters of the address. */
  queryParameters: ReadonlyMap<string, string>;
  cookie: (name: string) => string | undefined;
  /** The posted form as text, not parsed. */
  form: (maxBytes: number) => string;
  /** The posted bytes. */
  bytes: (maxBytes: number) => Buffer;
  /** Whether the request says that its body is JSON. A form on another site cannot do that. */
  isJson: boolean;
  /** The posted JSON. */
  json: () => unknown;
}

/** The facts about an error that the buyer may see. */
export interface Refusal {
  status: number;
  code: ErrorCode;
  requestId: string;
}

/** The functions of one route for pages. */
export interface PageRoute {
  answer: (request: PageRequest) => Page | Promise<Page>;
  /**
   * Answers a program that sends JSON. Its errors become problem documents. By default, JSON is handled like any other
   * body.
   */
  json?: (request: PageRequest) => Promise<Page>;
  /** The error page for a browser. */
  refuse: (refusal: Refusal, request: PageRequest) => Page;
}

/** The response to a program. */
export const jsonAnswer = (value: unknown, cookies: readonly string[] = []): Page => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
  ...(cookies.length > 0 ? { cookies: [...cookies] } : {}),
});

/** Makes a handler for browsers. It compresses every response, and turns every error into a page. */
export const page = ({ answer, json, refuse }: PageRoute) =>
  edge<PageResponse>({
    answer: async (event) => {
      const request = requestOf(event);
      assertMethod(request);
      return compressed(event, json && request.isJson ? await json(request) : await answer(request));
    },
    refuse: (error, event) => {
      const request = requestOf(event);
      const known = toDomainError(error);
      const isProgram = (json && request.isJson) || wantsJson(request) || known.code === 'METHOD_NOT_ALLOWED';
      if (isProgram) return compressed(event, presentProblem(error, request));
      const { code } = known;
      const page = refuse({ status: ruleOf(code).status, code, requestId: request.requestId }, request);
      return compressed(event, { ...page, headers: { ...page.headers, ...retryHeaders(known) } });
    },
  });

const pageMethods = ['GET', 'HEAD', 'POST'];

/** Refuses a method that no browser sends to a page. Such a request comes from a program. */
function assertMethod({ method, path }: PageRequest): void {
  if (pageMethods.includes(method)) return;
  const message = `${path} does not take ${method}. It takes ${pageMethods.join(', ')}.`;
  throw new DomainError('METHOD_NOT_ALLOWED', message, { allowedMethods: pageMethods });
}

/** Whether the client is a program that expects JSON instead of a page. */
const wantsJson = ({ headers }: PageRequest): boolean => {
  const accept = headers['accept'] ?? '';
  return accept.includes('json') && !accept.includes('text/html');
};

export const requestOf = (event: APIGatewayProxyEventV2): PageRequest => ({
  headers: event.headers,
  path: event.rawPath,
  requestId: event.requestContext.requestId,
  method: event.requestContext.http.method,
  source: sourceOf(event),
  param: (name) => pathParameter(event, name) ?? '',
  query: (name) => new URLSearchParams(event.rawQueryString).get(name) ?? undefined,
  queryParameters: new Map(new URLSearchParams(event.rawQueryString)),
  cookie: (name) => event.cookies?.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1),
  form: (maxBytes) => readForm(event, maxBytes),
  bytes: (maxBytes) => readBytes(event, maxBytes),
  isJson: isJson(event),
  json: () => parseJsonBody(bodyBytes(event)),
});

function readForm(event: APIGatewayProxyEventV2, maxBytes: number): string {
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the form as "application/x-www-form-urlencoded".');
  return readBytes(event, maxBytes).toString('utf8');
}

function readBytes(event: APIGatewayProxyEventV2, maxBytes: number): Buffer {
  const bytes = bodyBytes(event);
  if (bytes.byteLength <= maxBytes) return bytes;
  const message = `The form has ${bytes.byteLength} bytes; at most ${maxBytes} are accepted.`;
  throw new DomainError('PAYLOAD_TOO_LARGE', message);
}

const worthCompressingBytes = 1_000;

/** Compresses a response with the method that the browser prefers. The gateway itself compresses nothing. */
export function compressed(
  event: APIGatewayProxyEventV2,
  { headers, body, isBase64Encoded = false, ...rest }: Page,
): PageResponse {
  const accepted = event.headers['accept-encoding'] ?? '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  const varied = { ...headers, vary: 'accept-encoding' };
  if (!encoding || isBase64Encoded || Buffer.byteLength(body) < worthCompressingBytes)
    return { ...rest, headers: varied, body, isBase64Encoded };
  const bytes = encoding === 'br' ? brotliCompressSync(body, fastBrotli) : gzipSync(body);
  const encoded = { ...varied, 'content-encoding': encoding };
  return { ...rest, headers: encoded, body: bytes.toString('base64'), isBase64Encoded: true };
}

const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
