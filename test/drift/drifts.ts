import { endpoints } from '../../infra/endpoints.ts';
import { type AnswerSchema, compareAnswer, type Drift, type Schemas } from './compare.ts';
import type { Library } from './library.ts';

interface Answering {
  responses?: Record<string, { content?: Record<string, { schema?: AnswerSchema }> }>;
  requestBody?: { content?: Record<string, { schema?: AnswerSchema }> };
}

/** What is read of the contract. */
export interface AnswerContract {
  paths: Record<string, Record<string, Answering>>;
  webhooks: Record<string, { post: Answering }>;
  components: { schemas: Schemas };
}

export interface Comparison {
  drifts: Drift[];
  /** The names of the operations and events that were compared. */
  compared: string[];
}

const json = 'application/json';
const bare = (path: string): string => path.replace(/\{\w+\}/g, '{}');

/** The schema of each operation's answer, under every path that the operation has. */
function answersOf(contract: AnswerContract): Map<string, AnswerSchema> {
  const answers = new Map<string, AnswerSchema>();
  for (const [path, methods] of Object.entries(contract.paths)) {
    for (const [verb, { responses }] of Object.entries(methods)) {
      const method = verb.toUpperCase();
      const schema = responses?.['200']?.content?.[json]?.schema;
      if (!schema) continue;
      const aliases = endpoints.find((one) => one.method === method && one.paths.includes(path))?.paths ?? [path];
      for (const alias of aliases) answers.set(`${method} ${bare(alias)}`, schema);
    }
  }
  return answers;
}

/** The schema of one event: the contract has one for several types, which the entry's name tells apart. */
function eventSchema({ components }: AnswerContract, schema: AnswerSchema, name: string): AnswerSchema {
  const shared = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return { ...shared, properties: { ...shared.properties, type: { type: 'string', const: name } } };
}

/** Compares what the library declares with what the contract says of the same operations and events. */
export function findDrifts(library: Library, contract: AnswerContract): Comparison {
  const answers = answersOf(contract);
  for (const [name, { post }] of Object.entries(contract.webhooks)) {
    const schema = post.requestBody?.content?.[json]?.schema;
    if (schema) answers.set(name, eventSchema(contract, schema, name));
  }
  const both = [...library.operations, ...library.events].flatMap(({ name, answer }) => {
    const schema = answers.get(name);
    const saysNothing = library.alternatives(answer).every(({ type }) => type.kind === 'any');
    return schema && !saysNothing ? [{ name, place: answer, schema }] : [];
  });
  const { schemas } = contract.components;
  return {
    drifts: both.flatMap((one) => compareAnswer(library, schemas, one)),
    compared: both.map(({ name }) => name),
  };
}
