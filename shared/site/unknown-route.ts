import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../domain/errors.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { edge } from '../http/edge.ts';
import { anyOrigin } from '../http/open-endpoint.ts';
import { type Page, type PageRequest, type PageRoute, requestOf } from '../http/page.ts';
import { presentProblem, ruleOf, toDomainError } from '../http/problem.ts';
import { seeOther } from '../pages/headers.ts';
import { methodsAt } from './known-routes.ts';
import { missingOperation } from './missing-operations.ts';

interface UnknownRouteDeps {
  env: {
    merchant: () => Merchant;
    stage: () => Stage;
    publicUrl: () => string;
    /** All methods and paths that the stack answers, as in the route table. */
    routes: () => readonly string[];
  };
  /** Shows errors for paths below `/dashboard`. `refuseBuyer` shows them for all other paths. */
  refuseMember: PageRoute['refuse'];
  refuseBuyer: PageRoute['refuse'];
}

/** Answers every request that is not in the route table: the root address, a wrong method, or an unknown path. */
export const unknownRoute = ({ env, ...faces }: UnknownRouteDeps) =>
  edge<Page>({
    answer: async (event) => answerUnknown(env, requestOf(event)),
    refuse: (error, event) => refuseUnknown(faces, error, event),
  });

/** Addresses that people type with a slash at the end. */
const slashed: ReadonlySet<string> = new Set(['/dashboard/', '/docs/']);

function answerUnknown(env: UnknownRouteDeps['env'], request: PageRequest): Page {
  const { method, path } = request;
  if (path === '/' && (method === 'GET' || method === 'HEAD')) return home(env, request);
  if (slashed.has(path) && (method === 'GET' || method === 'HEAD')) return seeOther(path.slice(0, -1));
  const missing = missingOperation(method, path);
  if (missing) throw new DomainError('NOT_FOUND', missing);
  const methods = methodsAt(env.routes(), path);
  if (methods.length === 0 || methods.includes(method))
    throw new DomainError('NOT_FOUND', `There is no ${method} ${path}.`);
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { statusCode: 204, headers: { allow, ...preflightHeaders(path, allow) }, body: '' };
  throw new DomainError('METHOD_NOT_ALLOWED', `${path} does not take ${method}. It takes ${allow}.`, {
    allowedMethods: methods,
  });
}

/**
 * The headers for a browser's preflight request. It is allowed for licences, because pages of every origin may check
 * them.
 */
const preflightHeaders = (path: string, methods: string): Record<string, string> =>
  path.startsWith('/licenses/')
    ? {
        ...anyOrigin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': 'content-type, authorization, idempotency-key',
        'access-control-max-age': '86400',
      }
    : {};

/** Redirects a browser to the dashboard. A program gets the name of this service. */
function home({ merchant, stage, publicUrl }: UnknownRouteDeps['env'], request: PageRequest): Page {
  if (isBrowser(request)) return seeOther('/dashboard');
  const body = {
    service: 'Tillstack',
    merchant: merchant().name,
    mode: modes[stage()],
    dashboard: `${publicUrl()}/dashboard`,
    docs: `${publicUrl()}/docs`,
  };
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const modes = { sandbox: 'test', live: 'live' } as const;

/** Answers a browser with an error page, and a program with a problem document. */
function refuseUnknown(
  { refuseMember, refuseBuyer }: Omit<UnknownRouteDeps, 'env'>,
  error: unknown,
  event: APIGatewayProxyEventV2,
): Page {
  const request = requestOf(event);
  if (!isBrowser(request)) return presentProblem(error, request);
  const { code } = toDomainError(error);
  const refusal = { status: ruleOf(code).status, code, requestId: request.requestId };
  return (request.path.startsWith('/dashboard') ? refuseMember : refuseBuyer)(refusal, request);
}

const isBrowser = ({ method, headers }: PageRequest): boolean =>
  method === 'GET' && (headers['accept'] ?? '').includes('text/html');
