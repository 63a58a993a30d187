import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answers } from './endpoint.ts';
import { requiredParameter } from './path-parameter.ts';
import type { HttpResponse } from './problem.ts';

/** The file: text is sent as it is, bytes pass the gateway in base64. */
export interface Download {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface DownloadRequest {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
  /** A path parameter. */
  param: (name: string) => string;
  cookie: (name: string) => string | undefined;
}

interface DownloadResponse extends HttpResponse {
  isBase64Encoded: boolean;
}

/** One handler for a file that needs a key or other evidence. Errors become the response of `refuse`, or a problem. */
export function download(
  act: (request: DownloadRequest) => Promise<Download>,
  refuse: (status: number, request: DownloadRequest) => Download | undefined,
) {
  return middy<APIGatewayProxyEventV2, DownloadResponse>()
    .use(downloads(refuse))
    .handler(async (event) => respond(200, await act(requestOf(event))));
}

type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, DownloadResponse>;

const downloads = (refuse: (status: number, request: DownloadRequest) => Download | undefined): Middleware => ({
  ...(answers as Middleware),
  onError: async (failed) => {
    await (answers as Middleware).onError?.(failed);
    const status = failed.response?.statusCode ?? 500;
    const refusal = refuse(status, requestOf(failed.event));
    if (refusal) failed.response = respond(status, refusal);
  },
});

const requestOf = (event: APIGatewayProxyEventV2): DownloadRequest => ({
  headers: event.headers,
  query: (name) => new URLSearchParams(event.rawQueryString).get(name) ?? undefined,
  param: (name) => requiredParameter(event, name),
  cookie: (name) => event.cookies?.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1),
});

function respond(statusCode: number, { headers, body }: Download): DownloadResponse {
  if (typeof body === 'string') return { statusCode, headers, body, isBase64Encoded: false };
  return { statusCode, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
