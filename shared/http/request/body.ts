import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The body as bytes, with or without the gateway's base64 encoding. */
export const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** Whether the request says that its body is JSON. */
export const isJson = ({ headers }: APIGatewayProxyEventV2): boolean =>
  /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');
