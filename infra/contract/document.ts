import type * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import { isOfDialect } from '../../shared/domain/webhooks/event-types.ts';
import { eventTypes } from '../../shared/events/catalogue.ts';
import { ruleOf } from '../../shared/http/problem.ts';
import { type Endpoint, endpoints } from '../endpoints.ts';
import { answers } from './answers.ts';
import { errorTexts, wireCodeOf } from './errors.ts';
import { introduction } from './introduction.ts';
import { componentsOf, type JsonSchema } from './json-schema.ts';
import { shownPath } from './operation.ts';
import { type Example, operationIdOf, operationObject } from './operation-object.ts';
import { operationOf } from './operations.ts';
import { parts } from './parts.ts';
import { type Paths, withSharedResponses } from './shared-responses.ts';
import { tags } from './tags.ts';
import { describeInput } from './words.ts';

/** Real requests and answers by function, and the bodies of real events by type. */
export interface Examples {
  operations: Readonly<Record<string, Example>>;
  events: Readonly<Record<string, unknown>>;
}

interface Described {
  endpoint: Endpoint;
  operation: NonNullable<ReturnType<typeof operationOf>>;
}

const described = (): Described[] =>
  endpoints.flatMap((endpoint) => {
    const operation = operationOf(endpoint.function);
    return operation ? [{ endpoint, operation }] : [];
  });

function pathsOf({ operations }: Examples): Paths {
  const paths: Paths = {};
  for (const { endpoint, operation } of described()) {
    const path = shownPath(operation, endpoint.paths);
    const item = { ...paths[path] };
    item[endpoint.method.toLowerCase()] = operationObject(endpoint, operation, operations[endpoint.function]);
    paths[path] = item;
  }
  return paths;
}

/** Schemas of requests and answers. Both sides share some, which are then equal. */
function schemas(): Record<string, JsonSchema> {
  const bodies: Record<string, z.ZodType> = Object.assign(
    {},
    ...described().map(({ operation }) => operation.body ?? {}),
  );
  const inputs = Object.entries(componentsOf(bodies, 'input'));
  const sent = Object.fromEntries(inputs.map(([name, schema]) => [name, describeInput(name, schema)]));
  const answered = componentsOf(answers, 'output');
  for (const name of Object.keys(sent))
    if (answered[name] && JSON.stringify(answered[name]) !== JSON.stringify(sent[name]))
      throw new Error(`${name} is one thing in requests and another in answers.`);
  const all = Object.entries({ ...sent, ...answered }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return Object.fromEntries(all);
}

const eventSchemas: Readonly<Record<string, string>> = {
  payment: 'PaymentEvent',
  refund: 'RefundEvent',
  invoice: 'InvoiceEvent',
  dispute: 'DisputeEvent',
  tax_threshold: 'TaxThresholdEvent',
  checkout_session: 'CheckoutSessionEvent',
  entitlement_grant: 'EntitlementGrantEvent',
  license_key: 'LicenseKeyEvent',
  confirmation: 'ConfirmationEvent',
  withdrawal: 'WithdrawalEvent',
  code_pool: 'CodePoolEvent',
};

/**
 * The group of the bodies that endpoints receive. It is not the group of the operations on endpoints. Generators write
 * one file for each group, and the second would replace the first.
 */
const webhookTag = { name: 'Event types', description: 'What your endpoint receives, by the type of the event.' };

function webhooksOf({ events }: Examples): Record<string, object> {
  const entries = eventTypes.map((type) => {
    const schema = { $ref: `#/components/schemas/${eventSchemas[type.replace(/\..*/, '')]}` };
    const example = events[type] === undefined ? {} : { example: events[type] };
    const post = {
      operationId: `on${operationIdOf(type.replace('.', '-')).replace(/^\w/, (letter) => letter.toUpperCase())}`,
      tags: [webhookTag.name],
      summary: `\`${type}\``,
      description: `${isOfDialect(type) ? 'Sent to every endpoint that wants this type' : 'Sent only to endpoints that name this type: the dialect does not have it'}. Answer with any 2xx within 15 seconds.`,
      security: [], // A delivery has no API key, because its signature proves who sent it.
      parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: { 'application/json': { schema, ...example } } },
      responses: { '2XX': { description: 'Received. Anything else is tried again, up to ten times.' } },
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(entries);
}

/** Each error code as clients see it, with advice. Two internal codes can have the same public code. */
function errorCodes(): Record<string, object> {
  const codes = Object.keys(errorTexts) as ErrorCode[];
  const byWire = Map.groupBy(codes, wireCodeOf);
  const entries = [...byWire].sort(([a], [b]) => a.localeCompare(b, 'en'));
  return Object.fromEntries(
    entries.map(([code, ours]) => [
      code,
      ours.map((one) => ({ status: ruleOf(one).status, description: errorTexts[one] })),
    ]),
  );
}

/** The contract as an OpenAPI 3.1 document. */
export function contractDocument(version: string, examples: Examples): object {
  const { paths, responses } = withSharedResponses(pathsOf(examples));
  const used = new Set(described().map(({ endpoint }) => endpoint.function.replace(/\/.*/, '')));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillstack API',
      version,
      summary: 'Products, checkout, payments, refunds and webhooks.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The stack that serves this document.' }],
    tags: Object.entries(tags)
      .flatMap(([folder, tag]) => (used.has(folder) ? [tag] : []))
      .concat(webhookTag),
    paths,
    webhooks: webhooksOf(examples),
    components: { schemas: schemas(), ...parts, responses: { ...responses, ...parts.responses } },
    'x-error-codes': errorCodes(),
  };
}
