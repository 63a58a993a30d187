import contract from '../../docs/openapi.json' with { type: 'json' };

/** The parts of a JSON schema that the reference shows. */
export interface Shape {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  additionalProperties?: Shape | boolean;
  anyOf?: readonly Shape[];
  allOf?: readonly Shape[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface Content {
  schema: Shape;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Shape;
}

interface Response {
  $ref?: string;
  content?: Readonly<Record<string, Content>>;
  'x-codes'?: readonly string[];
}

interface Described {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, Response>>;
  security?: readonly { apiKey?: readonly string[] }[];
}

/** One operation of the API. */
export interface ApiOperation extends Described {
  method: string;
  path: string;
}

interface Contract {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  webhooks: Readonly<Record<string, { post: Described }>>;
  components: { schemas: Readonly<Record<string, Shape>>; responses: Readonly<Record<string, Response>> };
}

const { tags: contractTags, paths, webhooks, components } = contract as unknown as Contract;

/** Every operation, in the order of the contract. */
export const operations: readonly ApiOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
);

export const operationsOf = (resource: string): ApiOperation[] => operations.filter(({ tags }) => tags[0] === resource);

/**
 * The resources of the API, in the order of the contract. The types of events are left out, because they have their own
 * page.
 */
export const resources = contractTags.filter(({ name }) => operationsOf(name).length > 0);

/** The webhook events by type. */
export const payloads: readonly [string, Content][] = Object.entries(webhooks).flatMap(([type, { post }]) => {
  const content = post.requestBody?.content['application/json'];
  return content ? [[type, content] as [string, Content]] : [];
});

export const requestContent = ({ requestBody }: ApiOperation): Content | undefined =>
  requestBody?.content['application/json'];
export const answerContent = ({ responses }: ApiOperation): Content | undefined =>
  responses['200']?.content?.['application/json'];

/** The name of a referenced schema. */
export const schemaNameOf = ({ $ref }: Shape): string | undefined => $ref?.replace('#/components/schemas/', '');

export function schemaNamed(name: string): Shape {
  const found = components.schemas[name];
  if (!found) throw new Error(`The contract has no schema ${name}.`);
  return found;
}

/**
 * The parameters of an operation. Parameters that many operations share are left out, because they are explained once.
 */
export const parametersOf = ({ parameters = [] }: ApiOperation): Parameter[] =>
  parameters.filter((one): one is Parameter => 'name' in one && (one.in === 'path' || one.in === 'query'));

/** The error codes of an operation, each with its status. */
export const errorsOf = ({ responses }: ApiOperation): { status: string; code: string }[] =>
  Object.entries(responses).flatMap(([status, { $ref = '', ...own }]) => {
    const { 'x-codes': codes = [] } = components.responses[$ref.replace('#/components/responses/', '')] ?? own;
    return codes.map((code) => ({ status, code }));
  });

/** The access that its key needs. Undefined if it needs no key. */
export const accessOf = ({ security = [] }: ApiOperation): string | undefined => security[0]?.apiKey?.[0];

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};

const exampleTexts = operations.flatMap((operation) => [
  ...texts(answerContent(operation)?.example),
  ...texts(requestContent(operation)?.example),
]);

/** An example id. It comes from the answer of the same operation, or otherwise of any other operation. */
function exampleId({ schema }: Parameter, operation: ApiOperation): string {
  const [, prefix] = /^\^\(?(\w+?_)/.exec(schema.pattern ?? '') ?? [];
  const fits = (text: string) => prefix !== undefined && new RegExp(`^${prefix}\\w+$`).test(text);
  const [own] = texts(answerContent(operation)?.example).filter(fits);
  return own ?? exampleTexts.find(fits) ?? 'id';
}

/** The path of the example, with example ids in it. */
export const examplePath = (operation: ApiOperation): string =>
  parametersOf(operation)
    .filter((parameter) => parameter.in === 'path')
    .reduce((path, parameter) => path.replace(`{${parameter.name}}`, exampleId(parameter, operation)), operation.path);
