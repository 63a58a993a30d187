import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { callAt } from '../../infra/local-aws/stream/dynamo-wire.ts';

it('the local server prints the address of each local service, answers there, and stops on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-aws-'));
  const server = spawn(process.execPath, ['infra/local-aws/server.ts', folder, 'images']);
  const ended = once(server, 'exit');
  const addresses = new Map<string, string>();
  for await (const line of createInterface(server.stdout)) {
    const [name = '', address = ''] = line.split('=');
    addresses.set(name, address);
    if (addresses.size === 3) break;
  }
  const table = addresses.get('AWS_ENDPOINT_URL_DYNAMODB') ?? '';
  expect(await callAt(table)('ListTables', {})).toEqual({ TableNames: [] });
  expect((await fetch(addresses.get('AWS_ENDPOINT_URL_S3') ?? '')).status).toBe(403);
  expect((await fetch(addresses.get('AWS_ENDPOINT_URL_SSM') ?? '', { method: 'POST' })).status).toBe(400);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await rm(folder, { recursive: true });
}, 30_000);
