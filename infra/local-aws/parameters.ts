import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { listenOnLoopback, readBody } from './loopback-server.ts';

/** A parameter store on this machine. */
export interface LocalParameters {
  url: string;
  /** Every parameter by its name. */
  values: Map<string, string>;
  /** The names in each call, in one entry for each call. */
  reads: string[];
  stop(): Promise<void>;
}

const Wanted = z.object({ Name: z.string(), WithDecryption: z.literal(true) });
const Names = z.object({ Names: z.array(z.string()).min(1).max(10) });
const Parameter = z.object({
  Name: z.string().regex(/^\/[\w./-]+$/),
  Value: z.string().min(1).max(4_096),
  Type: z.literal('SecureString'),
  Overwrite: z.boolean().default(false),
});

/** An error in the form of AWS: the answer has an error type and no value. */
class Refusal extends Error {}

type Operation = (parameters: LocalParameters, input: unknown) => object;

const operations: Readonly<Record<string, Operation>> = {
  GetParameter: ({ values, reads }, input) => {
    const { Name } = Wanted.parse(input);
    reads.push(Name);
    const Value = values.get(Name);
    if (Value === undefined) throw new Refusal('ParameterNotFound');
    return { Parameter: { Name, Type: 'SecureString', Value } };
  },
  PutParameter: ({ values }, input) => {
    const { Name, Value, Overwrite } = Parameter.parse(input);
    if (values.has(Name) && !Overwrite) throw new Refusal('ParameterAlreadyExists');
    values.set(Name, Value);
    return { Version: 1, Tier: 'Standard' };
  },
  DeleteParameters: ({ values }, input) => {
    const { Names: names } = Names.parse(input);
    const DeletedParameters = names.filter((name) => values.delete(name));
    return { DeletedParameters, InvalidParameters: names.filter((name) => !DeletedParameters.includes(name)) };
  },
};

const mostBytes = 64 * 1024;

/**
 * Starts a parameter store in memory. It checks that calls have a signature, but not whether the signature is right.
 */
export async function startParameters(): Promise<LocalParameters> {
  const server = await listenOnLoopback((request, response) => {
    answer(parameters, request, response).catch(() => response.destroy());
  });
  const parameters: LocalParameters = {
    url: `http://127.0.0.1:${server.port}`,
    values: new Map(),
    reads: [],
    stop: () => server.close(),
  };
  return parameters;
}

async function answer(parameters: LocalParameters, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readBody(request, mostBytes))?.toString() ?? '';
  const { status, content } = answerOf(parameters, request, body);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
}

function answerOf(parameters: LocalParameters, { headers }: IncomingMessage, body: string) {
  const [, operation = ''] = /^AmazonSSM\.(\w+)$/.exec(String(headers['x-amz-target'])) ?? [];
  try {
    if (!isSigned(headers)) throw new Refusal('MissingAuthenticationTokenException');
    const act = operations[operation];
    if (!act) throw new Refusal('UnknownOperationException');
    return { status: 200, content: act(parameters, JSON.parse(body)) };
  } catch (error) {
    return { status: 400, content: { __type: error instanceof Refusal ? error.message : 'ValidationException' } };
  }
}

const isSigned = ({ authorization = '' }: IncomingMessage['headers']): boolean =>
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/ssm\/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$/.test(
    authorization,
  );
