import * as z from 'zod';
import { maxImageBytes } from '../../domain/catalogue/image.ts';
import { wholeNumber } from '../whole-number.ts';
import type { CatalogueAnswer } from './product-answer.ts';

/** The id of an upload; null removes the image. */
export const ImageId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the image_id of an upload')
  .nullish();

/** `force_update` changes nothing, because every upload has a new id. */
export const UploadQuery = z.strictObject({
  force_update: z.enum(['true', 'false']).optional(),
  content_length: wholeNumber(1, maxImageBytes, `must be between 1 and ${maxImageBytes} bytes (3 MB)`).optional(),
});

/** Where to PUT the bytes of an image, and the id under which an update finds them. */
export const presentUpload = ({ url, imageId }: { url: string; imageId: string }): CatalogueAnswer<'Upload'> => ({
  url,
  image_id: imageId,
});
