import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../loopback-server.ts';
import { MultipartUploads } from './multipart.ts';
import { type KeptObject, ObjectStore } from './object-store.ts';
import { receive } from './receive.ts';
import { alreadyThere, BucketRefusal, missingObject } from './refusal.ts';

/** A signed request for an object. */
export interface ObjectRequest {
  request: IncomingMessage;
  response: ServerResponse;
  key: string;
  query: URLSearchParams;
}

/** The largest object that one PUT may contain. */
const mostPutBytes = 5 * 1_024 ** 3;
const mostXmlBytes = 4 * 1_024 * 1_024;

/** Handles HTTP requests for the objects of one bucket. */
export class Objects {
  private readonly store: ObjectStore;
  private readonly uploads: MultipartUploads;

  constructor(directory: string) {
    this.store = new ObjectStore(directory);
    this.uploads = new MultipartUploads(this.store);
  }

  async answer(call: ObjectRequest): Promise<void> {
    const { method } = call.request;
    if (call.query.has('uploads') || call.query.has('uploadId')) return this.answerPart(call);
    if (method === 'GET' || method === 'HEAD') return this.get(call);
    if (method === 'PUT') return this.put(call);
    if (method === 'DELETE') return this.delete(call);
    throw unknownOperation();
  }

  private async answerPart(call: ObjectRequest): Promise<void> {
    const { method } = call.request;
    if (method === 'POST') return call.query.has('uploads') ? this.begin(call) : this.finish(call);
    if (method === 'PUT') return this.putPart(call);
    if (method === 'DELETE') return this.abort(call);
    throw unknownOperation();
  }

  private async put({ request, response, key }: ObjectRequest): Promise<void> {
    assertPutSize(request);
    await this.assertNew(request, key);
    await mkdir(this.store.directory, { recursive: true });
    const arrival = await receive(request, this.store.directory);
    try {
      await this.assertNew(request, key); // Another request may have created the object first.
    } catch (error) {
      await rm(arrival.file, { force: true });
      throw error;
    }
    const { size, md5, sha256, hasSha256, file } = arrival;
    const object = { size, etag: `"${md5}"`, contentType: request.headers['content-type'] };
    await this.store.put(key, file, { ...object, sha256: hasSha256 ? sha256 : undefined });
    response.writeHead(200, { etag: object.etag, ...(hasSha256 && { 'x-amz-checksum-sha256': sha256 }) }).end();
  }

  private async assertNew({ headers }: IncomingMessage, key: string): Promise<void> {
    if (headers['if-none-match'] === '*' && (await this.store.find(key))) throw alreadyThere();
  }

  private async get({ request, response, key, query }: ObjectRequest): Promise<void> {
    const object = await this.store.find(key);
    if (!object) throw missingObject();
    const range = rangeOf(request, object);
    const headers = {
      ...objectHeaders(object, query),
      ...(request.headers['x-amz-checksum-mode'] === 'ENABLED' &&
        object.sha256 && { 'x-amz-checksum-sha256': object.sha256 }),
      'content-length': range ? range.end - range.start + 1 : object.size,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${object.size}` }),
    };
    response.writeHead(range ? 206 : 200, headers);
    if (request.method === 'HEAD' || object.size === 0) return void response.end();
    await pipeline(createReadStream(this.store.fileOf(key), range), response);
  }

  private async delete({ response, key }: ObjectRequest): Promise<void> {
    await this.store.delete(key);
    response.writeHead(204).end();
  }

  private async begin({ request, response, key }: ObjectRequest): Promise<void> {
    const { 'content-type': contentType, 'x-amz-checksum-algorithm': algorithm } = request.headers;
    const id = this.uploads.begin({ key, contentType, hasSha256: algorithm === 'SHA256' });
    xml(
      response,
      `<InitiateMultipartUploadResult><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  private async putPart({ request, response, key, query }: ObjectRequest): Promise<void> {
    assertPutSize(request);
    await mkdir(this.store.directory, { recursive: true });
    const arrival = await receive(request, this.store.directory);
    try {
      await this.uploads.addPart({ ...uploadOf(key, query), number: Number(query.get('partNumber')) }, arrival);
    } catch (error) {
      await rm(arrival.file, { force: true });
      throw error;
    }
    const { md5, sha256, hasSha256 } = arrival;
    response.writeHead(200, { etag: `"${md5}"`, ...(hasSha256 && { 'x-amz-checksum-sha256': sha256 }) }).end();
  }

  private async finish({ request, response, key, query }: ObjectRequest): Promise<void> {
    const body = await readBody(request, mostXmlBytes);
    const size = request.headers['x-amz-mp-object-size'];
    const demands = {
      size: size === undefined ? undefined : Number(size),
      isNew: request.headers['if-none-match'] === '*',
    };
    const { etag, sha256 } = await this.uploads.finish(uploadOf(key, query), body?.toString() ?? '', demands);
    const checksum = sha256 ? `<ChecksumSHA256>${sha256}</ChecksumSHA256><ChecksumType>COMPOSITE</ChecksumType>` : '';
    xml(
      response,
      `<CompleteMultipartUploadResult><Key>${escaped(key)}</Key><ETag>${escaped(etag)}</ETag>${checksum}</CompleteMultipartUploadResult>`,
    );
  }

  private async abort({ response, key, query }: ObjectRequest): Promise<void> {
    await this.uploads.abort(uploadOf(key, query));
    response.writeHead(204).end();
  }
}

const unknownOperation = (): BucketRefusal =>
  new BucketRefusal(501, 'NotImplemented', 'The local bucket does not know this operation.');

const uploadOf = (key: string, query: URLSearchParams) => ({ key, id: query.get('uploadId') ?? '' });

function assertPutSize({ headers }: IncomingMessage): void {
  if (Number(headers['content-length']) > mostPutBytes)
    throw new BucketRefusal(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
}

/** The headers of an object. A signed address can replace some of them. */
function objectHeaders(object: KeptObject, query: URLSearchParams): Record<string, string> {
  const replaced = ['content-type', 'content-disposition', 'content-language', 'content-encoding', 'cache-control'];
  const overrides = replaced.flatMap((name) => {
    const value = query.get(`response-${name}`);
    return value === null ? [] : [[name, value]];
  });
  return {
    'accept-ranges': 'bytes',
    etag: object.etag,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'content-type': object.contentType ?? 'binary/octet-stream',
    ...Object.fromEntries(overrides),
  };
}

/**
 * The requested part of an object. Undefined for the whole object. It is also undefined if the object has changed since
 * the client began to read it.
 */
function rangeOf({ headers }: IncomingMessage, { size, etag }: KeptObject) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const begun = headers['if-range'];
  if ((first === '' && last === '') || (begun !== undefined && begun !== etag)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start <= end) return { start, end };
  throw new BucketRefusal(416, 'InvalidRange', 'The requested range is not satisfiable');
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const xml = (response: ServerResponse, body: string): void =>
  void response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
