import { crc32 } from 'node:zlib';
import type { ImageSize } from '../../domain/catalogue/image.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { assertSize, damaged, refusal } from './image.ts';

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * The chunks that the pixels need, and their allowed lengths. IDAT contains the pixels. All other chunks are metadata
 * or unrelated data.
 */
const lengths: Readonly<Record<string, (length: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length > 0 && length <= 768 && length % 3 === 0,
  tRNS: (length) => length > 0 && length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  IDAT: () => true,
  IEND: (length) => length === 0,
};

/** Bit depths by colour type, as the standard allows them. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The limit on chunks. Encoders write far fewer. It limits the time for a malicious file. */
const maxChunks = 10_000;

interface Chunk {
  type: string;
  /** The whole chunk as it is in the file: length, type, data and checksum. */
  whole: Buffer;
}

/** Keeps the chunks that the pixels need, in order. An animation becomes a still image. */
export function cleanPng(file: Buffer): ImageSize & { bytes: Buffer } {
  const chunks = readChunks(file).filter(({ type }) => type in lengths);
  assertOrder(chunks.map(({ type }) => type));
  const size = sizeOf(chunks[0] as Chunk);
  assertSize(size);
  return { ...size, bytes: Buffer.concat([pngSignature, ...chunks.map(({ whole }) => whole)]) };
}

/** Reads chunks up to the end of the image, and drops everything after it. */
function readChunks(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = pngSignature.length; chunks.length < maxChunks; ) {
    const chunk = readChunk(file, at);
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
    at += chunk.whole.length;
  }
  throw refusal(sentences.image_parts, { most: maxChunks, parts: 'pieces' });
}

function readChunk(file: Buffer, at: number): Chunk {
  if (at + 12 > file.length) throw damaged('it ends too early');
  const length = file.readUInt32BE(at);
  const end = at + 12 + length;
  if (end > file.length) throw damaged('it ends too early');
  const type = file.toString('latin1', at + 4, at + 8);
  const isOk = lengths[type];
  if (!isOk && isCritical(type)) throw damaged('it has an unknown part');
  if (isOk && !(isOk(length) && crc32(file.subarray(at + 4, end - 4)) === file.readUInt32BE(end - 4)))
    throw damaged(`its ${type} is wrong`);
  return { type, whole: file.subarray(at, end) };
}

/** A chunk whose name begins with a capital letter is critical. Viewers must refuse the file if they do not know it. */
const isCritical = (type: string): boolean => !/^[a-z][A-Za-z]{3}$/.test(type);

/**
 * Requires the header first, the pixels in consecutive chunks, the end last, no other chunk twice, and colours before
 * pixels.
 */
function assertOrder(types: readonly string[]): void {
  const order = types.join(' ').replace(/IDAT( IDAT)*/, 'pixels');
  if (!/^IHDR ([^ ]+ )*pixels IEND$/.test(order) || /IDAT/.test(order)) throw damaged('its parts are out of order');
  if (new Set(order.split(' ')).size < order.split(' ').length) throw damaged('it has a part twice');
}

function sizeOf({ whole }: Chunk): ImageSize {
  const header = whole.subarray(8, 21);
  const [depth = 0, colour = -1, compression, filter, interlace = 2] = header.subarray(8);
  if (!depths[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw damaged('its header is wrong');
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}
