import { createHash } from 'node:crypto';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';

interface Message {
  Id: string;
  MessageBody: string;
}

/** What becomes of a message: taken, refused with a code, or, with the whole call, cut off or left without an answer. */
type QueueVerdict = (message: Message) => 'taken' | 'InternalError' | 'no answer' | 'silence';

/** SQS over HTTP, for the real client: an answer of 200 that may hold refusals. Its count of waiting messages is 0. */
export async function startHttpQueue() {
  const taken: string[] = [];
  const calls: Message[][] = [];
  const queue = { verdict: (() => 'taken') as QueueVerdict };
  const server = await listenOnLoopback(async (request, response) => {
    const { Entries } = JSON.parse(String(await readBody(request, 1_048_576))) as { Entries?: Message[] };
    if (!Entries) return void response.end('{"Attributes":{"ApproximateNumberOfMessages":"0"}}');
    calls.push(Entries);
    const verdicts = Map.groupBy(Entries, queue.verdict);
    if (verdicts.has('silence')) return;
    if (verdicts.has('no answer')) return void response.destroy();
    const accepted = verdicts.get('taken') ?? [];
    taken.push(...accepted.map(({ MessageBody }) => JSON.parse(MessageBody).detail.event_id));
    const Successful = accepted.map(({ Id, MessageBody }) => {
      const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
      return { Id, MessageId: `taken-${Id}`, MD5OfMessageBody };
    });
    const refused = verdicts.get('InternalError') ?? [];
    const Failed = refused.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false }));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ Successful, Failed }));
  });
  const url = `http://127.0.0.1:${server.port}/000000000000/documents`;
  return { url, taken, calls, queue, stop: () => server.close() };
}
