import { localAws } from './local-aws.ts';

/** What the table's server answered instead of a result, by DynamoDB's own name: `ResourceInUseException`. */
export class DynamoError extends Error {
  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.name = type;
  }
}

/** The emulators want a signature without checking it; DynamoDB Local keeps a database per access key and region. */
const unchecked = {
  authorization: `AWS4-HMAC-SHA256 Credential=${localAws.accessKeyId}/20260101/${localAws.region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
  'x-amz-date': '20260101T000000Z',
};

function refusalOf(body: string): Error {
  const { __type: type, message } = JSON.parse(body) as { __type: string; message?: string };
  return new DynamoError(type.replace(/^.*#/, ''), message ?? body);
}

const services = { DynamoDB: 'DynamoDB_20120810', DynamoDBStreams: 'DynamoDBStreams_20120810' } as const;

/**
 * One call in DynamoDB's wire format, whose records are, byte for byte, what a stream hands to a function:
 * the SDK would decode them only for us to encode them again.
 * @throws DynamoError for a refusal, TypeError when nobody answers.
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
