import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { localAws } from '../local-aws.ts';
import type { RouteMatch } from './routes.ts';

/** A request as received over HTTP. */
export interface GatewayRequest {
  message: IncomingMessage;
  body: Buffer;
  /** The path, percent-decoded. */
  path: string;
  requestId: string;
  receivedAt: Date;
}

/** The content types of bodies that API Gateway passes on as text. Forms are not among them. */
const textTypes = /^(text\/|application\/(json|javascript|xml)\b)/i;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time like access logs: `21/Nov/2026:07:31:00 +0000`. */
function logTime(date: Date): string {
  const [day, time] = date.toISOString().split(/[T.]/);
  const [year, month, dayOfMonth] = (day ?? '').split('-');
  return `${dayOfMonth}/${months[Number(month) - 1]}/${year}:${time} +0000`;
}

/** Headers with lower-case names, without the cookies. The values of a repeated header are joined. */
function headersOf(message: IncomingMessage): Record<string, string> {
  const { cookie: _, ...received } = message.headersDistinct;
  const sent = Object.entries(received).map(([name, values]) => [name, (values ?? []).join(',')] as const);
  return {
    ...Object.fromEntries(sent),
    'x-forwarded-for': [...(received['x-forwarded-for'] ?? []), sourceIp(message)].join(', '),
    'x-forwarded-port': String(message.socket.localPort),
    'x-forwarded-proto': 'http',
  };
}

const sourceIp = (message: IncomingMessage): string => (message.socket.remoteAddress ?? '').replace(/^::ffff:/, '');

/** The optional members of an event. API Gateway leaves out empty ones. */
function optionalParts(message: IncomingMessage, rawQueryString: string): Partial<APIGatewayProxyEventV2> {
  const cookies = (message.headersDistinct.cookie ?? []).flatMap((header) => header.split(/; */)).filter(Boolean);
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = name in query ? `${query[name]},${value}` : value;
  }
  return {
    ...(cookies.length > 0 && { cookies }),
    ...(rawQueryString && { queryStringParameters: query }),
  };
}

/** The body as text, if its content type is a text type and its bytes are UTF-8. Otherwise it is in base64. */
function bodyOf(message: IncomingMessage, body: Buffer): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = textTypes.test(message.headers['content-type'] ?? '') && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

function requestContext(request: GatewayRequest, match: RouteMatch): APIGatewayProxyEventV2['requestContext'] {
  const { message, path, requestId, receivedAt } = request;
  const domainName = (message.headers.host ?? 'localhost').replace(/:\d+$/, '');
  return {
    accountId: localAws.account,
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split('.')[0] ?? domainName,
    http: {
      method: message.method ?? 'GET',
      path,
      protocol: `HTTP/${message.httpVersion}`,
      sourceIp: sourceIp(message),
      userAgent: message.headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: match.routeKey,
    stage: '$default',
    time: logTime(receivedAt),
    timeEpoch: receivedAt.getTime(),
  };
}

/** Makes the event for a request, in payload format 2.0, like an HTTP API of API Gateway. */
export function gatewayEventOf(request: GatewayRequest, match: RouteMatch): APIGatewayProxyEventV2 {
  const rawQueryString = request.message.url?.split('?').slice(1).join('?') ?? '';
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: request.path,
    rawQueryString,
    headers: headersOf(request.message),
    ...optionalParts(request.message, rawQueryString),
    ...(match.pathParameters && { pathParameters: match.pathParameters }),
    requestContext: requestContext(request, match),
    ...bodyOf(request.message, request.body),
  };
}
