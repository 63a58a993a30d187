import { DynamoError, malformed } from './dynamo-error.ts';
import type { TableEngine } from './engine.ts';

/** One answer in DynamoDB's wire format. */
export interface WireAnswer {
  status: number;
  body: string;
}

export const wireContentType = 'application/x-amz-json-1.0';

const services = new Set(['DynamoDB_20120810', 'DynamoDBStreams_20120810']);
const namespace = 'com.amazonaws.dynamodb.v20120810';

function inputOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed('The request is not JSON');
  }
}

function operationIn(target: string): string {
  const [service = '', operation = ''] = target.split('.');
  if (!services.has(service)) throw new DynamoError('UnknownOperationException', `No operation at ${target}`);
  return operation;
}

/** The answer for an error. An error inside the engine is a server error, so a client may retry like with DynamoDB. */
function refusalOf(error: unknown): WireAnswer {
  const isRefusal = error instanceof DynamoError;
  const name = isRefusal ? error.name : 'InternalServerError';
  const message = error instanceof Error ? error.message : String(error);
  const named = name === 'TransactionCanceledException' ? { Message: message } : { message };
  const body = JSON.stringify({ __type: `${namespace}#${name}`, ...named, ...(isRefusal && error.details) });
  return { status: isRefusal ? 400 : 500, body };
}

/** Answers a request; `target` is its header `x-amz-target`. */
export function answerRequest(engine: TableEngine, target: string, body: string): WireAnswer {
  try {
    return { status: 200, body: engine.call(operationIn(target), inputOf(body)) };
  } catch (error) {
    return refusalOf(error);
  }
}
