import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { maxImageBytes } from '../../../shared/domain/catalogue/image.ts';
import { DomainError } from '../../../shared/domain/errors.ts';
import { cleanImage } from '../../../shared/outside/images/clean-image.ts';
import { cpuMillisecondsOf } from '../../support/cpu.ts';
import { between, pickOne, seeded, times } from '../../support/seeded.ts';
import * as forge from './forge.ts';
import { samples } from './samples.ts';

const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from('payload.html'), Buffer.from('PK\x05\x06')]);
const page = Buffer.from('<html><script>alert(document.domain)</script></html>');
const {
  png,
  pngChunk,
  pngHeader,
  pngPixels,
  pngEnd,
  forgedSignature: pngSignature,
  jpeg,
  jpegFrame,
  jpegScan,
  jpegSegment,
} = forge;
const { riff, webpChunk, lossy, lossless, extended, exifSegment, pngOfBytes } = forge;

const damagedCrc = Buffer.from(png());
damagedCrc[damagedCrc.length - 20] = (damagedCrc.at(-20) ?? 0) ^ 0xff;

/** Files that must not be published. */
const refused: [name: string, file: Buffer, message: RegExp][] = [
  ['nothing', Buffer.alloc(0), /not an image/],
  ['one byte', Buffer.from([0x89]), /not an image/],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0;', 'latin1'), /not an image/],
  ['an SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), /not an image/],
  ['an SVG behind a byte order mark', Buffer.from('\ufeff<svg xmlns="http://www.w3.org/2000/svg"/>'), /not an image/],
  ['HTML', page, /not an image/],
  ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3'), /not an image/],
  ['a BMP', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0', 'latin1'), /not an image/],
  ['an ICO', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), /not an image/],
  ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1'), /not an image/],
  ['an AVIF', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0', 'latin1'), /not an image/],
  ['a gzip bomb', gzipSync(Buffer.alloc(10_000_000)), /not an image/],
  ['a ZIP with a PNG in it', Buffer.concat([zip, png()]), /not an image/],
  ['a PNG after a line of HTML', Buffer.concat([page, samples.png]), /not an image/],
  ['a sound in a RIFF', Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(32)]), /not an image/],
  ['the name of a PNG only', pngSignature, /too early/],
  ['a truncated PNG', samples.png.subarray(0, 300), /too early/],
  ['a PNG without an end', Buffer.concat([pngSignature, pngHeader(1, 1), pngPixels]), /too early/],
  ['a PNG without pixels', Buffer.concat([pngSignature, pngHeader(1, 1), pngEnd]), /order/],
  ['a PNG with a wrong checksum', damagedCrc, /wrong/],
  ['a PNG of 64250 × 64250 (paperclip#1513)', png([], { width: 64_250, height: 64_250 }), /64250 × 64250/],
  ['a PNG of 8193 × 1', png([], { width: 8_193 }), /8193 × 1/],
  ['a PNG of 5001 × 5000', png([], { width: 5_001, height: 5_000 }), /25 million/],
  ['a PNG of 0 × 1', png([], { width: 0 }), /no pixels/],
  ['a PNG of 4294967295 pixels a side', png([], { width: 0xffff_ffff, height: 0xffff_ffff }), /4294967295/],
  ['a PNG with two headers', png([pngHeader(2, 2)]), /twice/],
  ['a PNG whose pixels come first', Buffer.concat([pngSignature, pngPixels, pngHeader(1, 1), pngEnd]), /order/],
  ['a PNG with pixels in two places', png([pngPixels, pngChunk('PLTE', Buffer.alloc(3))]), /order/],
  ['a PNG with an unknown critical chunk', png([pngChunk('EVIL', page)]), /unknown part/],
  [
    'a PNG of a colour type that does not exist',
    Buffer.concat([pngSignature, pngHeader(1, 1, 8, 5), pngPixels, pngEnd]),
    /header/,
  ],
  [
    'a PNG with a chunk of 4 GB',
    Buffer.concat([pngSignature, pngHeader(1, 1), Buffer.from('ffffffff49444154', 'hex'), Buffer.alloc(8)]),
    /too early/,
  ],
  ['a PNG of 200,000 empty chunks', png(Array.from({ length: 200_000 }, () => pngChunk('tEXt'))), /10000 pieces/],
  ['a truncated JPEG', samples.jpeg.subarray(0, 750), /too early/],
  ['a JPEG that begins and ends', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), /no pixels/],
  ['a JPEG of 65500 × 65500', jpeg([], jpegFrame(65_500, 65_500)), /65500 × 65500/],
  ['a JPEG whose height comes later', jpeg([], jpegFrame(8, 0)), /no pixels/],
  ['a JPEG with two frames', jpeg([jpegFrame(1, 1)]), /several images/],
  ['a lossless JPEG', jpeg([], jpegFrame(8, 8, 0xc3)), /no pixels/],
  ['a JPEG of 12 bits', jpeg([], jpegFrame(8, 8, 0xc1, 12)), /header/],
  ['a JPEG with a length of 0', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0]), /too early/],
  ['a JPEG of 101 scans', jpeg([], jpegFrame(8, 8, 0xc2), Array(101).fill(jpegScan)), /100 scans/],
  ['a JPEG of 3 MB of empty segments', jpeg(Array(500_000).fill(jpegSegment(0xfe, Buffer.alloc(0)))), /2000 pieces/],
  [
    'a JPEG whose pixels are all escapes and never end',
    Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(3_000_000, Buffer.from([0xff, 0]))]),
    /too early/,
  ],
  ['a JPEG with junk between its parts', jpeg([jpegSegment(0xfe, page), page]), /fit together/],
  ['a truncated WebP', samples.webp.subarray(0, 560), /too early/],
  ['a WebP without pixels', riff(extended(0), webpChunk('XMP ', page)), /no pixels/],
  ['an animated WebP', riff(extended(2), webpChunk('ANIM', Buffer.alloc(6)), lossy(8, 8)), /Animated/],
  ['a WebP of 16383 × 16383', riff(lossy(16_383, 16_383)), /16383 × 16383/],
  ['a lossless WebP of 16384 × 16384', riff(lossless(16_384, 16_384)), /16384 × 16384/],
  [
    'a WebP that claims to be longer than it is (image-size CVE-2025-71319)',
    Buffer.concat([Buffer.from('RIFF'), Buffer.from('ffffff7f', 'hex'), riff(lossy(8, 8)).subarray(8)]),
    /too early/,
  ],
  [
    'a WebP with a chunk of no length at all',
    riff(webpChunk('VP8 ', Buffer.alloc(0)), webpChunk('EXIF', Buffer.alloc(8))),
    /too early/,
  ],
  [
    'a WebP that ends within the head of a chunk, and claims the byte that would pad it',
    Buffer.concat([riff(webpChunk('VP8 ', Buffer.alloc(8))).subarray(0, 16), Buffer.alloc(11)]),
    /too early/,
  ],
  ['a WebP of two images', riff(lossy(8, 8), lossy(9, 9)), /several images/],
  ['a file of one byte too many', pngOfBytes(maxImageBytes + 1), /3 MB/],
];

/** Files that are published without what somebody hid in them. */
const stripped: [name: string, file: Buffer, clean: Buffer][] = [
  ['a PNG with HTML behind its end', Buffer.concat([samples.png, page]), samples.png],
  ['a PNG with a ZIP behind its end', Buffer.concat([samples.png, zip]), samples.png],
  [
    'a PNG with a text, a comment, EXIF and a profile',
    png([
      pngChunk('tEXt', page),
      pngChunk('iTXt', page),
      pngChunk('eXIf', Buffer.from('GPS')),
      pngChunk('iCCP', deflateSync(page)),
    ]),
    png(),
  ],
  ['a PNG with a private chunk', png([pngChunk('teSt', page)]), png()],
  ['an animated PNG', png([pngChunk('acTL', Buffer.alloc(8)), pngChunk('fcTL', Buffer.alloc(26))]), png()],
  ['a JPEG with a ZIP behind its end', Buffer.concat([jpeg(), zip]), jpeg()],
  ['a JPEG with HTML in a comment', jpeg([jpegSegment(0xfe, page)]), jpeg()],
  [
    'a JPEG with a place and a thumbnail',
    jpeg([exifSegment(1), jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), page]))]),
    jpeg(),
  ],
  ['a JPEG with a profile and an IPTC record', jpeg([jpegSegment(0xe2, page), jpegSegment(0xed, page)]), jpeg()],
  ['a JPEG with a second image behind it', Buffer.concat([jpeg(), jpeg()]), jpeg()],
  [
    'a WebP with EXIF and XMP',
    riff(extended(0x0c), lossy(8, 8), webpChunk('EXIF', page), webpChunk('XMP ', page)),
    riff(lossy(8, 8)),
  ],
  ['a WebP with HTML behind its end', Buffer.concat([riff(lossy(8, 8)), page]), riff(lossy(8, 8))],
  ['a WebP with an unknown chunk', riff(extended(0), webpChunk('EVIL', page), lossless(8, 8)), riff(lossless(8, 8))],
  [
    'a WebP whose canvas is another size than its image',
    riff(extended(0x10), webpChunk('ALPH', Buffer.from([0, 1])), lossy(4, 4)),
    riff(
      webpChunk('VP8X', Buffer.from([0x10, 0, 0, 0, 3, 0, 0, 3, 0, 0])),
      webpChunk('ALPH', Buffer.from([0, 1])),
      lossy(4, 4),
    ),
  ],
];

const slowest = { name: '', milliseconds: 0 };

/** The cleaned file, or why it is refused; any other error is thrown. */
function outcomeOf(name: string, file: Buffer): Buffer | DomainError {
  try {
    return cleanImage(file).bytes;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw new Error(`${name}: ${error}`, { cause: error });
  }
}

describe(`each of ${refused.length + stripped.length} hostile image files`, () => {
  it.each(refused)('is refused if it is %s', (name, file, message) => {
    const outcome = outcomeOf(name, file);
    expect(outcome).toBeInstanceOf(DomainError);
    expect((outcome as DomainError).message).toMatch(message);
    expect((outcome as DomainError).details.faults?.[0]?.path).toBe('image_id');
  });

  it.each(stripped)('loses only the hostile part if it is %s', (name, file, clean) => {
    expect(outcomeOf(name, file)).toEqual(clean);
  });

  it('takes less time than hashing 32 MB', () => {
    const hash = cpuMillisecondsOf(() =>
      createHash('sha256')
        .update(Buffer.alloc(2 ** 25))
        .digest(),
    );
    for (const [name, file] of [...refused, ...stripped]) {
      const milliseconds = cpuMillisecondsOf(() => outcomeOf(name, file));
      if (milliseconds > slowest.milliseconds) Object.assign(slowest, { name, milliseconds });
    }
    expect(slowest.milliseconds).toBeLessThan(hash);
  });

  afterAll(() =>
    console.log(
      `slowest of ${refused.length + stripped.length} hostile images: ${slowest.milliseconds.toFixed(1)} ms, ${slowest.name}`,
    ),
  );
});

describe('a good image', () => {
  it.each(Object.entries(samples))('in %s keeps its size, and a second cleaning changes nothing', (_, file) => {
    const clean = cleanImage(file);
    expect([clean.width, clean.height]).toEqual([24, 16]);
    expect(cleanImage(clean.bytes).bytes).toEqual(clean.bytes);
    expect(clean.bytes.includes('ICCP') || clean.bytes.includes('ICC_PROFILE')).toBe(false);
  });

  it('may have exactly 3,145,728 bytes', () => {
    expect(cleanImage(pngOfBytes(3_145_728)).bytes).toHaveLength(3_145_728);
    expect(() => cleanImage(pngOfBytes(3_145_729))).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
  });

  it('may be 8192 pixels wide and have 25 million of them', () => {
    expect(cleanImage(png([], { width: 8_192, height: 3_051 }))).toMatchObject({ width: 8_192, height: 3_051 });
    expect(cleanImage(png([], { width: 5_000, height: 5_000 }))).toMatchObject({ format: 'png' });
  });

  it('keeps palette, transparency and gamma of a PNG', () => {
    const chunks = [
      pngChunk('gAMA', Buffer.alloc(4)),
      pngChunk('PLTE', Buffer.alloc(6)),
      pngChunk('tRNS', Buffer.alloc(2)),
    ];
    expect(cleanImage(png(chunks)).bytes).toEqual(png(chunks));
  });

  it('keeps the colour encoding of a JPEG', () => {
    const adobe = jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe'), Buffer.from([0, 100, 0, 0, 0, 0, 1])]));
    expect(cleanImage(jpeg([adobe])).bytes).toEqual(jpeg([adobe]));
  });

  it.each([2, 3, 6, 8])(
    'from a rotated camera (%d) keeps its rotation, and loses all other metadata',
    (orientation) => {
      const { bytes } = cleanImage(jpeg([exifSegment(orientation)]));
      expect(bytes).toHaveLength(jpeg().length + 36);
      expect(bytes.toString('latin1')).not.toMatch(/GPS|Nik/);
      expect(bytes.subarray(2, 38).toString('hex')).toBe(
        `ffe10022457869660000${'4d4d002a00000008'}0001011200030000000100${orientation.toString(16).padStart(2, '0')}000000000000`,
      );
      expect(cleanImage(bytes).bytes).toEqual(bytes);
    },
  );

  it.each([0, 9, 65_535])('with the invalid orientation %d is treated as upright', (orientation) => {
    expect(cleanImage(jpeg([exifSegment(orientation)])).bytes).toEqual(jpeg());
  });
});

const good = [...Object.values(samples), png(), jpeg([exifSegment(6)]), riff(extended(0x10), lossy(8, 8))];

it('every good image that is changed in one byte or cut at any place is either cleaned or refused', () => {
  for (const file of good)
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file);
      changed[at] = (file[at] as number) ^ (1 << (at % 8));
      outcomeOf('changed', changed);
      outcomeOf('cut', file.subarray(0, at));
    }
});

/** A file that was cut, with some bytes of its own; a WebP claims the length that it has now, rounded up to an even one. */
function mutantOf(file: Buffer, random: () => number): Buffer {
  const mutant = Buffer.from(file.subarray(0, between(random, 12, file.length)));
  for (const _ of times(between(random, 0, 3)))
    mutant[between(random, 0, mutant.length - 1)] = pickOne(random, [0, 1, 0x7f, 0xff, between(random, 0, 255)]);
  if (mutant.toString('latin1', 0, 4) === 'RIFF') mutant.writeUInt32LE(mutant.length - 8 + (mutant.length % 2), 4);
  return mutant;
}

it('every good image is either cleaned or refused when several of its bytes are changed', () => {
  const random = seeded(8);
  for (const turn of times(5_000)) outcomeOf(`mutant ${turn}`, mutantOf(pickOne(random, good), random));
});
