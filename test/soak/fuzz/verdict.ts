import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { findRouteIn } from '../../../infra/local/local-gateway.ts';
import { containsCardNumber } from '../../../shared/wire/text/card-number.ts';
import { problemMembers } from '../../support/wire/problem-members.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

const insides = /node_modules|\.ts:\d|\bat [A-Za-z.]+ \(|TypeError|RangeError|SyntaxError|ValidationException/;

const typeOf = (code: string): string => `urn:tillstack:problem:${code.toLowerCase().replaceAll('_', '-')}`;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What an error for a program has to be. */
function problemFaults({ status, headers, text }: FuzzAnswer): string[] {
  const body = parsed(text) as Record<string, unknown> | undefined;
  if (headers['content-type'] !== 'application/problem+json') return [`a ${status} of type ${headers['content-type']}`];
  if (!body) return [`a ${status} that is no JSON`];
  const code = String(body['code']);
  const errors = body['errors'] as { path?: string }[];
  return [
    ...problemMembers.filter((member) => !(member in body)).map((member) => `a problem without ${member}`),
    ...(body['status'] === status ? [] : ['a problem of another status']),
    ...(/^[A-Z_]+$/.test(code) && body['type'] === typeOf(code) ? [] : [`a problem of no known code: ${code}`]),
    ...(body['message'] === body['detail'] && typeof body['message'] === 'string'
      ? []
      : ['a problem with two messages']),
    ...(Array.isArray(errors) && body['param'] === (errors[0]?.path || null)
      ? []
      : ['a problem whose param is not its first error']),
    ...(status === 409 && !/^(true|false)$/.test(headers['x-should-retry'] ?? '')
      ? ['a 409 that says nothing of retries']
      : []),
  ];
}

function programFaults(answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer;
  if (status === 304 && headers['etag'] && text === '') return [];
  if (status !== 200) return problemFaults(answer);
  if (headers['content-type'] !== 'application/json') return [`a 200 of type ${headers['content-type']}`];
  return parsed(text) === undefined ? ['a 200 that is no JSON'] : [];
}

function pageFaults({ status, headers, text }: FuzzAnswer): string[] {
  const type = headers['content-type'] ?? '';
  if (status === 303)
    return headers['location']?.startsWith('/') || /^https:\/\//.test(headers['location'] ?? '')
      ? []
      : ['a 303 to nowhere'];
  if (status === 304 && headers['etag'] && text === '') return [];
  if (text === '' && (status === 204 || 'hx-refresh' in headers || 'hx-redirect' in headers)) return [];
  if (type.startsWith('text/csv') && status === 200) return [];
  if (!type.startsWith('text/html')) return [`a page of type ${type}`];
  return /^<!doctype html>/i.test(text) && text.trimEnd().endsWith('</html>') ? [] : ['a page that is not whole'];
}

const isJson = ({ headers }: FuzzRequest): boolean =>
  /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');

/** Programs price and pay a session too; its other forms are a browser's. */
const takesJson = (path: string): boolean => /\/(quote|pay)$/.test(path);

/** A program that asks for JSON gets the errors of pages as problems. */
const isProblemForProgram = ({ headers: { accept = '' } }: FuzzRequest, { headers }: FuzzAnswer): boolean =>
  accept.includes('json') && !accept.includes('text/html') && headers['content-type'] === 'application/problem+json';

/** What the route's answers are: for a program, for a browser, or a file. */
function dialectFaults(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const [path] = request.endpoint.paths;
  const type = answer.headers['content-type'] ?? '';
  if (isProblemForProgram(request, answer)) return problemFaults(answer);
  // no browser sends a page another method than GET, HEAD and POST
  if (answer.status === 405) return problemFaults(answer);
  // the docs are plain text for programs too: /llms.txt and the Markdown of each page
  if (path.startsWith('/docs') && answer.status === 200 && /^text\/(plain|markdown)/.test(type)) return [];
  if (/^\/(dashboard|buy|policies|docs|orders|downloads|withdraw|portal)\b/.test(path)) return pageFaults(answer);
  if (path.startsWith('/checkout/{id}'))
    return takesJson(path) && request.method === 'POST' && isJson(request) ? programFaults(answer) : pageFaults(answer);
  // an unknown address shows browsers a page
  if (path === '$default') return type.startsWith('text/html') ? pageFaults(answer) : programFaults(answer);
  if (path.startsWith('/assets/'))
    return answer.status === 200 && /css|javascript|svg|icon|plain/.test(type) ? [] : pageFaults(answer);
  if (path.startsWith('/images/'))
    return answer.status === 200 && type.startsWith('image/') ? [] : problemFaults(answer);
  if (/^\/invoices\/(payments|refunds)/.test(path)) {
    if (answer.status === 200 && /^(application\/(pdf|json)|text\/html)/.test(type)) return [];
    return type.startsWith('text/html') ? pageFaults(answer) : problemFaults(answer);
  }
  return programFaults(answer);
}

const isForProgram = ({ headers }: FuzzAnswer): boolean => /json/.test(headers['content-type'] ?? '');

/** Everything that is wrong with an answer; nothing for one in the dialect. */
export function answerFaults(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer;
  const broken = Object.entries(headers).filter(([, value]) => /[\r\n]/.test(String(value)));
  return [
    ...(status >= 500 || status < 200 ? [`the status ${status}`] : []),
    ...dialectFaults(request, answer),
    ...broken.map(([name]) => `a line break in ${name}`),
    ...(isForProgram(answer) && insides.test(text) ? ['insides in the answer'] : []),
    ...(isForProgram(answer) && containsCardNumber(text) ? ['a card number in the answer'] : []),
  ];
}

const match = findRouteIn(endpoints);

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};

/** The line of the route table that answers a request, whichever it was made for. */
export function actualEndpoint({ method, path, endpoint }: FuzzRequest): Endpoint {
  const route = match(method, decoded(path) ?? path);
  return endpoints.find((candidate) => candidate.function === route?.function) ?? endpoint;
}

/** What the server answers before there is a function: Node takes the text for no request. */
export const isOfGateway = ({ status, text }: FuzzAnswer): boolean =>
  [400, 431].includes(status) && text.startsWith('{"type":"about:blank"');
