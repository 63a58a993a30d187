import * as z from 'zod';
import { maxImageBytes } from '../../domain/catalogue/image.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { wholeNumber } from '../whole-number.ts';
import type { CatalogueAnswer } from './product-answer.ts';

/** The id of an upload; null removes the image. */
export const ImageId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, says(sentences.image_id))
  .nullish();

/** The query of an upload. `force_update` has no effect, because every upload has a new id. */
export const UploadQuery = z.strictObject({
  force_update: z.enum(['true', 'false']).optional(),
  content_length: wholeNumber(1, maxImageBytes, says(sentences.image_bytes, { most: maxImageBytes })).optional(),
});

/** The address for the upload of an image by PUT, and the id that a later update must name. */
export const presentUpload = ({ url, imageId }: { url: string; imageId: string }): CatalogueAnswer<'Upload'> => ({
  url,
  image_id: imageId,
});
