import type { TableEngine } from './engine.ts';
import { answerRequest, wireContentType } from './protocol.ts';

interface WireRequest {
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

const textOf = (body: WireRequest['body']): string => (typeof body === 'string' ? body : decoder.decode(body));

const aborted = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

/** A `requestHandler` for the SDK's clients. It passes requests to the engine without a socket. */
export function directHandler(engine: TableEngine) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle({ headers, body }: WireRequest, options: { abortSignal?: unknown } = {}) {
      if ((options.abortSignal as AbortSignal | undefined)?.aborted) throw aborted();
      const answer = answerRequest(engine, headers['x-amz-target'] ?? '', textOf(body));
      const response = {
        statusCode: answer.status,
        headers: { 'content-type': wireContentType },
        body: encoder.encode(answer.body),
      };
      return { response };
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  };
}
