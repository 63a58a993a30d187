import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Invoke } from '../functions.ts';
import { reportFailure } from '../log.ts';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { asynchronousCalls } from './asynchronous.ts';
import { type EventPattern, matchesPattern } from './event-pattern.ts';
import { busEventOf, EntryRefusal, type PutEventsEntry, parsePutEvents } from './put-events.ts';

/** A rule: the function that is called with the events that match a pattern. */
interface LocalBusRule {
  function: string;
  pattern: EventPattern;
}

interface EventBusOptions {
  busName: string;
  rules: readonly LocalBusRule[];
  invoke: Invoke;
  /** The pauses in milliseconds before each repetition of a failed call. */
  retryDelaysMs?: readonly number[];
}

export interface LocalBus {
  /** The address, as the value of AWS_ENDPOINT_URL_EVENTBRIDGE. */
  url: string;
  /** Accepts no more events, and waits for running calls. */
  stop(): Promise<void>;
}

type Dispatch = (event: { source: string }) => void;

const maxRequestBytes = 1024 * 1024;

/** The answer for one entry. It was accepted, or the answer has the reason why not. */
function answerEntry(
  entry: PutEventsEntry,
  busName: string,
  dispatch: Dispatch,
): { EventId: string } | { ErrorCode: string; ErrorMessage: string } {
  try {
    const event = busEventOf(entry, busName);
    dispatch(event);
    return { EventId: event.id };
  } catch (error) {
    if (!(error instanceof EntryRefusal)) throw error;
    return { ErrorCode: error.code, ErrorMessage: error.message };
  }
}

const fault = (type: string, message: string) => ({ status: 400, body: { __type: type, message } });

async function answer(
  request: IncomingMessage,
  busName: string,
  dispatch: Dispatch,
): Promise<{ status: number; body: object }> {
  const body = await readBody(request, maxRequestBytes);
  const operation = request.headers['x-amz-target'];
  if (operation !== 'AWSEvents.PutEvents') return fault('UnknownOperationException', `No operation ${operation}.`);
  const entries = body && parsePutEvents(body.toString());
  if (!entries) return fault('ValidationException', 'Not a list of one to ten entries, of at most 1 MB together.');
  const answers = entries.map((entry) => answerEntry(entry, busName, dispatch));
  return {
    status: 200,
    body: { FailedEntryCount: answers.filter((one) => 'ErrorCode' in one).length, Entries: answers },
  };
}

function reply(response: ServerResponse, { status, body }: { status: number; body: object }): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** Starts an EventBridge bus on this machine. It has PutEvents over HTTP, rules, and asynchronous calls. */
export async function startEventBus(options: EventBusOptions): Promise<LocalBus> {
  const { busName, rules, invoke, retryDelaysMs = [200, 1_000] } = options;
  const calls = asynchronousCalls(invoke, retryDelaysMs);
  const dispatch: Dispatch = (event) => {
    for (const { function: name, pattern } of rules) if (matchesPattern(pattern, event)) calls.start(name, event);
  };
  const listener: RequestListener = (request, response) => {
    answer(request, busName, dispatch)
      .then((result) => reply(response, result))
      .catch((error: unknown) => {
        reportFailure('The bus failed.', error);
        response.destroy();
      });
  };
  const server = await listenOnLoopback(listener);
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: async () => {
      await server.close();
      await calls.stop();
    },
  };
}
