import type { ErrorCode } from '../../shared/domain/errors.ts';
import { ruleOf } from '../../shared/http/problem.ts';
import type { Endpoint } from '../endpoints.ts';
import { wireCodeOf } from './errors.ts';
import { type JsonSchema, queryFieldsOf } from './json-schema.ts';
import { type ContractOperation, shownPath } from './operation.ts';
import { isIdempotent, refusalsOf } from './refusals.ts';
import type { OperationObject } from './shared-responses.ts';
import { tags } from './tags.ts';
import { queryWordOf } from './words.ts';

/** A real request and its answer, recorded from a sandbox. */
export interface Example {
  path: string;
  request?: unknown;
  answer: unknown;
}

const refTo = (kind: string, name: string): { $ref: string } => ({ $ref: `#/components/${kind}/${name}` });

/**
 * The id of an operation, which becomes the name of a method in a generated client: `products/create-product` →
 * `createProduct`.
 */
export const operationIdOf = (functionName: string): string =>
  functionName.replace(/.*\//, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const folderOf = (functionName: string): string => functionName.replace(/\/.*/, '');

const prefixes: Readonly<Record<string, string>> = {
  products: 'pdt',
  price_id: 'lcp',
  discounts: 'dsc',
  entitlements: 'ent',
  file_id: 'fil',
  grants: 'entg',
  grant_id: 'entg',
  license_keys: 'lic',
  license_key_instances: 'lki',
  withdrawal_id: 'wdr',
  brands: 'brnd',
  'api-keys': 'key',
  checkouts: 'cks',
  checkout: 'cks',
  webhooks: 'whk',
  'webhook-events': 'evt',
  registrations: 'reg',
  overrides: 'ovr',
  customers: 'cus',
  payment_id: 'pay',
  refund_id: 'ref',
  dispute_id: 'dsp',
  payout_id: 'po',
};

/** The descriptions of path parameters that are not ids. */
const pathWords: Readonly<Record<string, string>> = { code: 'The code of the discount, as buyers type it.' };

/**
 * The parameters in a path. They are ids. The prefix of an id follows from the parameter's name, or from the noun
 * before it in the path.
 */
function pathParameters(path: string, example: Example | undefined): object[] {
  const parts = path.split('/');
  const real = example?.path.split('/') ?? [];
  return parts.flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (!name) return [];
    return [{ name, in: 'path', required: true, ...pathPart(name, parts[index - 1] ?? ''), ...exampleOf(real[index]) }];
  });
}

function pathPart(name: string, noun: string): { description: string; schema: JsonSchema } {
  const word = pathWords[name];
  if (word !== undefined) return { description: word, schema: { type: 'string', minLength: 1, maxLength: 64 } };
  const prefix = prefixes[name] ?? prefixes[noun];
  if (prefix === undefined) throw new Error(`The contract does not know the prefix of {${name}} after /${noun}.`);
  const schema = { type: 'string', pattern: `^${prefix}_[A-Za-z0-9]{1,40}$` };
  return { description: `The id of the object, \`${prefix}_…\`.`, schema };
}

const queryParameters = ({ query }: ContractOperation): object[] =>
  query === undefined
    ? []
    : queryFieldsOf(query).map(({ name, isRequired, schema }) => ({
        name,
        in: 'query',
        required: isRequired,
        description: queryWordOf(name),
        ...(isRequired ? {} : { allowEmptyValue: true }), // It counts as absent.
        schema,
      }));

const exampleOf = (value: unknown): object => (value === undefined ? {} : { example: value });

function requestBody({ body }: ContractOperation, example: Example | undefined): object {
  const [name] = Object.keys(body ?? {});
  if (name === undefined) return {};
  const content = { 'application/json': { schema: refTo('schemas', name), ...exampleOf(example?.request) } };
  return { requestBody: { required: true, content } };
}

function success(endpoint: Endpoint, { answer, files = [] }: ContractOperation, example: Example | undefined): object {
  const json = { schema: refTo('schemas', answer), ...exampleOf(example?.answer) };
  const others = files.map((type) => [type, { schema: fileSchema(type) }]);
  const headers = isIdempotent(endpoint)
    ? { headers: { 'idempotent-replayed': refTo('headers', 'IdempotentReplayed') } }
    : {};
  return { description: 'Done.', ...headers, content: { 'application/json': json, ...Object.fromEntries(others) } };
}

const fileSchema = (type: string): JsonSchema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', contentMediaType: type };

/**
 * The error responses by status, each with its possible codes. If buyers see a page at this path, a request without
 * JSON gets a page.
 */
function refusals({ function: name, access }: Endpoint, codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => String(ruleOf(code).status));
  const isPage = access === 'public' && name.startsWith('checkout/');
  const content = {
    'application/problem+json': { schema: refTo('schemas', 'Problem') },
    ...(isPage ? { 'text/html': { schema: fileSchema('text/html') } } : {}),
  };
  const entries = [...byStatus].map(([status, group]) => {
    const names = [...new Set(group.map(wireCodeOf))].sort();
    const description = `Refused: ${names.map((name) => `\`${name}\``).join(', ')}.`;
    const waits = group.some((code) => ruleOf(code).shouldRetry)
      ? { headers: { 'retry-after': refTo('headers', 'RetryAfter') } }
      : {};
    return [status, { description, ...waits, content, 'x-codes': names }] as const;
  });
  return Object.fromEntries(entries);
}

/** The OpenAPI object for one line of the route table. */
export function operationObject(
  endpoint: Endpoint,
  operation: ContractOperation,
  example: Example | undefined,
): OperationObject {
  const path = shownPath(operation, endpoint.paths);
  const aliases = endpoint.paths.filter((other) => other !== path);
  const { summary, description } = operation;
  const folder = folderOf(endpoint.function);
  const idempotency = isIdempotent(endpoint) ? [refTo('parameters', 'IdempotencyKey')] : [];
  return {
    operationId: operationIdOf(endpoint.function),
    tags: [tags[folder]?.name],
    summary,
    description: aliases.length > 0 ? `${description} Also at \`${aliases.join('`, `')}\`.` : description,
    ...(aliases.length > 0 ? { 'x-aliases': aliases } : {}),
    security: endpoint.access === 'public' ? [] : [{ apiKey: [endpoint.access] }],
    parameters: [...pathParameters(path, example), ...queryParameters(operation), ...idempotency],
    ...requestBody(operation, example),
    responses: {
      200: success(endpoint, operation, example),
      ...refusals(endpoint, refusalsOf(endpoint, operation)),
      429: refTo('responses', 'Throttled'),
    },
  };
}
