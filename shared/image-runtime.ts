import { env } from './env.ts';
import type { ImageBucket } from './images/image-bucket.ts';
import { lazyBucket } from './images/lazy-bucket.ts';

/**
 * The images' bucket; its client is loaded when it is first needed. Apart from `runtime.ts`, because a deferred import
 * makes the bundler wrap each module behind it, the SDK's core among them, in every function that could reach it.
 */
export const images = (): ImageBucket =>
  lazyBucket(async () => {
    const { imageBucket } = await import('./images/image-bucket.ts');
    return imageBucket(env.bucketName());
  });
