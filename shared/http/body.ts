import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The body as bytes, whichever way the gateway hands it over. */
export const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** Whether the body says that it is JSON. */
export const isJson = ({ headers }: APIGatewayProxyEventV2): boolean =>
  /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');
