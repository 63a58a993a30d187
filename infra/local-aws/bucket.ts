import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportFailure } from './log.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface Bucket {
  /** The value of AWS_ENDPOINT_URL_S3. */
  url: string;
  /** Loads the server's code before the first request. */
  warmUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server with an existing bucket, because a signed CreateBucket would fail. */
async function loadServer(bucketName: string, directory: string): Promise<RequestListener> {
  const { default: S3rver } = await import('@20minutes/s3rver');
  const server = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucketName, configs: [] }] });
  await server.configureBuckets();
  return server.callback();
}

/** An S3 bucket on this machine, in a temporary or a permanent directory. Its server is loaded on first use. */
export async function startBucket(options: { bucketName: string; dataDirectory?: string }): Promise<Bucket> {
  const { bucketName, dataDirectory } = options;
  const directory = dataDirectory ? join(dataDirectory, 'buckets') : await mkdtemp(join(tmpdir(), 'tillstack-bucket-'));
  let loading: Promise<RequestListener> | undefined;
  const load = () => {
    loading ??= loadServer(bucketName, directory);
    return loading;
  };
  const server = await listenOnLoopback((request, response) => {
    load()
      .then((listener) => listener(request, response))
      .catch((error: unknown) => {
        reportFailure('The bucket failed.', error);
        response.writeHead(500).end();
      });
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    warmUp: async () => void (await load()),
    stop: async () => {
      await server.close();
      await loading?.catch(() => {});
      if (!dataDirectory) await rm(directory, { recursive: true, force: true });
    },
  };
}
