import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The body as bytes, no matter how the gateway encodes it. */
export const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** Whether the request declares its body as JSON. */
export const isJson = ({ headers }: APIGatewayProxyEventV2): boolean =>
  /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');
