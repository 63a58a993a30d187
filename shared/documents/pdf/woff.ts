import { inflateSync } from 'node:zlib';

const woffHeaderBytes = 44;
const woffEntryBytes = 20;
const sfntHeaderBytes = 12;
const sfntEntryBytes = 16;

/** A table of a font: its directory entry, and its content. */
interface FontTable {
  tag: Buffer;
  checksum: number;
  content: Buffer;
}

/**
 * Unpacks a WOFF 1.0 file (W3C Recommendation, 2012) to the OpenType file inside it. This is done once, with native
 * code. The font library would unpack a table again for every glyph.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is not a WOFF file.');
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => readTable(woff, index));
  return writeFont(woff.readUInt32BE(4), tables);
}

function readTable(woff: Buffer, index: number): FontTable {
  const entry = woff.subarray(woffHeaderBytes + index * woffEntryBytes);
  const [offset, packedBytes, bytes] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
  const packed = woff.subarray(offset, offset + packedBytes);
  const content = packedBytes < bytes ? inflateSync(packed, { maxOutputLength: bytes }) : packed;
  return { tag: entry.subarray(0, 4), checksum: entry.readUInt32BE(16), content };
}

function writeFont(flavor: number, tables: readonly FontTable[]): Buffer {
  const header = Buffer.alloc(sfntHeaderBytes + tables.length * sfntEntryBytes);
  const power = 2 ** Math.floor(Math.log2(tables.length));
  header.writeUInt32BE(flavor, 0);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(power * 16, 6);
  header.writeUInt16BE(Math.log2(power), 8);
  header.writeUInt16BE(tables.length * 16 - power * 16, 10);
  let offset = header.length;
  const contents = tables.map(({ tag, checksum, content }, index) => {
    const at = sfntHeaderBytes + index * sfntEntryBytes;
    tag.copy(header, at);
    header.writeUInt32BE(checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(content.length, at + 12);
    const padded = Buffer.alloc(Math.ceil(content.length / 4) * 4);
    content.copy(padded);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([header, ...contents]);
}
