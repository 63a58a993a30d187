import { env } from '../env.ts';
import type { ImageBucket } from '../outside/images/image-bucket.ts';
import { lazyBucket } from '../outside/images/lazy-bucket.ts';

/**
 * The bucket of images, whose client is loaded on first use. It is not in `runtime.ts`. The bundler wraps all modules
 * behind a deferred import, in every function that could reach it.
 */
export const images = (): ImageBucket =>
  lazyBucket(async () => {
    const { imageBucket } = await import('../outside/images/image-bucket.ts');
    return imageBucket(env.bucketName());
  });
