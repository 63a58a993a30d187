import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../infra/local/sandbox.ts';
import type { Invoke } from '../../infra/local-aws/functions.ts';
import { listenOnLoopback } from '../../infra/local-aws/loopback-server.ts';
import { env } from '../../shared/env.ts';
import { collectLog } from './log.ts';

collectLog();
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.stop();
  sandbox = undefined;
});

/** A sandbox that runs these instead of the functions of the repository; `calls` are their names. */
async function sandboxWith(functions: Record<string, () => unknown>, options: SandboxOptions = {}) {
  const calls: string[] = [];
  const invoke: Invoke = async (functionName) => {
    calls.push(functionName);
    return functions[functionName]?.();
  };
  sandbox = await startSandbox({ port: 0, sweepSeconds: 60, invoke, ...options });
  return { sandbox, calls };
}

const event = { pk: { S: 'EVENT#1' }, sk: { S: 'EVENT' }, entity: { S: 'EVENT' } };

describe('the local sandbox', () => {
  it('gives functions and clients the addresses of all services in their environment', async () => {
    const { sandbox } = await sandboxWith({}, { environment: { EXTRA: 'yes' } });
    expect(env.publicUrl()).toBe(sandbox.url);
    expect(env.tableName()).toBe(sandbox.tableName);
    expect(env.stage()).toBe('sandbox');
    expect(env.merchant().name).toBe('Example Books');
    expect(env.allowsLoopbackWebhooks()).toBe(true);
    expect(process.env['EXTRA']).toBe('yes');
    const image = { Bucket: env.bucketName(), Key: 'cover.png', Body: 'x' };
    await expect(new S3Client().send(new PutObjectCommand(image))).resolves.toHaveProperty('ETag');
  });

  it('passes an event from table to dispatcher through stream and bus, and through the queue to the documents', async () => {
    const entry = { Source: 'tillstack', DetailType: 'payment.succeeded', Detail: '{}' };
    const messages = [{ Id: '0', MessageBody: '{}' }];
    const publish = () => {
      const client = new SQSClient({ endpoint: new URL(env.documentQueueUrl()).origin });
      return Promise.all([
        new EventBridgeClient().send(new PutEventsCommand({ Entries: [{ ...entry, EventBusName: env.busName() }] })),
        client.send(new SendMessageBatchCommand({ QueueUrl: env.documentQueueUrl(), Entries: messages })),
      ]);
    };
    const { calls } = await sandboxWith({ 'events/relay-events': () => publish().then(() => undefined) });
    await new DynamoDBClient().send(new PutItemCommand({ TableName: env.tableName(), Item: event }));
    const workers = ['documents/issue-documents', 'events/relay-events', 'webhooks/dispatch-webhook'];
    await vi.waitFor(() => expect(calls.toSorted()).toEqual(workers), { timeout: 10_000 });
  });

  it('serves the routes of the stack, and runs the sweep', async () => {
    const { sandbox, calls } = await sandboxWith(
      { 'products/list-products': () => ({ items: [] }) },
      { sweepSeconds: 0.01 },
    );
    expect(await (await fetch(`${sandbox.url}/products`)).json()).toEqual({ items: [] });
    await vi.waitFor(() => expect(calls).toContain('events/sweep-due'));
  });

  it('reports in one line that its port is in use, and names the option for another port', async () => {
    const other = await listenOnLoopback(() => {});
    await expect(startSandbox({ port: other.port })).rejects.toMatchObject({
      message: `Port ${other.port} is in use. Choose another one with --port.`,
    });
    await other.close();
  });

  it('stops every server when it is closed', async () => {
    const { sandbox: stopped } = await sandboxWith({});
    await stopped.stop();
    const addresses = [stopped.url, ...Object.values(stopped.endpoints)];
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow('fetch failed');
  });
});
