import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { answers } from '../../../infra/contract/answers.ts';
import { wireCodeOf } from '../../../infra/contract/errors.ts';
import { operationOf } from '../../../infra/contract/operations.ts';
import { refusalsOf } from '../../../infra/contract/refusals.ts';
import { endpoints } from '../../../infra/endpoints.ts';
import { ruleOf } from '../../../shared/http/problem.ts';

/** How answers differed from the contract in this file's tests. A test removes a difference that it expects. */
export const drift = new Set<string>();

/** The answer that a function returns to the gateway. */
interface GatewayAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

function textOf({ body = '', isBase64Encoded, headers = {} }: GatewayAnswer): string {
  if (!isBase64Encoded) return body;
  const bytes = Buffer.from(body, 'base64');
  const encoding = headers['content-encoding'] as keyof typeof unpack | undefined;
  return String(encoding ? unpack[encoding](bytes) : bytes);
}

const declared = new Map<string, ReadonlySet<string>>();

/** All refusals that the contract allows for a function, such as `422 INVALID_REQUEST_BODY`. */
function refusalsDeclaredOf(name: string): ReadonlySet<string> {
  const known = declared.get(name) ?? new Set(readRefusals(name));
  declared.set(name, known);
  return known;
}

function readRefusals(name: string): string[] {
  const [endpoint, operation] = [endpoints.find((line) => line.function === name), operationOf(name)];
  if (!endpoint || !operation) return [];
  return refusalsOf(endpoint, operation).map((code) => `${ruleOf(code).status} ${wireCodeOf(code)}`);
}

/**
 * Lists how a function's answer differs from the contract. The list is empty if they agree, or if the contract does not
 * describe it.
 */
export function driftOf(name: string, answer: unknown): string[] {
  const operation = operationOf(name);
  if (!operation) return [];
  const { statusCode, headers = {} } = answer as GatewayAnswer;
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!type.endsWith('json')) return statusCode >= 300 || isFile(name, type) ? [] : [`${name} answers ${type}`];
  const body: unknown = JSON.parse(textOf(answer as GatewayAnswer));
  return statusCode === 200
    ? faultsOf(`${name} ${operation.answer}`, answers[operation.answer].safeParse(body))
    : [...faultsOf(`${name} Problem`, answers.Problem.safeParse(body)), ...undeclared(name, body)];
}

/** Public routes also show pages to browsers. The contract does not describe these pages. */
const isFile = (name: string, type: string): boolean =>
  operationOf(name)?.files?.includes(type) === true || (type === 'text/html' && name.startsWith('checkout/'));

function undeclared(name: string, body: unknown): string[] {
  const { status, code } = body as { status: number; code: string };
  return refusalsDeclaredOf(name).has(`${status} ${code}`) ? [] : [`${name} refuses with ${status} ${code}`];
}

interface Fault {
  path: PropertyKey[];
  message: string;
  /** For a union: the result of each of its schemas. */
  errors?: Fault[][];
}

interface Parsed {
  error?: { issues: Fault[] };
}

const faultsOf = (what: string, { error }: Parsed): string[] => (error?.issues ?? []).map((fault) => said(what, fault));

/** For a union, takes the result of the schema that fits best. */
function said(what: string, { path, message, errors = [] }: Fault): string {
  const [closest] = [...errors].sort((a, b) => a.length - b.length);
  const place = `${what} ${path.join('.')}`;
  return closest ? closest.map((fault) => said(place, fault)).join('; ') : `${place}: ${message}`;
}
