import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { eventIdsIn } from '../../../shared/events/bus-detail.ts';

interface Entry {
  Source: string;
  DetailType: string;
  Detail: string;
  EventBusName: string;
}

/** What becomes of an entry: taken, refused with a code, or, with the whole call, not answered at all. */
type BusVerdict = (entry: Entry) => 'taken' | 'InternalFailure' | 'ThrottlingException';

/** EventBridge over HTTP, for the real client: an answer of 200 that may hold refusals. */
export async function startHttpBus() {
  const taken: string[] = [];
  const calls: Entry[][] = [];
  const bus = { verdict: (() => 'taken') as BusVerdict };
  const answerOf = (entry: Entry) => {
    const verdict = bus.verdict(entry);
    if (verdict !== 'taken') return { ErrorCode: verdict, ErrorMessage: 'Try again.' };
    taken.push(...eventIdsIn(JSON.parse(entry.Detail)));
    return { EventId: `taken-${taken.length}` };
  };
  const server = await listenOnLoopback(async (request, response) => {
    const { Entries } = JSON.parse(String(await readBody(request, 1_048_576))) as { Entries: Entry[] };
    calls.push(Entries);
    const answers = Entries.map(answerOf);
    const FailedEntryCount = answers.filter((answer) => 'ErrorCode' in answer).length;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ FailedEntryCount, Entries: answers }));
  });
  return { url: `http://127.0.0.1:${server.port}`, taken, calls, bus, stop: () => server.close() };
}
