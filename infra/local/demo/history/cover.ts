import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

/** A circle in a colour of the palette. A later circle is drawn over earlier ones. */
interface Circle {
  x: number;
  y: number;
  radius: number;
  colour: number;
}

/** A picture of circles on a background in the first colour of its palette. All lengths are in percent of its side. */
export interface Cover {
  palette: readonly Colour[];
  circles: readonly Circle[];
}

const side = 600;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** The pixels, line by line. Each line begins with its filter type, which is "none". */
function pixels({ circles }: Cover): Buffer {
  const lines = Buffer.alloc(side * (side + 1));
  for (const { x, y, radius, colour } of circles.map(inPixels))
    for (let row = Math.max(0, Math.ceil(y - radius)); row < Math.min(side, y + radius); row += 1) {
      const half = Math.sqrt(radius ** 2 - (row - y) ** 2);
      const [from, to] = [Math.max(0, Math.round(x - half)), Math.min(side, Math.round(x + half))];
      if (from < to) lines.fill(colour, row * (side + 1) + 1 + from, row * (side + 1) + 1 + to);
    }
  return lines;
}

const inPixels = ({ x, y, radius, colour }: Circle): Circle => ({
  x: (x * side) / 100,
  y: (y * side) / 100,
  radius: (radius * side) / 100,
  colour,
});

/** Draws a cover as a PNG with a palette. It has a few kB, and has the same bytes each time. */
export function drawCover(cover: Cover): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(cover.palette.flat())),
    chunk('IDAT', deflateSync(pixels(cover), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
