import { describe, expect, it } from 'vitest';
import { endpoints, methodsOf } from '../../infra/endpoints.ts';
import { constructIdOf } from '../../infra/function-names.ts';
import {
  customDomain,
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

const template = templateOf('live');
const stage = theOnly(template, 'AWS::ApiGatewayV2::Stage').Properties;

describe('the routes', () => {
  it('are the paths of the route table, aliases included, and each leads to its own function', () => {
    const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration');
    const deployed = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const integration = Properties.Target['Fn::Join'][1][1].Ref;
      return [Properties.RouteKey, integrations[integration]?.Properties.IntegrationUri['Fn::GetAtt'][0]];
    });
    const declared = endpoints.flatMap((endpoint) =>
      endpoint.paths.flatMap((path) =>
        methodsOf(endpoint).map((method) => [
          path === '$default' ? path : `${method} ${path}`,
          logicalIdOf(template, 'AWS::Lambda::Function', constructIdOf(endpoint.function)),
        ]),
      ),
    );
    expect(declared).toContainEqual(['HEAD /products', expect.any(String)]);
    expect(declared.length).toBeLessThan(280); // API Gateway allows 300
    expect(Object.keys(integrations).length).toBeLessThan(280);
    expect(deployed.sort()).toEqual(declared.sort());
  });

  it('give only this API the permission to call their functions', () => {
    const calls = Object.values(resourcesOf(template, 'AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(calls).toHaveLength(endpoints.flatMap(({ paths }) => paths).length);
    for (const { Properties } of calls)
      expect(JSON.stringify(Properties.SourceArn)).toMatch(/execute-api.*"Ref":"HttpApi/);
  });

  it('pass events of version 2.0 to the functions', () => {
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Integration')))
      expect(Properties.PayloadFormatVersion).toBe('2.0');
  });

  it('send no CORS headers', () => {
    expect(theOnly(template, 'AWS::ApiGatewayV2::Api').Properties).not.toHaveProperty('CorsConfiguration');
  });
});

describe('a first deployment', () => {
  const { templates } = synthesisOf('live');

  it.each(['Route', 'Integration'])('creates one %s after another in each stack', (kind) => {
    const type = `AWS::ApiGatewayV2::${kind}`;
    for (const { Resources } of Object.values(templates)) {
      const ids = Object.entries(Resources as Record<string, Resource>)
        .filter(([, { Type }]) => Type === type)
        .map(([id]) => id);
      const previous = ids.map((id) => (Resources[id].DependsOn ?? []).filter((other: string) => ids.includes(other)));
      expect(previous.filter((others) => others.length === 0)).toHaveLength(Math.min(ids.length, 1));
      expect(new Set(previous.flat()).size).toBe(Math.max(ids.length - 1, 0));
    }
  });

  it('asks API Gateway for no address, because it is made from the API’s id', () => {
    expect(JSON.stringify(templates)).not.toContain('"ApiEndpoint"');
    expect(functionOf(template, 'payments/get-payment').Properties.Environment.Variables.PUBLIC_URL).toEqual({
      'Fn::Join': [
        '',
        [
          'https://',
          { Ref: logicalIdOf(template, 'AWS::ApiGatewayV2::Api', 'HttpApi') },
          '.execute-api.',
          { Ref: 'AWS::Region' },
          '.',
          { Ref: 'AWS::URLSuffix' },
        ],
      ],
    });
  });

  it('stays below the resource limit of CloudFormation in every stack', () => {
    for (const { Resources } of Object.values(synthesisOf('live', walled).templates))
      expect(Object.keys(Resources).length).toBeLessThan(470); // CloudFormation allows 500
  });
});

describe('the stage', () => {
  it('is served at the root of the address, and every deployment takes effect at once', () => {
    expect(stage).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('throttles every route at the merchant’s limits', () => {
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 500 });
    const slow = theOnly(templateOf('sandbox', optional), 'AWS::ApiGatewayV2::Stage').Properties;
    expect(slow.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 });
    // 7 / 4 = 1.75 a second; 9 / 4 = 2.25 at once, of which there are whole ones only
    const quarter = { ThrottlingRateLimit: 1.75, ThrottlingBurstLimit: 3 };
    expect(slow.RouteSettings['POST /checkout/{id}/pay']).toEqual(quarter);
  });

  it('throttles routes that write without a key at a quarter of these limits, but totals not, and is created after those routes', () => {
    const publicWrites = endpoints
      .filter(
        ({ access, method, function: name }) =>
          access === 'public' && (method !== 'GET' || name.startsWith('invoices/')),
      )
      .flatMap((endpoint) =>
        methodsOf(endpoint).flatMap((method) =>
          endpoint.paths
            .filter((path) => !['$default', '/checkout/{id}/quote'].includes(path))
            .map((path) => `${method} ${path}`),
        ),
      );
    for (const known of ['POST /checkout/{id}/pay', 'ANY /dashboard/sign-in', 'GET /invoices/payments/{payment_id}'])
      expect(publicWrites).toContain(known);
    const quarter = { ThrottlingRateLimit: 250, ThrottlingBurstLimit: 125 };
    expect(stage.RouteSettings).toEqual(Object.fromEntries(publicWrites.map((route) => [route, quarter])));
    const routes = Object.entries(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).filter(([, { Properties }]) =>
      publicWrites.includes(Properties.RouteKey),
    );
    for (const [id] of routes) expect(theOnly(template, 'AWS::ApiGatewayV2::Stage').DependsOn).toContain(id);
  });
});

describe('the access log', () => {
  const format = JSON.parse(stage.AccessLogSettings.Format);

  it('is JSON in a separate log, with the request’s id, time, route, status, size, latency and error', () => {
    expect(format).toEqual({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      integrationError: '$context.integrationErrorMessage',
    });
    const log = logicalIdOf(template, 'AWS::Logs::LogGroup', 'HttpAccessLog');
    expect(stage.AccessLogSettings.DestinationArn).toEqual({ 'Fn::GetAtt': [log, 'Arn'] });
    expect(resourcesOf(template, 'AWS::Logs::LogGroup')[log]?.Properties.LogGroupName['Fn::Join'][1]).toEqual([
      '/aws/vendedlogs/tillstack-demo-live-',
      { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] },
    ]);
  });

  it('contains no IP address of a buyer, and no path, because its ids open a checkout', () => {
    expect(stage.AccessLogSettings.Format).not.toMatch(/identity|userAgent|context\.path|authorizer/i);
  });
});

describe('a custom domain', () => {
  const withDomain = templateOf('live', { customDomain });

  it('becomes the only address of the API, and every function gets it', () => {
    expect(functionOf(withDomain, 'payments/get-payment').Properties.Environment.Variables.PUBLIC_URL).toBe(
      'https://pay.example.com',
    );
    expect(theOnly(withDomain, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(withDomain.toJSON().Outputs.PublicUrl.Value).toBe('https://pay.example.com');
  });

  it('is mapped to the stage, over TLS 1.2, and the output names the target of its CNAME record', () => {
    const mapping = theOnly(withDomain, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mapping.Properties).toMatchObject({ Stage: '$default' });
    expect(mapping.DependsOn).toContainEqual(expect.stringMatching(/^HttpStage/));
    const [configuration] = theOnly(withDomain, 'AWS::ApiGatewayV2::DomainName').Properties.DomainNameConfigurations;
    expect(configuration).toEqual({
      CertificateArn: customDomain.certificateArn,
      EndpointType: 'REGIONAL',
      SecurityPolicy: 'TLS_1_2',
    });
    const [domain] = Object.keys(resourcesOf(withDomain, 'AWS::ApiGatewayV2::DomainName'));
    expect(withDomain.toJSON().Outputs.CnameTarget).toMatchObject({
      Value: { 'Fn::GetAtt': [domain, 'RegionalDomainName'] },
    });
  });
});
