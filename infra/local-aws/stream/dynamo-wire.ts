import { localAws } from '../local-aws.ts';
import { DynamoError } from '../table/dynamo-error.ts';

/**
 * Calls an operation of DynamoDB, such as `GetItem` or `GetRecords`, with JSON in its wire format. For a stream, a
 * server's response is passed on to a function without a change.
 * @throws DynamoError if the operation is refused
 */
export type TableCall = <Output>(operation: string, input: object) => Promise<Output>;

/**
 * Credentials that are not checked. Emulators only require that there is a signature. DynamoDB Local has a separate
 * database for each access key and region.
 */
const unchecked = {
  authorization: `AWS4-HMAC-SHA256 Credential=${localAws.accessKeyId}/20260101/${localAws.region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
  'x-amz-date': '20260101T000000Z',
};

function refusalOf(body: string): Error {
  const { __type: type, message, Message, ...details } = JSON.parse(body) as { [member: string]: string };
  return new DynamoError(String(type).replace(/^.*#/, ''), message ?? Message ?? body, details);
}

const services = { DynamoDB: 'DynamoDB_20120810', DynamoDBStreams: 'DynamoDBStreams_20120810' } as const;

/**
 * Makes one call in DynamoDB's wire format. So records are not decoded and encoded again.
 * @throws DynamoError if the call is refused; TypeError if no server answers
 */
export async function callDynamo<Output>(
  endpoint: string,
  service: keyof typeof services,
  operation: string,
  input: object,
): Promise<Output> {
  const target = `${services[service]}.${operation}`;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { ...unchecked, 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw refusalOf(await response.text());
  return (await response.json()) as Output;
}

const streamOperations = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);

/** Calls a server by its address. */
export const callAt =
  (endpoint: string): TableCall =>
  (operation, input) =>
    callDynamo(endpoint, streamOperations.has(operation) ? 'DynamoDBStreams' : 'DynamoDB', operation, input);
