import { notFound } from '../../domain/errors.ts';
import { typeOfImage } from './image.ts';
import type { ImageBucket } from './image-bucket.ts';

/** The HTTP response with an image. */
export async function imageDownload(deps: { images: Pick<ImageBucket, 'find'> }, file: string) {
  const type = typeOfImage(file);
  const body = type && (await deps.images.find(file));
  if (!body) throw notFound('such image');
  return { headers: headersOf(type), body };
}

/**
 * The content type comes from the image's name, not from its bytes. The headers stop scripts in an image that is opened
 * alone, and allow caching, because images never change.
 */
const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
});
