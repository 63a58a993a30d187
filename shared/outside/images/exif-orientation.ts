const header = Buffer.from('Exif\0\0', 'latin1');
const orientationTag = 0x0112;
const maxEntries = 200;

/** The orientation of a photo, 1 to 8, from an EXIF payload. Returns 1 (upright) if the payload is invalid. */
export function orientationOf(payload: Buffer): number {
  if (!payload.subarray(0, header.length).equals(header)) return 1;
  const tiff = payload.subarray(header.length);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return 1;
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = Math.min(short(directory), maxEntries);
  for (let at = directory + 2; at < directory + 2 + count * 12; at += 12)
    if (short(at) === orientationTag) return withinRange(short(at + 8));
  return 1;
}

const withinRange = (value: number): number => (value >= 1 && value <= 8 ? value : 1);

/** An EXIF segment that contains only this orientation; empty for an upright image. */
export function orientationSegment(orientation: number): Buffer {
  if (orientation === 1) return Buffer.alloc(0);
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0];
  const payload = Buffer.concat([header, Buffer.from(tiff)]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, payload.length + 2]), payload]);
}
