import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { table } from '../../shared/wiring/runtime.ts';
import { certificates } from '../outside/webhooks/certificates.ts';

/** A row as DynamoDB writes it on the wire. */
type WireRow = Record<string, AttributeValue>;

/** Every row of the table that the functions of this process use. */
export async function readTable(): Promise<WireRow[]> {
  const { client, name } = table();
  const { Items: rows = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: name }));
  if (LastEvaluatedKey) throw new Error('The table has more rows than one page.');
  return rows;
}

interface Request {
  Key?: WireRow;
  RequestItems?: Record<string, { Keys: WireRow[] }>;
}

/** A value as it is on the wire: bytes as base64. */
const onWire = (value: AttributeValue): object => (value.B ? { B: Buffer.from(value.B).toString('base64') } : value);

const keyOf = ({ pk, sk }: WireRow): string => `${pk?.S} ${sk?.S}`;

/**
 * A table over TLS that answers GetItem and BatchGetItem with the given rows and forgets what is written to it,
 * so that every fresh process finds the same table.
 */
export async function startColdTable(rows: readonly WireRow[]): Promise<{ url: string; stop: () => void }> {
  const byKey = new Map(
    rows.map((row) => [
      keyOf(row),
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, onWire(value)])),
    ]),
  );
  const find = (key: WireRow): object | undefined => byKey.get(keyOf(key));
  const answers: Record<string, (request: Request) => object> = {
    GetItem: ({ Key = {} }) => ({ Item: find(Key) }),
    BatchGetItem: ({ RequestItems = {} }) => ({
      Responses: Object.fromEntries(
        Object.entries(RequestItems).map(([name, { Keys }]) => [name, Keys.map(find).filter(Boolean)]),
      ),
      UnprocessedKeys: {},
    }),
    PutItem: () => ({}),
    UpdateItem: () => ({}),
    TransactWriteItems: () => ({}),
  };
  const server = createServer(certificates.selfSigned, async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = JSON.parse(await text(request)) as Request;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    const answer = answers[operation];
    response.statusCode = answer ? 200 : 400;
    response.end(JSON.stringify(answer ? answer(body) : { __type: 'ValidationException', message: operation }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}
