/** The formats that are published: the file's extension and the type that it is served with. */
export const imageTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
export type ImageFormat = keyof typeof imageTypes;

export interface ImageSize {
  width: number;
  height: number;
}

/** An image that holds what its pixels need, and nothing else. */
export interface CleanImage extends ImageSize {
  format: ImageFormat;
  bytes: Buffer;
  /** Follows from the bytes: another image has another one. */
  fingerprint: string;
}

/** The most that an upload may weigh: 3 MB. */
export const maxImageBytes = 3_145_728;

/** Who an upload is for, a product or a brand, and its own id. */
export interface Upload {
  ownerId: string;
  imageId: string;
}

/** What was uploaded and not yet checked; the stack lets it expire after a day. */
export const uploadPrefix = 'uploads/';
/** What was checked, and is shown to everybody. */
export const imagePrefix = 'images/';
