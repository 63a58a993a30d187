import { localAws } from '../local-aws.ts';
import { DynamoError } from '../table/dynamo-error.ts';

/**
 * One operation of DynamoDB, such as `GetItem` or `GetRecords`, in the JSON of its wire format. A stream passes a
 * server's response to a function byte for byte.
 * @throws DynamoError for a refusal
 */
export type TableCall = <Output>(operation: string, input: object) => Promise<Output>;

/**
 * The emulators require a signature, but do not check it. DynamoDB Local keeps a database for each access key and
 * region.
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
 * Makes one call in DynamoDB's wire format, so records are not decoded and encoded again.
 * @throws DynamoError for a refusal, TypeError if no server answers
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
