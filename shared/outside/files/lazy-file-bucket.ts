import type { FileBucket } from './file-bucket.ts';

/** Opens the bucket on the first call. Loading its client is slow, and most calls of a function do not need it. */
export function lazyFileBucket(open: () => Promise<FileBucket>): FileBucket {
  let opening: Promise<FileBucket> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  return {
    signUpload: async (...input) => (await opened()).signUpload(...input),
    signBareUpload: async (...input) => (await opened()).signBareUpload(...input),
    beginParts: async (...input) => (await opened()).beginParts(...input),
    signPart: async (...input) => (await opened()).signPart(...input),
    finishParts: async (...input) => (await opened()).finishParts(...input),
    abortParts: async (...input) => (await opened()).abortParts(...input),
    look: async (...input) => (await opened()).look(...input),
    remove: async (...input) => (await opened()).remove(...input),
    signDownload: async (...input) => (await opened()).signDownload(...input),
  };
}
