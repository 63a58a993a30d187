import type { ImageSize } from '../../domain/catalogue/image.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { orientationOf, orientationSegment } from './exif-orientation.ts';
import { assertSize, damaged, refusal } from './image.ts';

const startOfImage = Buffer.from([0xff, 0xd8]);
const endOfImage = Buffer.from([0xff, 0xd9]);

/**
 * The segments that decoding needs: frame headers (baseline, extended, progressive), Huffman and quantization tables,
 * restart interval, scans.
 */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2];
const needed: readonly number[] = [...frames, 0xc4, 0xdb, 0xdd, 0xda];
const startOfScan = 0xda;
const end = 0xd9;
const adobe = 0xee;
const exif = 0xe1;

/** The limits on scans and segments. No camera writes more, and more would keep a decoder busy for very long. */
const maxScans = 100;
const maxSegments = 2_000;

interface Segment {
  marker: number;
  /** The bytes of the marker, the length and the payload. For a scan, they include its compressed pixels. */
  whole: Buffer;
}

/** Keeps the segments that decoding needs, in their order, and the orientation. Drops all others. */
export function cleanJpeg(file: Buffer): ImageSize & { bytes: Buffer } {
  const segments = readSegments(file);
  const kept = segments.filter(({ marker, whole }) => needed.includes(marker) || isAdobe(marker, whole));
  const size = sizeOf(kept);
  assertSize(size);
  const orientation = segments.map(({ marker, whole }) => (marker === exif ? orientationOf(whole.subarray(4)) : 1));
  const turned = orientationSegment(orientation.find((value) => value !== 1) ?? 1);
  return { ...size, bytes: Buffer.concat([startOfImage, turned, ...kept.map(({ whole }) => whole), endOfImage]) };
}

/** Whether a segment is Adobe's. Its 12 bytes contain how the colours are encoded. */
const isAdobe = (marker: number, whole: Buffer): boolean =>
  marker === adobe && whole.length === 16 && whole.toString('latin1', 4, 9) === 'Adobe';

function readSegments(file: Buffer): Segment[] {
  const segments: Segment[] = [];
  for (let at = startOfImage.length; segments.length < maxSegments; ) {
    at = withoutFill(file, at);
    if (file[at + 1] === end) return segments;
    const segment = readSegment(file, at);
    segments.push(segment);
    at += segment.whole.length;
  }
  throw refusal(sentences.image_parts, { most: maxSegments, parts: 'pieces' });
}

/** The position of the next marker. Any number of 0xff bytes may precede it. */
function withoutFill(file: Buffer, start: number): number {
  let at = start;
  while (file[at] === 0xff && file[at + 1] === 0xff) at += 1;
  if (file[at] !== 0xff) throw damaged(at < file.length ? 'its parts do not fit together' : 'it ends too early');
  return at;
}

function readSegment(file: Buffer, at: number): Segment {
  if (at + 4 > file.length) throw damaged('it ends too early');
  const marker = file[at + 1] as number;
  if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw damaged('it has a marker in the wrong place');
  const length = file.readUInt16BE(at + 2);
  const headerEnd = at + 2 + length;
  if (length < 2 || headerEnd > file.length) throw damaged('it ends too early');
  return { marker, whole: file.subarray(at, marker === startOfScan ? pixelsEnd(file, headerEnd) : headerEnd) };
}

/** The end of compressed pixels: the next marker that is neither an escaped 0xff nor a restart. */
function pixelsEnd(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1] as number;
    if (next !== 0x00 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw damaged('it ends too early');
}

/** Requires one frame of a kind that browsers show, before the first scan, and limits the number of scans. */
function sizeOf(kept: readonly Segment[]): ImageSize {
  const markers = kept.map(({ marker }) => marker);
  const found = kept.filter(({ marker }) => frames.includes(marker));
  const scans = markers.filter((marker) => marker === startOfScan).length;
  if (found.length !== 1 || scans === 0) throw damaged('it has no pixels, or the pixels of several images');
  if (scans > maxScans) throw refusal(sentences.image_parts, { most: maxScans, parts: 'scans' });
  if (markers.findIndex((marker) => frames.includes(marker)) > markers.indexOf(startOfScan))
    throw damaged('its parts are out of order');
  const frame = (found[0] as Segment).whole;
  const components = frame[9] ?? 0;
  if (frame[4] !== 8 || ![1, 3, 4].includes(components) || frame.length !== 10 + 3 * components)
    throw damaged('its header is wrong');
  return { height: frame.readUInt16BE(5), width: frame.readUInt16BE(7) };
}
