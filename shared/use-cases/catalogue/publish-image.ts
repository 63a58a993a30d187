import type { CleanImage, Upload } from '../../domain/catalogue/image.ts';
import { type DomainError, hasCode, refuse } from '../../domain/errors.ts';

export interface PublishImageDeps {
  images: {
    findUpload(upload: Upload): Promise<Buffer | undefined>;
    removeUpload(upload: Upload): Promise<void>;
    publish(fileName: string, image: CleanImage): Promise<void>;
  };
  /** Refuses a file that is not an image, and removes metadata that an image does not need. */
  cleanImage: (file: Buffer) => CleanImage;
  publicUrl: string;
}

/** The image in an update: null removes it, an id names an upload, undefined changes nothing. */
export type ImageChange = string | null | undefined;

/**
 * Publishes an upload and returns its address. Deletes an upload that is not a valid image. An upload that was already
 * published keeps its address.
 */
async function publishUpload(deps: PublishImageDeps, upload: Upload, shown: string | null): Promise<string> {
  if (shown?.includes(`/${upload.imageId}-`)) return shown;
  try {
    const file = await deps.images.findUpload(upload);
    if (!file) throw missing(upload);
    return await publishFile(deps, upload.imageId, file);
  } catch (error) {
    if (isOfNoUse(error)) await deps.images.removeUpload(upload);
    throw error;
  }
}

const isOfNoUse = (error: unknown): boolean => hasCode(error, 'INVALID_REQUEST_PARAMETERS', 'PAYLOAD_TOO_LARGE');

/**
 * Publishes a file and returns its address. The name is derived from the content, so the file at an address never
 * changes.
 */
export async function publishFile(deps: PublishImageDeps, imageId: string, file: Buffer): Promise<string> {
  const image = deps.cleanImage(file);
  const fileName = `${imageId}-${image.fingerprint}.${image.format}`;
  await deps.images.publish(fileName, image);
  return `${deps.publicUrl}/images/${fileName}`;
}

/** The image of an object after a change; undefined if the change does not contain one. */
export async function changedImage(
  deps: PublishImageDeps,
  ownerId: string,
  change: ImageChange,
  shown: string | null,
): Promise<string | null | undefined> {
  return typeof change === 'string' ? publishUpload(deps, { ownerId, imageId: change }, shown) : change;
}

function missing({ imageId }: Upload): DomainError {
  return refuse(
    'NOT_FOUND',
    'image_id',
    `No image was uploaded for ${imageId}. First PUT it to the upload address that came with this id.`,
  );
}
