import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';

/**
 * Cuts Stripe's published OpenAPI document (`spec3.json` of github.com/stripe/openapi, or the copy in
 * github.com/stripe/stripe-mock) down to the calls that we make: `node test/support/stripe-schema/cut-schema.ts FILE`.
 */

type Node = Record<string, unknown>;

const calls = [
  'POST checkout/sessions',
  'GET checkout/sessions',
  'GET checkout/sessions/{session}',
  'POST checkout/sessions/{session}/expire',
  'GET payment_intents',
  'GET payment_intents/{intent}',
  'POST refunds',
  'GET refunds',
  'GET refunds/{refund}',
  'GET disputes',
  'GET disputes/{dispute}',
  'GET radar/early_fraud_warnings',
  'GET radar/early_fraud_warnings/{early_fraud_warning}',
  'GET balance',
  'GET balance_transactions',
  'GET payouts',
  'GET payouts/{payout}',
  'GET account',
  'GET country_specs/{country}',
  'GET webhook_endpoints',
  'POST webhook_endpoints',
  'POST webhook_endpoints/{webhook_endpoint}',
];

/** The objects whose fields are kept. Of others, only that they are objects. */
const kept = new Set([
  'checkout.session',
  'payment_intent',
  'charge',
  'balance_transaction',
  'refund',
  'dispute',
  'payout',
  'radar.early_fraud_warning',
  'balance',
  'account',
  'country_spec',
  'webhook_endpoint',
  'fee',
  'balance_amount',
  'balance_amount_by_source_type',
  'account_business_profile',
  'api_errors',
]);

const said = [
  'type',
  'properties',
  'required',
  'enum',
  'anyOf',
  'items',
  'additionalProperties',
  'maxLength',
  'nullable',
  '$ref',
];

/** A schema without words and without objects that are not kept. */
function cut(schema: unknown, used: Set<string>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema as Node;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    if (!kept.has(name)) return { type: 'object', ...(own['nullable'] === true && { nullable: true }) };
    used.add(name);
    return { $ref: name };
  }
  const entries = Object.entries(own).filter(([key]) => said.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties')
        return [key, Object.fromEntries(Object.entries(value as Node).map(([name, one]) => [name, cut(one, used)]))];
      if (key === 'anyOf') return [key, (value as unknown[]).map((one) => cut(one, used))];
      if (key === 'items' || key === 'additionalProperties') return [key, cut(value, used)];
      return [key, value];
    }),
  );
}

const read = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Node | undefined)?.[key], node);

function callIn(spec: unknown, call: string, used: Set<string>): Node {
  const [method = '', path = ''] = call.split(' ');
  const operation = read(spec, 'paths', `/v1/${path}`, method.toLowerCase());
  const form = read(operation, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema');
  const parameters = read(operation, 'parameters') as { in: string; name: string; schema: unknown }[] | undefined;
  const query = (parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, cut(schema, used)]);
  const answer = read(operation, 'responses', '200', 'content', 'application/json', 'schema');
  const request =
    method === 'GET'
      ? { type: 'object', properties: Object.fromEntries(query), additionalProperties: false }
      : cut(form, used);
  return { request, answer: cut(answer, used) };
}

const spec: unknown = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'));
const used = new Set<string>();
const shown = Object.fromEntries(calls.map((call) => [call, callIn(spec, call, used)]));
const objects: Node = {};
for (let size = -1; size < used.size; ) {
  size = used.size;
  for (const name of used) objects[name] ??= cut(read(spec, 'components', 'schemas', name), used);
}
const text = {
  source: 'https://github.com/stripe/openapi',
  version: read(spec, 'info', 'version'),
  license: readFileSync(new URL('LICENSE', import.meta.url), 'utf8'),
  calls: shown,
  objects,
};
writeFileSync(new URL('schema.json', import.meta.url), `${JSON.stringify(text)}\n`);
