import { notFound } from '../../domain/errors.ts';
import { typeOfImage } from './image.ts';
import type { ImageBucket } from './image-bucket.ts';

/** An image as a browser gets it. */
export async function imageDownload(deps: { images: Pick<ImageBucket, 'find'> }, file: string) {
  const type = typeOfImage(file);
  const body = type && (await deps.images.find(file));
  if (!body) throw notFound('such image');
  return { headers: headersOf(type), body };
}

/** The type comes from us, not from the bytes. An image that is opened alone runs no code, and it never changes. */
const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
});
