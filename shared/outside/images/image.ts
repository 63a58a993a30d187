import { type ImageFormat, type ImageSize, imageTypes, maxImageBytes } from '../../domain/catalogue/image.ts';
import { type DomainError, refuse } from '../../domain/errors.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule, type RuleValues, type Sentence } from '../../domain/rules/rules.ts';

const maxSide = 8_192;
const maxPixels = 25_000_000;

/** Refuses large dimensions. They take few bytes in the file, but need much memory when the image is shown. */
export function assertSize({ width, height }: ImageSize): void {
  if (width < 1 || height < 1) throw damaged('it has no pixels');
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw refusal(sentences.image_pixels, { width, height, most: maxSide });
}

export const damaged = (damage: string): DomainError => refusal(sentences.image_damaged, { damage });

export const refusal = (rule: Sentence, values?: RuleValues): DomainError =>
  refuse('INVALID_REQUEST_PARAMETERS', 'image_id', brokenRule(rule, values));

export function tooLarge(): DomainError {
  return refuse('PAYLOAD_TOO_LARGE', 'image_id', brokenRule(sentences.image_large, { most: maxImageBytes }));
}

/** The type of a published image with the name `<uuid>-<fingerprint>.png`; undefined for any other name. */
export function typeOfImage(fileName: string): string | undefined {
  const extension = /^[0-9a-f-]{36}-[0-9a-f]{16}\.(png|jpg|webp)$/.exec(fileName)?.[1];
  return extension && imageTypes[extension as ImageFormat];
}
