import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, listenOnLoopback, readBody } from '../loopback-server.ts';
import type { TableEngine } from './engine.ts';
import { answerRequest, type WireAnswer, wireContentType } from './protocol.ts';

const mostBytes = 16 * 1_024 * 1_024;

const refusal = (name: string, message: string): WireAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message }),
});

/**
 * Answers an HTTP request. It must have a signature, like with DynamoDB. The signature is not checked, because this
 * machine has no secret.
 */
async function answerTo(engine: TableEngine, request: IncomingMessage): Promise<WireAnswer> {
  const body = await readBody(request, mostBytes);
  if (!body) return refusal('SerializationException', 'The request is larger than 16 MB');
  if (!request.headers.authorization)
    return refusal('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  return answerRequest(engine, String(request.headers['x-amz-target']), body.toString());
}

/** Serves an engine to other processes on this machine: the AWS CLI, a script, or a test over HTTP. */
export function serveEngine(engine: TableEngine): Promise<LoopbackServer> {
  return listenOnLoopback((request: IncomingMessage, response: ServerResponse) => {
    answerTo(engine, request).then(
      ({ status, body }) => {
        const length = Buffer.byteLength(body);
        response.writeHead(status, { 'content-type': wireContentType, 'content-length': length }).end(body);
      },
      () => request.destroy(),
    );
  });
}
