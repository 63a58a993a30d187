import {
  type ApiOperation,
  accessOf,
  answerContent,
  errorsOf,
  operationsOf,
  parametersOf,
  payloads,
  requestContent,
  type resources,
  schemaNameOf,
} from './contract.ts';
import { type ShapeField, shapeFields, typeOf } from './fields.ts';
import { exampleLanguages, preambles, snippetOf } from './snippets.ts';

/** The name of a page, made from the name of its resource. */
export const slugOf = (resource: string): string => resource.toLowerCase().replaceAll(' ', '-');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const table = (fields: readonly ShapeField[]): string =>
  [
    '| field | type | meaning |',
    '|---|---|---|',
    ...fields.map(
      ({ name, type, isRequired, text }) =>
        `| \`${name}\`${isRequired ? ' **required**' : ''} | ${cell(type)} | ${cell(text)} |`,
    ),
  ].join('\n');

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

function parameterTable(operation: ApiOperation): string[] {
  const fields = parametersOf(operation).map(({ name, required = false, description = '', schema }) => ({
    name,
    type: typeOf(schema),
    isRequired: required,
    text: description,
  }));
  return fields.length === 0 ? [] : ['In the address:', table(fields)];
}

function requestTable(operation: ApiOperation): string[] {
  const request = requestContent(operation);
  return request ? ['In the body:', table(shapeFields(request.schema))] : [];
}

/** The codes of its errors, each with the status. */
function errorsText(operation: ApiOperation): string[] {
  const found = errorsOf(operation).map(({ status, code }) => `${status} \`${code}\``);
  return found.length === 0 ? [] : [`Errors: ${found.join(', ')}. [What to do](../guides/errors.md)`];
}

function answerText(operation: ApiOperation): string[] {
  const answer = answerContent(operation);
  if (!answer) return [];
  const name = schemaNameOf(answer.schema);
  const title = name && shapeFields(answer.schema).length > 0 ? `Answer: [${name}](#${name.toLowerCase()})` : 'Answer:';
  return [title, ...(answer.example === undefined ? [] : [json(answer.example)])];
}

const accessText = (operation: ApiOperation): string => {
  const access = accessOf(operation);
  return access === undefined ? 'No key is needed.' : `Needs a key that may: ${access}.`;
};

const operationText = (operation: ApiOperation): string =>
  [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    accessText(operation),
    ...parameterTable(operation),
    ...requestTable(operation),
    ...exampleLanguages.map(({ name, fence }) => `${name}:\n\n${fenced(fence, snippetOf[fence](operation))}`),
    ...answerText(operation),
    ...errorsText(operation),
  ].join('\n\n');

/** The objects in the operations' answers, without repetitions. */
function objectTexts(found: readonly ApiOperation[]): string[] {
  const schemas = new Map(
    found.flatMap((operation) => {
      const schema = answerContent(operation)?.schema;
      const name = schema && schemaNameOf(schema);
      return schema && name ? [[name, schema] as const] : [];
    }),
  );
  const described = [...schemas].map(([name, schema]) => ({ name, fields: shapeFields(schema) }));
  return described
    .filter(({ fields }) => fields.length > 0)
    .map(({ name, fields }) => `## ${name}\n\n${table(fields)}`);
}

const setUp = (): string =>
  [
    'Each example needs this first. TypeScript and Python read the address and the key from `TILLSTACK_URL` and `TILLSTACK_KEY`.',
    ...exampleLanguages.map(({ fence }) => fenced(fence, preambles[fence])),
  ].join('\n\n');

/** The webhook events, with one example for each kind of object. */
function payloadTexts(): string[] {
  const shown = payloads.filter(([type]) => ['payment.succeeded', 'refund.succeeded', 'dispute.opened'].includes(type));
  const types = payloads.map(([type]) => `\`${type}\``).join(', ');
  return [
    `## What endpoints receive\n\nEvents: ${types}. [Verify a webhook](../guides/verify-webhooks.md) has the signature.`,
    ...shown.map(([type, { example }]) => `### ${type}\n\n${json(example)}`),
  ];
}

/** The reference of a resource as Markdown. */
export function resourceMarkdown({ name, description }: (typeof resources)[number]): string {
  const found = operationsOf(name);
  const parts = [
    `# ${name}`,
    description,
    setUp(),
    ...found.map(operationText),
    ...objectTexts(found),
    ...(name === 'Webhooks' ? payloadTexts() : []),
  ];
  return `${parts.join('\n\n')}\n`;
}
