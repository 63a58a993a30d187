import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { BucketRefusal, badDigest } from './refusal.ts';

/** Bytes that have arrived. They are in a file that does not belong to an object yet. */
export interface ReceivedBytes {
  file: string;
  size: number;
  md5: string;
  /** The SHA-256 in base64. */
  sha256: string;
  /** Whether the sender gave the SHA-256. If so, S3 stores it with the object. */
  hasSha256: boolean;
}

/** Receives a body. Refuses it if it does not match its headers. */
export async function receive(request: IncomingMessage, directory: string): Promise<ReceivedBytes> {
  if (String(request.headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-'))
    throw new BucketRefusal(501, 'NotImplemented', 'The local bucket reads no body in signed chunks.');
  if (request.headers['content-length'] === undefined)
    throw new BucketRefusal(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  const file = join(directory, `arriving-${randomUUID()}`);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  let crc = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, next) {
      md5.update(chunk);
      sha256.update(chunk);
      crc = crc32(chunk, crc);
      size += chunk.length;
      next(null, chunk);
    },
  });
  try {
    await pipeline(request, measure, createWriteStream(file));
    const digest = sha256.digest();
    const crcBytes = Buffer.alloc(4);
    crcBytes.writeUInt32BE(crc);
    const arrival = { file, size, md5: md5.digest('hex'), sha256: digest.toString('base64') };
    const { headers } = request;
    assertEqual(headers['x-amz-checksum-sha256'], arrival.sha256);
    assertEqual(headers['x-amz-checksum-crc32'], crcBytes.toString('base64'));
    const signedHash = headers['x-amz-content-sha256'];
    if (signedHash !== 'UNSIGNED-PAYLOAD') assertEqual(signedHash, digest.toString('hex'));
    return { ...arrival, hasSha256: headers['x-amz-checksum-sha256'] !== undefined };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

function assertEqual(announced: string | string[] | undefined, actual: string): void {
  if (announced !== undefined && announced !== actual) throw badDigest();
}
