import {
  type ApiOperation,
  accessOf,
  answerContent,
  operations,
  parametersOf,
  requestContent,
  type Shape,
} from '../../../reference/contract.ts';
import { UsageError } from '../../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../../kit/command.ts';
import type { Query } from '../api.ts';
import { confirmOr } from '../confirm.ts';
import type { Context } from '../context.ts';
import { handToListeners } from '../listen/listeners.ts';
import { countOf, itemsOf, limitOption } from '../listing.ts';
import { answerText, itemsText } from './answer-text.ts';
import { beyond } from './beyond.ts';
import { exampleWords, shellLine } from './example-words.ts';
import {
  fieldsOfBody,
  fieldsOfQuery,
  optionsOf,
  parsedJson,
  type RequestField,
  typedValue,
  withValue,
} from './fields.ts';
import { commandName, filledPath, placeWord } from './names.ts';
import { plainShape, takesIdempotencyKey } from './shapes.ts';

type Json = Record<string, unknown>;

/** The query fields that the command itself sets, to read all pages of a list. */
const paging = ['cursor', 'page_number', 'page_size'];

const isPaged = (operation: ApiOperation): boolean =>
  paging.every((name) => parametersOf(operation).some((one) => one.name === name));

const placesIn = (operation: ApiOperation): string[] =>
  parametersOf(operation).flatMap(({ name, in: place }) => (place === 'path' ? [name] : []));

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function dataOf(typed: TypedWords): Json {
  const text = typed.text('data');
  const data = text === undefined ? {} : parsedJson('data', text);
  if (isObject(data)) return data;
  throw new UsageError('--data must be a JSON object.');
}

/** Adds constant fields, such as the type of a price, to each object in the body. */
function withConstants(body: Json, fields: readonly RequestField[]): Json {
  const fixed = fields.filter(({ isRequired, schema }) => isRequired && schema.const !== undefined);
  let filled = body;
  for (const { path, schema } of fixed) {
    const [object = '', name = ''] = path;
    const sent = body[object];
    if (path.length === 2 && isObject(sent)) filled = { ...filled, [object]: { [name]: schema.const, ...sent } };
  }
  return filled;
}

/** Makes the body from `--data`. Typed words and options replace its fields. */
function bodyOf(operation: ApiOperation, fields: readonly RequestField[], typed: TypedWords): Json {
  const { word, usual } = beyond[operation.operationId] ?? {};
  const data = dataOf(typed);
  const extra = typed.words[placesIn(operation).length];
  const named = word !== undefined && extra !== undefined ? { ...data, [word]: extra } : data;
  const body = fields.reduce<Json>((known, field) => {
    const value = typedValue(typed, field, data);
    return value === undefined ? known : withValue(known, field.path, value);
  }, named);
  return withConstants(usual === undefined || typed.text('data') !== undefined ? body : usual(body), fields);
}

const queryOf = (fields: readonly RequestField[], typed: TypedWords): Query =>
  Object.fromEntries(
    fields.map((field) => {
      const value = typedValue(typed, field);
      return [field.path[0] ?? '', value === undefined ? undefined : String(value)];
    }),
  );

/** Whether an answer contains only the items of a list. Then only the items are printed. */
const isPlainList = (schema: Shape): boolean => {
  const names = Object.keys(plainShape(schema).properties ?? {});
  return names.includes('items') && names.every((name) => ['items', 'has_more', 'next_cursor'].includes(name));
};

function outcomeOf(operation: ApiOperation, json: unknown): CommandOutcome {
  const { columns, hides } = beyond[operation.operationId] ?? {};
  const answer = answerContent(operation)?.schema ?? {};
  const schema = plainShape(answer);
  const item = plainShape(schema.properties?.['items'] ?? {}).items ?? {};
  if (isPlainList(answer) && isObject(json) && Array.isArray(json['items']))
    return { text: itemsText(json['items'], item, { columns, hides }), json: json['items'] };
  if (columns && isObject(json) && Array.isArray(json['items'])) {
    const currency = typeof json['currency'] === 'string' ? json['currency'] : undefined;
    return { text: itemsText(json['items'], item, { columns, currency }), json };
  }
  return { text: answerText(json, answer), json };
}

async function runOperation(
  operation: ApiOperation,
  { query, body }: { query: readonly RequestField[]; body: readonly RequestField[] },
  typed: TypedWords,
  context: Context,
): Promise<CommandOutcome> {
  const places = placesIn(operation);
  const path = filledPath(operation, typed.words.slice(0, places.length));
  const values = queryOf(query, typed);
  const sent = requestContent(operation) && bodyOf(operation, body, typed);
  const api = await context.connect();
  if (isPaged(operation)) return outcomeOf(operation, { items: await itemsOf(api, path, values, countOf(typed)) });
  if (beyond[operation.operationId]?.asks) {
    const what = typed.words.slice(0, places.length).join(' ');
    const question = `${operation.summary}${what === '' ? '' : `: ${what}`}?`;
    await confirmOr(typed, context, { question, refusal: 'Nothing was changed.' });
  }
  const { method } = operation;
  const isOpen = accessOf(operation) === undefined;
  const request = { method, path, query: values, body: sent, isIdempotent: takesIdempotencyKey(operation), isOpen };
  const outcome = outcomeOf(operation, await api.send(request));
  if (!beyond[operation.operationId]?.reachesListeners || sent?.['webhook_id']) return outcome;
  const count = await handToListeners(context.environment, api.url, typed.word(0));
  return count === 0 ? outcome : { ...outcome, text: `${outcome.text}\n\n${listenersText(count)}` };
}

const listenersText = (count: number): string =>
  count === 1 ? 'The "listen" on this machine gets it too.' : `${count} runs of "listen" on this machine get it too.`;

const dataOption = { data: { value: '<json>', help: 'The body as JSON. Options replace its fields.' } };
const yesOption = { yes: { help: 'Does it without asking.' } };

/** Makes the command of an operation. The contract contains all that it needs. */
export function operationCommand(operation: ApiOperation): ProgramCommand<Context> {
  const { word, asks, note } = beyond[operation.operationId] ?? {};
  const places = placesIn(operation);
  const fields = {
    query: fieldsOfQuery(operation, isPaged(operation) ? paging : []),
    body: fieldsOfBody(requestContent(operation)?.schema ?? {}),
  };
  const takes = places.map((name) => `<${placeWord(operation, name)}>`);
  return {
    name: commandName(operation),
    summary: `${operation.summary}.`,
    takes: [...takes, ...(word === undefined ? [] : [`[${word}]`])],
    options: {
      ...optionsOf([...fields.query, ...fields.body]),
      ...(isPaged(operation) && limitOption),
      ...(requestContent(operation) && dataOption),
      ...(asks && yesOption),
    },
    details: [operation.description.replaceAll('`', ''), ...(note ? [note] : [])].join('\n'),
    examples: [shellLine(exampleWords(operation, fields.body, takes))],
    run: (typed, context) => runOperation(operation, fields, typed, context),
  };
}

/** A command for each operation of the contract. */
export const operationCommands: readonly ProgramCommand<Context>[] = operations.map(operationCommand);
