import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped, Objects } from './bucket/objects.ts';
import { BucketRefusal } from './bucket/refusal.ts';
import { assertRequestSigned } from './bucket/signature.ts';
import { reportFailure } from './log.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface Bucket {
  /** The address, as the value of AWS_ENDPOINT_URL_S3. */
  url: string;
  stop(): Promise<void>;
}

interface BucketOptions {
  /** The buckets at this address. */
  bucketNames: readonly string[];
  /** The folder in which objects are kept after the end. If absent, they are lost. */
  dataDirectory?: string;
  /** The origins whose scripts may upload. By default, there are none. */
  corsOrigins?: readonly string[];
  now?: () => Date;
}

interface Site {
  buckets: ReadonlyMap<string, Objects>;
  corsOrigins: readonly string[];
  now: () => Date;
}

/** Starts S3 on this machine, with its buckets in a temporary or a permanent folder. */
export async function startBucket(options: BucketOptions): Promise<Bucket> {
  const { bucketNames, dataDirectory, corsOrigins = [], now = () => new Date() } = options;
  const directory = dataDirectory ? join(dataDirectory, 'buckets') : await mkdtemp(join(tmpdir(), 'tillstack-bucket-'));
  const buckets = new Map(bucketNames.map((name) => [name, new Objects(join(directory, name))]));
  const server = await listenOnLoopback((request, response) => {
    answer({ buckets, corsOrigins, now }, request, response).catch((error: unknown) => {
      // If the client stops a download, that is not a failure.
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (!(error instanceof BucketRefusal)) reportFailure('The bucket failed.', error);
      refuse(
        request,
        response,
        error instanceof BucketRefusal ? error : new BucketRefusal(500, 'InternalError', 'We failed.'),
      );
    });
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: async () => {
      await server.close();
      if (!dataDirectory) await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answer({ buckets, corsOrigins, now }: Site, request: IncomingMessage, response: ServerResponse) {
  const [, path = '', search] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? [];
  const query = new URLSearchParams(search);
  allowOrigin(request, response, corsOrigins);
  if (request.method === 'OPTIONS') return preflight(request, response);
  assertRequestSigned(request, { path, query }, now());
  const [, name = '', ...key] = path.split('/').map(decodeURIComponent);
  const objects = buckets.get(name);
  if (!objects) throw new BucketRefusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
  await objects.answer({ request, response, key: key.join('/'), query });
}

/** Lets scripts of an allowed origin read the answer. */
function allowOrigin({ headers }: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'ETag');
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  const isAllowed = response.hasHeader('access-control-allow-origin');
  if (!isAllowed || request.headers['access-control-request-method'] !== 'PUT')
    throw new BucketRefusal(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
  response.setHeader('access-control-allow-methods', 'PUT');
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
  response.writeHead(200).end();
}

/**
 * Sends an error like S3. The rest of the body is read first, because the client sends it before it reads the answer.
 */
function refuse(request: IncomingMessage, response: ServerResponse, { status, code, message }: BucketRefusal): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml' });
  if (request.method === 'HEAD') return void response.end();
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`,
  );
}
