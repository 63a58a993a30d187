import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback, readBody } from '../../local-aws/loopback-server.ts';
import { type Answer, abnAnswer, brregAnswer, hmrcAnswer, viesAnswer } from './register-answers.ts';
import { behaviourById, type Question, type RegisterBehaviour } from './register-behaviours.ts';

export interface FakeRegistersOptions {
  /** The delay of the behaviour `slow` in milliseconds. */
  slowMs?: number;
  /** The credentials that the fake HMRC and the fake Australian register require. */
  clientId?: string;
  clientSecret?: string;
  guid?: string;
}

/** Fake registers of tax ids on this machine. They can fail like the real ones. */
export interface FakeRegisters {
  url: string;
  /** Chooses the behaviour for a question. By default, the digits of the id decide. */
  behave: (question: Question) => RegisterBehaviour;
  /** The name under which a business is registered. */
  nameOf: (id: string) => string;
  /** All questions, in order. */
  questions: Question[];
  stop(): Promise<void>;
}

const mostBytes = 64 * 1024;

export async function startFakeRegisters(options: FakeRegistersOptions = {}): Promise<FakeRegisters> {
  const server = await listenOnLoopback((request, response) => {
    serve(fake, options, request, response).catch(() => response.destroy());
  });
  const fake: FakeRegisters = {
    url: `http://127.0.0.1:${server.port}`,
    behave: behaviourById,
    nameOf: () => 'Example Business',
    questions: [],
    stop: () => server.close(),
  };
  return fake;
}

async function serve(
  fake: FakeRegisters,
  options: FakeRegistersOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = ((await readBody(request, mostBytes)) ?? Buffer.alloc(0)).toString();
  const url = new URL(request.url ?? '/', fake.url);
  const [, register = '', ...path] = url.pathname.split('/');
  const answer = answers[register]?.({ fake, options, request, url, path, body });
  if (!answer) return send(response, { status: 404, body: '<html>Not found</html>' });
  await play(response, answer, options);
}

interface Asked {
  fake: FakeRegisters;
  options: FakeRegistersOptions;
  request: IncomingMessage;
  url: URL;
  path: string[];
  body: string;
}

type Played = Answer & { behaviour?: RegisterBehaviour };

/** Records a question about a tax id, and decides how the fake register answers it. */
function put({ fake }: Asked, question: Question): { behaviour: RegisterBehaviour; name: string } {
  fake.questions.push(question);
  const behaviour = fake.behave(question);
  return { behaviour, name: behaviour === 'valid without a name' ? '---' : fake.nameOf(question.id) };
}

const answers: Readonly<Record<string, (asked: Asked) => Played | undefined>> = {
  vies: (asked) => {
    if (asked.path.join('/') !== 'check-vat-number' || asked.request.method !== 'POST') return undefined;
    const { countryCode, vatNumber, requesterMemberStateCode, requesterNumber } = JSON.parse(asked.body);
    const requester = requesterNumber && `${requesterMemberStateCode}${requesterNumber}`;
    const question = { register: 'vies' as const, id: `${countryCode}${vatNumber}`, requester };
    const how = put(asked, question);
    return { ...viesAnswer(question, how), behaviour: how.behaviour };
  },
  brreg: (asked) => {
    const [units, id = ''] = asked.path;
    if (units !== 'enheter') return undefined;
    const how = put(asked, { register: 'brreg', id });
    return { ...brregAnswer(id, how), behaviour: how.behaviour };
  },
  hmrc: (asked) => (asked.path[0] === 'oauth' ? token(asked) : britishLookup(asked)),
  abn: (asked) => {
    const id = asked.url.searchParams.get('abn') ?? '';
    const isKnown = asked.url.searchParams.get('guid') === asked.options.guid;
    const how = put(asked, { register: 'abn', id });
    return { ...abnAnswer(id, how, isKnown), behaviour: how.behaviour };
  },
};

const bearer = 'a-token-of-the-fake';

function token({ options, body }: Asked): Played {
  const form = new URLSearchParams(body);
  const isKnown =
    form.get('client_id') === options.clientId &&
    form.get('client_secret') === options.clientSecret &&
    form.get('grant_type') === 'client_credentials';
  if (!isKnown) return { status: 401, body: JSON.stringify({ error: 'invalid_client' }) };
  return { status: 200, body: JSON.stringify({ access_token: bearer, token_type: 'bearer', expires_in: 14_400 }) };
}

function britishLookup(asked: Asked): Played | undefined {
  const { request, path } = asked;
  const [id = '', requester] = path.slice(4);
  if (path.slice(0, 4).join('/') !== 'organisations/vat/check-vat-number/lookup') return undefined;
  if (request.headers.authorization !== `Bearer ${bearer}`)
    return { status: 401, body: JSON.stringify({ code: 'INVALID_CREDENTIALS' }) };
  if (request.headers.accept !== 'application/vnd.hmrc.2.0+json')
    return { status: 406, body: JSON.stringify({ code: 'ACCEPT_HEADER_INVALID' }) };
  const question = { register: 'hmrc' as const, id, requester };
  const how = put(asked, question);
  return { ...hmrcAnswer(question, how), behaviour: how.behaviour };
}

const defaultSlowMs = 5_000;

/** Sends an answer, which the behaviour may change. */
async function play(
  response: ServerResponse,
  { behaviour = 'valid', ...answer }: Played,
  { slowMs = defaultSlowMs }: FakeRegistersOptions,
): Promise<void> {
  if (behaviour === 'drops the connection') return void response.destroy();
  if (behaviour === 'HTML') return send(response, { status: 200, body: '<html><body>Maintenance</body></html>' });
  if (behaviour === 'half an answer') {
    response.writeHead(answer.status, { 'content-length': Buffer.byteLength(answer.body) });
    response.write(answer.body.slice(0, Math.floor(answer.body.length / 2)));
    await pause(10);
    return void response.destroy();
  }
  if (behaviour === 'slow') await pause(slowMs, undefined, { ref: false });
  if (behaviour === 'too many requests') return send(response, { status: 429, body: '{}' });
  send(response, answer);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' });
  response.end(body);
}
