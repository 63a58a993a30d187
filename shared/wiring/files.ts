import { env } from '../env.ts';
import type { FileBucket } from '../outside/files/file-bucket.ts';
import { fileOriginOf } from '../outside/files/file-origin.ts';
import { lazyFileBucket } from '../outside/files/lazy-file-bucket.ts';

/** The bucket of the files that buyers download. Its client is loaded on first use, like that of images. */
export const buyerFiles = (): FileBucket =>
  lazyFileBucket(async () => {
    const { fileBucket } = await import('../outside/files/file-bucket.ts');
    return fileBucket(env.filesBucket(), { isPlayed: env.bucketUrl() !== undefined });
  });

/** The origin of that bucket, for pages whose buttons lead there. */
export const fileOrigin = (): string =>
  fileOriginOf({ bucketName: env.filesBucket(), region: env.aws().region, endpoint: env.bucketUrl() });
