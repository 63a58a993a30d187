import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG with its checksum. */
export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function pngHeader(width: number, height: number, depth = 8, colour = 6): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = depth;
  data[9] = colour;
  return pngChunk('IHDR', data);
}

export const forgedSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
export const pngEnd = pngChunk('IEND');

/** A PNG of these chunks between its header and its end; its pixels are the least that can be. */
export const png = (chunks: Buffer[] = [], { width = 1, height = 1 } = {}): Buffer =>
  Buffer.concat([forgedSignature, pngHeader(width, height), ...chunks, pngPixels, pngEnd]);

export const pngPixels = pngChunk('IDAT', deflateSync(Buffer.alloc(5)));

/** A PNG of exactly this number of bytes, filled with pixels. */
export function pngOfBytes(bytes: number): Buffer {
  const frame = png().length - pngPixels.length;
  return Buffer.concat([
    forgedSignature,
    pngHeader(1, 1),
    pngChunk('IDAT', Buffer.alloc(bytes - frame - 12, 1)),
    pngEnd,
  ]);
}

/** A segment of a JPEG. */
export function jpegSegment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

export function jpegFrame(width: number, height: number, marker = 0xc0, precision = 8): Buffer {
  const payload = Buffer.from([precision, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  payload.writeUInt16BE(height, 1);
  payload.writeUInt16BE(width, 3);
  return jpegSegment(marker, payload);
}

export const jpegScan = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
]);
const jpegTable = jpegSegment(0xdb, Buffer.alloc(65, 1));
const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];

/** A JPEG with these segments after its start. It is complete, but has no picture. */
export const jpeg = (segments: Buffer[] = [], frame = jpegFrame(8, 8), scans = [jpegScan]): Buffer =>
  Buffer.concat([start, ...segments, jpegTable, frame, ...scans, end]);

/** What a camera writes that was turned, and where it was. */
export function exifSegment(orientation: number): Buffer {
  const tiff = Buffer.from('49492a000800000002000f010200040000004e696b00120103000100000000000000', 'hex');
  tiff.writeUInt16LE(orientation, 30);
  return jpegSegment(
    0xe1,
    Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 59.3293N 18.0686E')]),
  );
}

export function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

export function lossy(width: number, height: number): Buffer {
  const data = Buffer.from('100000 9d012a 0000 0000 0000'.replaceAll(' ', ''), 'hex');
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
}

export function lossless(width: number, height: number): Buffer {
  const data = Buffer.from('2f0000000000', 'hex');
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk('VP8L', data);
}

export function extended(flags: number): Buffer {
  return webpChunk('VP8X', Buffer.from([flags, 0, 0, 0, 7, 0, 0, 7, 0, 0]));
}
