import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.ts';
import type { ReceivedBytes } from './receive.ts';
import { alreadyThere, BucketRefusal, badDigest } from './refusal.ts';

interface Upload {
  key: string;
  contentType?: string | undefined;
  /** Whether each part must have a SHA-256. */
  hasSha256: boolean;
  parts: Map<number, ReceivedBytes>;
}

/** A part in the list that the client sends at the end. */
interface NamedPart {
  number: number;
  etag: string | undefined;
  sha256: string | undefined;
}

/** The properties of the whole object that the client requires. */
interface Demands {
  size: number | undefined;
  isNew: boolean;
}

const smallestPartBytes = 5 * 1_024 * 1_024;
const mostParts = 10_000;

/** The uploads in parts. They are lost when the process ends. S3 also removes unfinished ones after some time. */
export class MultipartUploads {
  private readonly uploads = new Map<string, Upload>();
  private readonly store: ObjectStore;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  begin(upload: Omit<Upload, 'parts'>): string {
    const id = randomUUID();
    this.uploads.set(id, { ...upload, parts: new Map() });
    return id;
  }

  async addPart(place: { id: string; key: string; number: number }, part: ReceivedBytes): Promise<void> {
    const upload = this.get(place);
    if (!(place.number >= 1 && place.number <= mostParts))
      throw new BucketRefusal(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
    if (upload.hasSha256 && !part.hasSha256)
      throw new BucketRefusal(
        400,
        'InvalidRequest',
        'Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: null',
      );
    const file = join(this.store.directory, `part-${place.id}-${place.number}`);
    await rename(part.file, file);
    upload.parts.set(place.number, { ...part, file });
  }

  async finish(place: { id: string; key: string }, xml: string, demands: Demands) {
    const upload = this.get(place);
    const parts = chosenParts(upload, namedParts(xml));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if (demands.size !== undefined && demands.size !== size)
      throw new BucketRefusal(400, 'InvalidRequest', 'The provided object size does not match the size of the parts.');
    if (demands.isNew && (await this.store.find(place.key))) throw alreadyThere();
    await mkdir(this.store.directory, { recursive: true });
    const file = join(this.store.directory, `arriving-${place.id}`);
    await pipeline(async function* () {
      for (const part of parts) yield* createReadStream(part.file);
    }, createWriteStream(file));
    const etag = `"${digest(
      'md5',
      parts.map(({ md5 }) => Buffer.from(md5, 'hex')),
    ).toString('hex')}-${parts.length}"`;
    const whole = digest(
      'sha256',
      parts.map(({ sha256 }) => Buffer.from(sha256, 'base64')),
    ).toString('base64');
    const sha256 = upload.hasSha256 ? `${whole}-${parts.length}` : undefined;
    await this.store.put(place.key, file, { size, etag, sha256, contentType: upload.contentType });
    await this.abort(place);
    return { etag, sha256 };
  }

  async abort(place: { id: string; key: string }): Promise<void> {
    const { parts } = this.get(place);
    this.uploads.delete(place.id);
    await Promise.all([...parts.values()].map(({ file }) => rm(file, { force: true })));
  }

  private get({ id, key }: { id: string; key: string }): Upload {
    const upload = this.uploads.get(id);
    if (upload?.key === key) return upload;
    throw new BucketRefusal(404, 'NoSuchUpload', 'The specified upload does not exist.');
  }
}

const digest = (algorithm: string, pieces: readonly Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(pieces)).digest();

const namedParts = (xml: string): NamedPart[] =>
  [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => {
    const value = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(part)?.[1];
    return {
      number: Number(value('PartNumber')),
      etag: value('ETag')?.replaceAll('&quot;', '').replaceAll('"', ''),
      sha256: value('ChecksumSHA256'),
    };
  });

/** The parts in the client's list. They must exist as listed, be in order, and be large enough. */
function chosenParts({ parts, hasSha256 }: Upload, named: readonly NamedPart[]): ReceivedBytes[] {
  if (named.length === 0) throw new BucketRefusal(400, 'MalformedXML', 'The XML you provided was not well-formed.');
  if (named.some(({ number }, index) => index > 0 && number <= (named[index - 1]?.number ?? 0)))
    throw new BucketRefusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
  const chosen = named.map(({ number, etag, sha256 }) => {
    const part = parts.get(number);
    if (part?.md5 !== etag || !part)
      throw new BucketRefusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
    if (hasSha256 && sha256 !== part.sha256) throw badDigest();
    return part;
  });
  if (chosen.slice(0, -1).some(({ size }) => size < smallestPartBytes))
    throw new BucketRefusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
  return chosen;
}
