import { createHash } from 'node:crypto';
import { type CleanImage, type ImageFormat, type ImageSize, maxImageBytes } from '../../domain/catalogue/image.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { refusal, tooLarge } from './image.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng, pngSignature } from './png.ts';
import { cleanWebp } from './webp.ts';

interface Format {
  format: ImageFormat;
  isIn: (file: Buffer) => boolean;
  clean: (file: Buffer) => ImageSize & { bytes: Buffer };
}

const formats: readonly Format[] = [
  { format: 'png', isIn: (file) => file.subarray(0, 8).equals(pngSignature), clean: cleanPng },
  { format: 'jpg', isIn: (file) => file.length > 3 && file.readUIntBE(0, 3) === 0xffd8ff, clean: cleanJpeg },
  { format: 'webp', isIn: (file) => file.length > 20 && isWebp(file), clean: cleanWebp },
];

const isWebp = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/**
 * Recognizes an image by its bytes, not its name. It copies only the data that the pixels need: no EXIF, text, colour
 * profile or trailing bytes. It decodes no pixels, so a small file cannot use much memory.
 */
export function cleanImage(file: Buffer): CleanImage {
  if (file.length > maxImageBytes) throw tooLarge();
  const found = formats.find(({ isIn }) => isIn(file));
  if (!found) throw refusal(sentences.image_unknown);
  const clean = found.clean(file);
  return { format: found.format, ...clean, fingerprint: fingerprintOf(clean.bytes) };
}

const fingerprintOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
