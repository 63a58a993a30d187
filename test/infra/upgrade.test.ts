import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../infra/endpoints.ts';
import type { StageSettings } from '../../infra/stage-settings.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import { type Resource, synthesisOf, walled } from './synthesized.ts';

/** The stack and its nested stacks by the ids of their constructs, as the fixtures have them. */
type Templates = Record<string, { Resources: Record<string, Resource> }>;

/** What 0.2.0 deploys for the demo merchant: resources that hold data or have an address, and the properties that are compared. */
const fixtures = new URL('../upgrade/version-0-2-0/', import.meta.url);

const templatesOf020 = (stage: Stage): Templates =>
  JSON.parse(readFileSync(new URL(`${stage}.template.json`, fixtures), 'utf8'));

const templatesOfToday = (stage: Stage, settings: Partial<StageSettings> = {}): Templates =>
  synthesisOf(stage, settings).templates as Templates;

/** What holds data or is an address, and the properties that CloudFormation replaces it for when they change. */
const keptTypes: Record<string, readonly string[]> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Events::Archive': ['ArchiveName', 'SourceArn'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'RouteKey'],
  'AWS::ApiGatewayV2::Integration': ['ApiId'],
  'AWS::Lambda::EventSourceMapping': ['EventSourceArn', 'StartingPosition'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

interface Kept {
  template: string;
  id: string;
  resource: Resource;
}

const keptOf = (templates: Templates): Kept[] =>
  Object.entries(templates).flatMap(([template, { Resources: resources }]) =>
    Object.entries(resources).flatMap(([id, resource]) =>
      resource.Type in keptTypes ? [{ template, id, resource }] : [],
    ),
  );

const decisive = ({ Type, Properties = {} }: Resource) => ({
  Type,
  ...Object.fromEntries((keptTypes[Type] ?? []).map((name) => [name, Properties[name]])),
});

/** What an upgrade from one set of templates to another would lose or replace. */
function lostBetween(before: Templates, after: Templates): string[] {
  return keptOf(before).flatMap(({ template, id, resource }) => {
    const now = after[template]?.Resources[id];
    if (!now) return [`${template}: ${id} is gone`];
    const isSame = JSON.stringify(decisive(now)) === JSON.stringify(decisive(resource));
    return isSame ? [] : [`${template}: ${id} would be replaced`];
  });
}

const indexesOf = (templates: Templates) =>
  keptOf(templates)
    .filter(({ resource }) => resource.Type === 'AWS::DynamoDB::Table')
    .flatMap(({ resource }) => resource.Properties['GlobalSecondaryIndexes'] as object[]);

const routesOf = (templates: Templates): string[] =>
  keptOf(templates).flatMap(({ template, resource }) =>
    resource.Type === 'AWS::ApiGatewayV2::Route' ? [`${template} ${resource.Properties['RouteKey']}`] : [],
  );

/** The functions whose routes the stack itself has. */
const rootFunctionsOf = (templates: Templates): string[] => {
  const routes = new Set(routesOf(templates));
  const isInRoot = ({ method, paths }: Endpoint) =>
    paths.some((path) => routes.has(`Root ${routeKeyOf(method, path)}`));
  return endpoints.filter(isInRoot).map((endpoint) => endpoint.function);
};

const routeKeyOf = (method: string, path: string): string => (path === '$default' ? path : `${method} ${path}`);

describe.each<Stage>(['sandbox', 'live'])('version 0.2.0 of a %s stack', (stage) => {
  const before = templatesOf020(stage);
  const after = templatesOfToday(stage);

  it('is upgraded in place: no resource with data or an address is lost, replaced or moved to another template', () => {
    expect(keptOf(before).length).toBeGreaterThan(150);
    expect(lostBetween(before, after)).toEqual([]);
  });

  it('can be put behind a distribution by an upgrade in place', () => {
    expect(lostBetween(before, templatesOfToday(stage, walled))).toEqual([]);
  });

  it('keeps its indexes, because DynamoDB adds or removes only one at a time', () => {
    expect(indexesOf(before)).toHaveLength(3);
    expect(indexesOf(after)).toEqual(expect.arrayContaining(indexesOf(before)));
    expect(indexesOf(after).length).toBeLessThanOrEqual(indexesOf(before).length + 1);
  });

  it('keeps its table’s stream, because a new stream would lose pending events', () => {
    const streamsOf = (templates: Templates) =>
      keptOf(templates).flatMap(({ resource }) => resource.Properties?.['StreamSpecification'] ?? []);
    expect(streamsOf(before)).toEqual([{ StreamViewType: 'NEW_IMAGE' }]);
    expect(streamsOf(after)).toEqual(streamsOf(before));
  });

  it('keeps its routes, and gets new ones only in addition', () => {
    expect(routesOf(after)).toEqual(expect.arrayContaining(routesOf(before)));
    expect(new Set(routesOf(after)).size).toBe(routesOf(after).length);
  });

  it('stays below the resource limit, because a later endpoint is in a nested stack', () => {
    const had = rootFunctionsOf(before);
    expect(had.length).toBeGreaterThan(50);
    expect(rootFunctionsOf(after).filter((name) => !had.includes(name))).toEqual([]);
  });
});

describe('the comparison of templates', () => {
  const before = templatesOf020('sandbox');
  const changed = (change: (templates: Templates) => void): string[] => {
    const after = structuredClone(before);
    change(after);
    return lostBetween(before, after);
  };
  const [table = ''] = keptOf(before).flatMap(({ id, resource }) =>
    resource.Type === 'AWS::DynamoDB::Table' ? [id] : [],
  );

  it('reports a removed resource', () => {
    expect(changed(({ Root }) => delete Root?.Resources[table])).toEqual([`Root: ${table} is gone`]);
  });

  it('reports a resource that would be replaced', () => {
    const rename = ({ Root }: Templates) =>
      Object.assign(Root?.Resources[table]?.Properties ?? {}, { TableName: 'till' });
    expect(changed(rename)).toEqual([`Root: ${table} would be replaced`]);
  });

  it('reports a route that moves to another template', () => {
    const route = keptOf(before).find(
      ({ template, resource }) => template === 'Dashboard' && /Route$/.test(resource.Type),
    );
    const move = ({ Root, Dashboard }: Templates) => {
      Object.assign(Root?.Resources ?? {}, { [route?.id ?? '']: route?.resource });
      delete Dashboard?.Resources[route?.id ?? ''];
    };
    expect(changed(move)).toEqual([`Dashboard: ${route?.id} is gone`]);
  });
});
