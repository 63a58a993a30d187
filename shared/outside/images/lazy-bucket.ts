import type { ImageBucket } from './image-bucket.ts';

/** Opens the bucket on the first call. Loading its client is slow, and most calls of a function do not need it. */
export function lazyBucket(open: () => Promise<ImageBucket>): ImageBucket {
  let opening: Promise<ImageBucket> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  return {
    signUpload: async (upload, bytes) => (await opened()).signUpload(upload, bytes),
    findUpload: async (upload) => (await opened()).findUpload(upload),
    removeUpload: async (upload) => (await opened()).removeUpload(upload),
    publish: async (fileName, image) => (await opened()).publish(fileName, image),
    find: async (fileName) => (await opened()).find(fileName),
  };
}
