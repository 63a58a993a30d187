import type { ImageSize } from '../../domain/catalogue/image.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { assertSize, damaged, refusal } from './image.ts';

/** The chunks of an extended file that the pixels need. Colour profiles, EXIF, XMP and unknown chunks are dropped. */
const needed: readonly string[] = ['VP8X', 'ALPH', 'VP8 ', 'VP8L'];
const maxChunks = 1_000;
const animated = 0x02;
const hasAlpha = 0x10;

interface Chunk {
  type: string;
  data: Buffer;
}

/** Keeps the image, and its transparency if that is stored in a separate chunk. */
export function cleanWebp(file: Buffer): ImageSize & { bytes: Buffer } {
  const chunks = readChunks(file).filter(({ type }) => needed.includes(type));
  const [extended] = chunks.filter(({ type }) => type === 'VP8X');
  if (extended && ((extended.data[0] ?? 0) & animated) !== 0) throw refusal(sentences.image_animated);
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [image] = images;
  if (!image || images.length > 1) throw damaged('it has no pixels, or the pixels of several images');
  const size = image.type === 'VP8 ' ? sizeOfLossy(image.data) : sizeOfLossless(image.data);
  assertSize(size);
  const [alpha] = chunks.filter(({ type }) => type === 'ALPH');
  if (!extended || !alpha || image.type === 'VP8L') return { ...size, bytes: fileOf([image]) };
  return { ...size, bytes: fileOf([canvas(size), alpha, image]) };
}

/** Reads the chunks inside the size that the header states, and drops the bytes after it. */
function readChunks(file: Buffer): Chunk[] {
  const claimed = 8 + file.readUInt32LE(4);
  if (claimed > file.length + (file.length % 2)) throw damaged('it ends too early');
  const end = Math.min(claimed, file.length);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= end && chunks.length < maxChunks; ) {
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > end) throw damaged('it ends too early');
    chunks.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/** Requires a visible key frame with its start code. Returns its two sizes of 14 bits. */
function sizeOfLossy(data: Buffer): ImageSize {
  if (data.length < 10) throw damaged('it ends too early');
  const tag = data.readUIntLE(0, 3);
  const isShownKeyFrame = (tag & 1) === 0 && ((tag >> 4) & 1) === 1;
  if (!isShownKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a || tag >> 5 > data.length - 10)
    throw damaged('its header is wrong');
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** Requires the signature and version 0. Returns the two sizes of 14 bits, each stored minus one. */
function sizeOfLossless(data: Buffer): ImageSize {
  if (data.length < 6) throw damaged('it ends too early');
  const bits = data.readUInt32LE(1);
  if (data[0] !== 0x2f || bits >>> 29 !== 0) throw damaged('its header is wrong');
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** The header of an extended file. It announces only transparency, because the other chunks were dropped. */
function canvas({ width, height }: ImageSize): Chunk {
  const data = Buffer.alloc(10);
  data[0] = hasAlpha;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { type: 'VP8X', data };
}

function fileOf(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.flatMap(({ type, data }) => [
    Buffer.from(type, 'latin1'),
    littleEndian(data.length),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), littleEndian(body.length), body]);
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
