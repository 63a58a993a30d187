/** The formats in which images are published: the file's extension and its content type. */
export const imageTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
export type ImageFormat = keyof typeof imageTypes;

export interface ImageSize {
  width: number;
  height: number;
}

/** An image without anything that its pixels do not need, such as metadata. */
export interface CleanImage extends ImageSize {
  format: ImageFormat;
  bytes: Buffer;
  /** A hash of the bytes, so two different images have different ones. */
  fingerprint: string;
}

/** The largest size of an upload: 3 MB. */
export const maxImageBytes = 3_145_728;

/** An upload: its own id, and the product or brand that it is for. */
export interface Upload {
  ownerId: string;
  imageId: string;
}

/** The prefix of files that are uploaded but not checked yet. They expire after a day. */
export const uploadPrefix = 'uploads/';
/** The prefix of images that are checked and public. */
export const imagePrefix = 'images/';
