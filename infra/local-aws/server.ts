import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startBucket } from './bucket.ts';
import { startParameters } from './parameters.ts';
import { TableEngine } from './table/engine.ts';
import { serveEngine } from './table/server.ts';

/**
 * Runs as `node infra/local-aws/server.ts FOLDER BUCKET…`. It serves tables, buckets and parameters until it is
 * stopped, and prints their addresses.
 */
const [folder, ...bucketNames] = process.argv.slice(2);
if (folder === undefined || bucketNames.length === 0) throw new Error('node infra/local-aws/server.ts FOLDER BUCKET…');
await mkdir(folder, { recursive: true });

const engine = new TableEngine(join(folder, 'dynamodb.sqlite'));
const [tables, bucket, parameters] = await Promise.all([
  serveEngine(engine),
  startBucket({ bucketNames, dataDirectory: folder }),
  startParameters(),
]);

const addresses = {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${tables.port}`,
  AWS_ENDPOINT_URL_S3: bucket.url,
  AWS_ENDPOINT_URL_SSM: parameters.url,
};
for (const [name, address] of Object.entries(addresses)) process.stdout.write(`${name}=${address}\n`);

process.once('SIGTERM', async () => {
  await Promise.all([tables.close(), bucket.stop(), parameters.stop()]);
  engine.close();
});
