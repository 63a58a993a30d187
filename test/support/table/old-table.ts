import { readFileSync } from 'node:fs';
import { type AttributeValue, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { table } from '../../../shared/wiring/runtime.ts';

const folder = new URL('../../upgrade/v0.1/', import.meta.url);
const fileOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

type Names = Readonly<Record<string, string>>;

/** What the table of version 0.1 holds, by name. */
interface OldTable {
  dumpedAt: string;
  /** Plain API keys, which open this fixture only. */
  keys: Names;
  cookie: string;
  brand: string;
  tax: { registration: string; override: string };
  products: Names;
  sessions: Names;
  payments: Names;
  refunds: Names;
  hooks: Names;
  /** The bytes of published images in base64, by file name. */
  images: Names;
}

export const oldTable: OldTable = JSON.parse(fileOf('manifest.json'));

type Row = Record<string, AttributeValue>;

/** In DynamoDB's JSON bytes are base64. */
const revive = (_: string, value: unknown): unknown => {
  const isBytes = typeof value === 'object' && value !== null && 'B' in value && typeof value.B === 'string';
  return isBytes ? { B: Buffer.from(value.B as string, 'base64') } : value;
};

/** The rows that 0.1's handlers wrote. */
export const oldRows = (): Row[] =>
  fileOf('table.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, revive) as Row);

const atOnce = 25;

/** Puts the rows of version 0.1 into the functions' table, where nothing of theirs is yet. */
export async function loadOldTable(): Promise<void> {
  const { client, name } = table();
  const rows = oldRows();
  for (let first = 0; first < rows.length; first += atOnce) {
    const requests = rows.slice(first, first + atOnce).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: requests } }));
  }
}

/** Puts the images of version 0.1 into a bucket on this machine. */
export async function loadOldImages(endpoint: string): Promise<void> {
  const s3 = new S3Client({ endpoint, region: localAws.region, credentials: localAws, forcePathStyle: true });
  for (const [name, base64] of Object.entries(oldTable.images)) {
    const object = { Bucket: localNames.bucket, Key: `images/${name}`, Body: Buffer.from(base64, 'base64') };
    await s3.send(new PutObjectCommand(object));
  }
  s3.destroy();
}
