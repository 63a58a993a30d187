import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractDocument, type Examples } from '../../infra/contract/document.ts';
import { operationOf } from '../../infra/contract/operations.ts';
import { endpoints } from '../../infra/endpoints.ts';
import { eventTypes } from '../../shared/events/catalogue.ts';
import { noticeTypes } from '../../shared/events/notices.ts';
import { clock } from '../support/clock.ts';
import { makeDeterministic } from '../support/contract/deterministic.ts';
import { takeExamples } from '../support/contract/examples.ts';
import { type Api, startApi } from '../support/shop/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the document
type Loose = any;

const path = new URL('../../docs/openapi.json', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

let api: Api;
let examples: Examples;
let document: unknown;

beforeAll(async () => {
  makeDeterministic('2026-03-01T12:00:00.000Z', 17);
  api = await startApi();
  examples = await takeExamples(api);
  document = contractDocument(version, examples);
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

it('The contract equals the committed docs/openapi.json (UPDATE_DOCS=1 rewrites it)', () => {
  const text = `${JSON.stringify(document, null, 1)}\n`;
  if (process.env['UPDATE_DOCS']) writeFileSync(path, text);
  else expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(document);
});

describe('the contract', () => {
  it('describes every route that takes an API key', () => {
    const missing = endpoints.filter(({ access, function: name }) => access !== 'public' && !operationOf(name));
    expect(missing.map(({ function: name }) => name)).toEqual([]);
  });

  it('gives each operation a unique name, from which clients make their methods', () => {
    const names = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.length).toBeGreaterThan(90);
  });

  it('lists every event type, and which types are sent to endpoints and which only appear in the list of events', () => {
    const { webhooks, components } = document as Loose;
    expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
    const { EventListItem, WebhookDelivery, EventFilter } = components.schemas;
    for (const { properties } of [EventListItem, WebhookDelivery])
      expect([...properties.type.enum].sort()).toEqual([...eventTypes, ...noticeTypes].sort());
    expect(EventFilter.enum).toEqual(expect.arrayContaining([...eventTypes]));
  });

  it('shows an answer of the running API as the example of every operation', () => {
    const described = endpoints.map(({ function: name }) => name).filter((name) => operationOf(name));
    expect(described.filter((name) => !examples.operations[name])).toEqual([]);
  });
});
