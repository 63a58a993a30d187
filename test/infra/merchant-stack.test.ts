import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as declarations from '../../infra/endpoints.ts';
import {
  constructIdOf,
  filesOf,
  functionNames,
  functionNamesOf,
  nestedFolderOf,
  pascalCase,
} from '../../infra/function-names.ts';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import { errorsQuery, followQuery } from '../../shared/domain/log-queries.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import {
  functionOf,
  logicalIdOf,
  optional,
  type Resource,
  resourcesOf,
  synthesisOf,
  templateOf,
  theOnly,
  walled,
} from './synthesized.ts';

const { endpoints } = declarations;
const stages: Stage[] = ['sandbox', 'live'];
const template = templateOf('live');
const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
const environmentOf = (name: string): Record<string, unknown> =>
  functionOf(template, name).Properties.Environment.Variables;

/** The property by which a resource of each type could be named; null where there is none. */
const physicalName: Record<string, string | null> = {
  'AWS::ApiGatewayV2::Api': null,
  'AWS::ApiGatewayV2::Integration': null,
  'AWS::ApiGatewayV2::Route': null,
  'AWS::ApiGatewayV2::Stage': null,
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::Archive': 'ArchiveName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::EventInvokeConfig': null,
  'AWS::Lambda::EventSourceMapping': null,
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Lambda::Permission': null,
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Logs::MetricFilter': 'FilterName',
  'AWS::Logs::QueryDefinition': 'Name',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::S3::BucketPolicy': null,
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SQS::QueuePolicy': null,
};

describe('the Lambda functions', () => {
  it('are one for each line of the route table, plus ten workers', () => {
    expect(new Set(functionNames).size).toBe(endpoints.length + 10);
    for (const name of functionNames) functionOf(template, name);
    expect(functions).toHaveLength(endpoints.length + 10);
  });

  it('run on arm64 and Node 24, load no source maps, and have a timeout', () => {
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x', Handler: 'index.handler' });
      expect(Properties.Environment.Variables).not.toHaveProperty('NODE_OPTIONS');
      expect(Properties.TracingConfig).toBeUndefined();
    }
  });

  it('have a separate bundle each, with the files that it reads', () => {
    for (const name of functionNames)
      expect(functionOf(template, name).Properties.Code.ZipFile).toBe(`exports.handler = () => '${name}';`);
    for (const { function: name, files = [] } of endpoints) expect(filesOf(name)).toEqual(files);
    expect(filesOf('pages/get-asset')).toEqual(['htmx.org/dist/htmx.min.js']);
    for (const name of ['invoices/get-invoice', 'invoices/get-credit-note'])
      expect(filesOf(name)).toEqual(declarations.documentFonts);
  });

  it('have a description that says what they answer or do', () => {
    for (const { method, paths, function: name } of endpoints)
      expect(functionOf(template, name).Properties.Description).toBe(`${method} ${paths.join(', ')}`);
    for (const { Properties } of functions) expect(Properties.Description).toMatch(/^[A-Z]/);
  });

  it('have a timeout of 10 s, or one within their 120 s claim, and the memory that the route table names', () => {
    const sizeOf = (name: string) => {
      const { Timeout, MemorySize } = functionOf(template, name).Properties;
      return [Timeout, MemorySize];
    };
    for (const { function: name, memoryMegabytes, processor } of endpoints) {
      expect(sizeOf(name)).toEqual([10, memoryMegabytes]);
      const isLarge = /^(dashboard|images|invoices)\//.test(name);
      expect([name, memoryMegabytes]).toEqual([name, isLarge ? 1_024 : processor ? 256 : 512]);
    }
    expect(functionNames.slice(endpoints.length).map(sizeOf)).toEqual([
      [60, 256],
      [60, 512],
      [60, 256],
      [100, 512],
      [900, 512],
      [60, 256],
      [900, 1_024],
      [900, 256],
      [900, 512],
      [900, 512],
    ]);
  });

  it('write to one of two log groups, which expire after the configured days, as the access log does', () => {
    const groups = ['FunctionLogs', 'WorkerLogs'].map((id) => ({
      Ref: logicalIdOf(template, 'AWS::Logs::LogGroup', id),
    }));
    for (const { Properties } of functions) expect(groups).toContainEqual(Properties.LoggingConfig.LogGroup);
    expect(Object.keys(resourcesOf(template, 'AWS::Logs::LogGroup'))).toHaveLength(3);
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::Logs::LogGroup')))
      expect(Properties.RetentionInDays).toBe(30);
    const brief = templateOf('sandbox', optional);
    for (const { Properties } of Object.values(resourcesOf(brief, 'AWS::Logs::LogGroup')))
      expect(Properties.RetentionInDays).toBe(7);
  });

  it('have two saved log queries, each over the functions’ logs and the access log', () => {
    const groups = ['FunctionLogs', 'WorkerLogs', 'HttpAccessLog'].map((id) => ({
      Ref: logicalIdOf(template, 'AWS::Logs::LogGroup', id),
    }));
    const saved = Object.values(resourcesOf(template, 'AWS::Logs::QueryDefinition')).map(
      ({ Properties }) => Properties,
    );
    expect(saved).toEqual([
      {
        Name: 'tillstack-demo-live/follow',
        QueryString: followQuery(['REPLACE_THIS_BY_AN_ID']),
        LogGroupNames: groups,
      },
      { Name: 'tillstack-demo-live/errors', QueryString: errorsQuery, LogGroupNames: groups },
    ]);
  });

  it('get the name of the log only if their pages link to the log', () => {
    const knowing = functionNames.filter(
      (name) => 'FUNCTION_LOGS' in functionOf(template, name).Properties.Environment.Variables,
    );
    expect(knowing).toEqual(['dashboard/manage-payments']);
  });

  it('log the lines of our code unchanged, and only warnings of Lambda itself', () => {
    for (const { Properties } of functions)
      expect(Properties.LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        SystemLogLevel: 'WARN',
      });
  });

  it('are traced if the merchant enables it', () => {
    const traced = resourcesOf(templateOf('sandbox', optional), 'AWS::Lambda::Function');
    for (const { Properties } of Object.values(traced)) expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
  });
});

describe('the environment', () => {
  it('gives every function the seller, the stage and the address', () => {
    for (const { Properties } of functions) {
      const { MERCHANT, STAGE, PUBLIC_URL } = Properties.Environment.Variables;
      expect(JSON.parse(MERCHANT)).toEqual(loadMerchantConfig('demo').merchant);
      expect(STAGE).toBe('live');
      expect(JSON.stringify(PUBLIC_URL)).toMatch(/"https:..",\{"Ref":"HttpApi\w+"\},".execute-api."/);
    }
  });

  it('names table, bus and bucket only to functions that use them', () => {
    const told = (name: string) => functionNames.filter((fn) => name in environmentOf(fn));
    const touches = endpoints.filter(({ table }) => Object.keys(table).length > 0).map((endpoint) => endpoint.function);
    expect(touches).not.toContain('routing/refuse-route');
    expect(told('TABLE_NAME')).toEqual([...touches, ...functionNames.slice(endpoints.length + 1)]);
    expect(told('BUS_NAME')).toEqual(['events/relay-events', 'events/sweep-due']);
    const withFiles = endpoints.filter(({ images, exports }) => images || exports).map((endpoint) => endpoint.function);
    expect(told('BUCKET_NAME')).toEqual([...withFiles, 'accounting/run-exports']);
  });

  it('stays within Lambda’s 4 kB for the largest merchant file', () => {
    const largest = Math.max(
      ...functions.map(({ Properties }) => {
        const { MERCHANT: _, ...others } = Properties.Environment.Variables;
        return JSON.stringify(others).length;
      }),
    );
    expect(largest + 2_500).toBeLessThan(4_096);
  });

  it('lists the known routes only for the function that answers unknown routes', () => {
    expect(functionNames.filter((fn) => 'ROUTES' in environmentOf(fn))).toEqual(['routing/refuse-route']);
  });

  it('has every variable that shared/env.ts reads, and no secret', () => {
    const asked = readFileSync('shared/env.ts', 'utf8').matchAll(/required\('(\w+)'\)/g);
    const known = [
      'BUCKET_NAME',
      'BUS_NAME',
      'DOCUMENT_QUEUE_URL',
      'EXCHANGE_RATES_URL',
      'FILES_BUCKET',
      'MERCHANT',
      'PROCESSOR_SECRETS',
      'PUBLIC_URL',
      'ROUTES',
      'STAGE',
      'TABLE_NAME',
    ];
    const byTheStack = [...asked].map(([, name = '']) => name).filter((name) => !name.startsWith('AWS_'));
    expect([...new Set(byTheStack)].sort()).toEqual(known);
    const set = functions.flatMap(({ Properties }) => Object.keys(Properties.Environment.Variables));
    const ofProcessor = 'PROCESSOR_SECRETS'; // this stack has none
    expect(new Set(set)).toEqual(
      new Set([...known.filter((name) => name !== ofProcessor), 'FUNCTION_LOGS', 'VERSION']),
    );
    const told = functionNames.filter((fn) => 'EXCHANGE_RATES_URL' in environmentOf(fn));
    expect(told).toEqual(['accounting/fetch-rates']);
    expect(JSON.stringify(template.toJSON())).not.toMatch(/[sr]k_(test|live)_|whsec_/);
  });
});

describe('the CloudFormation stacks', () => {
  it('of two merchants in two stages are synthesized together, each with its own name', () => {
    const stacks = [{}, { id: 'other-shop' }].flatMap((fields) =>
      stages.map((stage) => synthesisOf(stage, {}, fields)),
    );
    const names = [
      'tillstack-demo-sandbox',
      'tillstack-demo-live',
      'tillstack-other-shop-sandbox',
      'tillstack-other-shop-live',
    ];
    expect(stacks.map((stack) => stack.stackName)).toEqual(names);
    for (const [index, { templates }] of stacks.entries())
      expect(JSON.stringify(templates)).not.toContain(index < 2 ? 'other-shop' : 'demo');
  });

  it('set no physical names except for bus, access log and saved queries, and these contain the stack’s name', () => {
    const named = Object.values<Resource>(template.toJSON().Resources).filter(({ Type, Properties }) => {
      expect(physicalName).toHaveProperty([Type]);
      return (physicalName[Type] ?? 'none') in Properties;
    });
    const queries = ['AWS::Logs::QueryDefinition', 'AWS::Logs::QueryDefinition'];
    expect(named.map(({ Type }) => Type).sort()).toEqual(['AWS::Events::EventBus', 'AWS::Logs::LogGroup', ...queries]);
    expect(theOnly(template, 'AWS::Events::EventBus').Properties.Name).toMatch(/^tillstackdemolive/);
  });

  it('show their name in the console, on the API and at the top of the dashboard', () => {
    expect(theOnly(template, 'AWS::ApiGatewayV2::Api').Properties.Name).toBe('tillstack-demo-live');
    const { DashboardBody } = theOnly(template, 'AWS::CloudWatch::Dashboard').Properties;
    expect(JSON.stringify(DashboardBody)).toContain('# tillstack-demo-live');
  });

  it('have the tags that divide the AWS bill by merchant, service and stage', () => {
    const tags = { merchant: 'demo', service: 'tillstack', stage: 'live' };
    const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    for (const { Properties } of functions) expect(Properties.Tags).toEqual(list);
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SQS::Queue', 'AWS::Logs::LogGroup'])
      for (const { Properties } of Object.values(resourcesOf(template, type))) expect(Properties.Tags).toEqual(list);
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Api')))
      expect(Properties.Tags).toEqual(tags);
  });

  it('cannot be deleted by mistake in live', () => {
    expect(stages.map((stage) => synthesisOf(stage).terminationProtection)).toEqual([false, true]);
  });

  it('keep every resource with data when they are deleted in live, and none in the sandbox', () => {
    const policies = (stage: Stage, type: string) =>
      Object.values(resourcesOf(templateOf(stage), type)).flatMap((resource) => [
        resource.DeletionPolicy,
        resource.UpdateReplacePolicy,
      ]);
    for (const [type, kept] of [
      ['AWS::DynamoDB::Table', ['Retain']],
      ['AWS::S3::Bucket', ['RetainExceptOnCreate', 'Retain']],
      ['AWS::Logs::LogGroup', ['RetainExceptOnCreate', 'Retain']],
    ] as const) {
      expect(new Set(policies('live', type))).toEqual(new Set(kept));
      expect(new Set(policies('sandbox', type))).toEqual(new Set(['Delete']));
    }
  });

  it('have the outputs address, table, buckets, event bus, processor and version, and no others', () => {
    const buckets = ['BucketName', 'FilesBucketName'];
    const bus = ['EventBusArn', 'EventBusName'];
    const outputs = [...buckets, ...bus, 'Payments', 'PublicUrl', 'TableName', 'Version'].sort();
    expect(Object.keys(template.toJSON().Outputs).sort()).toEqual(outputs);
  });

  it('stay well below CloudFormation’s limits, including each nested stack', () => {
    const { templates } = synthesisOf('live', walled);
    expect(Object.keys(templates).length).toBeGreaterThan(2);
    for (const { Resources: resources, Parameters: parameters = {}, Outputs: outputs = {} } of Object.values(
      templates,
    )) {
      expect(Object.keys(resources).length).toBeLessThan(430);
      for (const few of [parameters, outputs]) expect(Object.keys(few).length).toBeLessThan(150);
      expect(Buffer.byteLength(JSON.stringify(resources, null, 1))).toBeLessThan(800_000);
    }
  });

  it('have no one-click sign-in like the local sandbox: no route and no setting for it', () => {
    expect(endpoints.flatMap(({ paths }) => paths).filter((path) => path.startsWith('/local'))).toEqual([]);
    for (const stage of stages) {
      const deployed = Object.values(resourcesOf(templateOf(stage), 'AWS::Lambda::Function'));
      expect(deployed.length).toBeGreaterThanOrEqual(endpoints.length);
      for (const { Properties } of deployed)
        expect(Object.keys(Properties.Environment.Variables)).not.toContain('ONE_CLICK_SIGN_IN');
      expect(JSON.stringify(templateOf(stage).toJSON())).not.toMatch(/ONE_CLICK_SIGN_IN|\/local\/sign-in/);
    }
  });

  it('contain every declared function', () => {
    const declared = Object.values(declarations).flatMap((declaration) =>
      'function' in declaration ? [declaration.function] : [],
    );
    expect(declared.length).toBeGreaterThanOrEqual(3);
    expect(functionNamesOf({ protection: 'waf' }, { receipts: { from: 'receipts@example.com' } })).toEqual(
      expect.arrayContaining(declared),
    );
  });
});

describe('the order of a deployment', () => {
  const { templates } = synthesisOf('live');
  const resources = Object.values(templates).flatMap((one) => Object.entries<Resource>(one['Resources']));
  const withOffers = endpoints.filter(({ table }) => table.get?.includes('OFFER'));
  const [openers, pricers] = [true, false].map((opens) =>
    withOffers.filter(({ table }) => opens === (table.put?.includes('OFFER') ?? false)).map((line) => line.function),
  );
  const idOf = (name: string) => logicalIdOf(template, 'AWS::Lambda::Function', constructIdOf(name));

  it.each(openers ?? [])('updates %s, which opens sessions, after the functions that calculate its prices', (name) => {
    const folder = nestedFolderOf(name);
    const isItsOwn = ([id, { Type }]: (typeof resources)[number]) =>
      folder === undefined
        ? id === idOf(name)
        : Type === 'AWS::CloudFormation::Stack' && id.startsWith(`${pascalCase(folder)}NestedStack`);
    const [, opener] = resources.find(isItsOwn) ?? [];
    expect(opener?.DependsOn).toEqual(expect.arrayContaining((pricers ?? []).map(idOf)));
    expect(pricers).toHaveLength(3);
  });
});
