import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const KeptObject = z.object({
  size: z.int(),
  etag: z.string(),
  contentType: z.string().optional(),
  /** The SHA-256 in base64. For an upload in parts, it ends with the number of parts. */
  sha256: z.string().optional(),
  modifiedAt: z.string(),
});
export type KeptObject = z.infer<typeof KeptObject>;

/** The objects of a bucket. Each has two files, named by a hash of its key, so that no key leads out of the folder. */
export class ObjectStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  fileOf(key: string): string {
    return join(this.directory, createHash('sha256').update(key).digest('hex'));
  }

  async find(key: string): Promise<KeptObject | undefined> {
    const text = await readFile(`${this.fileOf(key)}.json`, 'utf8').catch(unlessMissing);
    return text === undefined ? undefined : KeptObject.parse(JSON.parse(text));
  }

  /** Stores a received file as the content of an object. */
  async put(key: string, file: string, object: Omit<KeptObject, 'modifiedAt'>): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    await rename(file, this.fileOf(key));
    await writeFile(
      `${this.fileOf(key)}.json`,
      JSON.stringify({ ...object, key, modifiedAt: new Date().toISOString() }),
    );
  }

  async delete(key: string): Promise<void> {
    await rm(`${this.fileOf(key)}.json`, { force: true });
    await rm(this.fileOf(key), { force: true });
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
