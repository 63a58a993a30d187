import type { ImageBucket } from './image-bucket.ts';

/** A bucket that is opened by the first call: loading its client takes longer than most calls of a function, which need none. */
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
