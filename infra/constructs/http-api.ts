import { CfnOutput, CfnResource, Fn, NestedStack, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnIntegration,
  CfnRoute,
  type CfnStage,
  DomainName,
  HttpApi as GatewayApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Endpoint } from '../endpoints.ts';
import { metricNamespace } from '../metric-names.ts';
import { publicWriteDivisor, type StageSettings } from '../stage-settings.ts';
import { createLogGroup } from './log-group.ts';
import type { ServiceFunction } from './service-function.ts';

interface HttpApiProps extends Pick<StageSettings, 'throttle' | 'customDomain' | 'logRetentionDays'> {
  /** The API's name in the console. */
  label: string;
  /** Whether a CloudFront distribution is in front of it. Then the distribution has the custom domain. */
  hasFront: boolean;
  /** Whether its access log is kept when the stack is removed. */
  keepsLogs: boolean;
}

/**
 * The fields of the access log. They are only ids and numbers. The buyer's address and the path are left out, because a
 * session's id opens its checkout. CloudWatch adds the time.
 */
export const accessLogFields = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
};

/** The reason why no route has an authorizer, for cdk-nag. */
const withoutAuthorizer = ({ access }: Endpoint): { id: string; reason: string } => ({
  id: 'AwsSolutions-APIG4',
  reason:
    access === 'public'
      ? 'Nobody calls it with a key: buyers and browsers have none, and the dashboard checks its sessions itself.'
      : 'The functions check keys themselves, by one consistent read each: an authorizer would let a revoked key in for as long as it caches.',
});

/** The public HTTP API: one route for each path of an endpoint, throttled and logged, without CORS. */
export class HttpApi extends Construct {
  readonly stage: HttpStage;
  /** The access log, with one line for each request. */
  readonly accessLog: LogGroup;
  /** Counts requests that were refused with 429, because the gateway has no metric for them. */
  readonly tooManyRequests: MetricFilter;
  /**
   * The API's own address, without a trailing slash. If there is a CDN before the API, only the CDN calls this address.
   */
  readonly url: string;
  private readonly api: GatewayApi;
  private readonly throttle: StageSettings['throttle'];
  private headRoutes: NestedStack | undefined;
  private readonly routeSettings: Record<string, object> = {};
  /** The latest route and the latest integration of each stack. */
  private readonly latest = new Map<string, CfnResource>();

  constructor(scope: Construct, id: string, props: HttpApiProps) {
    super(scope, id);
    const customDomain = props.hasFront ? undefined : props.customDomain;
    const domainName = customDomain && this.createDomainName(customDomain);
    this.throttle = props.throttle;
    this.api = new GatewayApi(this, 'Api', {
      apiName: props.label,
      createDefaultStage: false,
      disableExecuteApiEndpoint: domainName !== undefined,
    });
    const logGroupName = vendedLogName(Stack.of(this));
    this.accessLog = createLogGroup(this, 'AccessLog', { ...props, logGroupName });
    this.stage = this.createStage(props, domainName);
    this.tooManyRequests = new MetricFilter(this, 'TooManyRequests', {
      logGroup: this.accessLog,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace,
      metricName: `TooManyRequests-${props.label}`,
    });
    this.url = `https://${customDomain?.domainName ?? this.domainName}`;
  }

  /**
   * The host name of the API. It is made from the API's id, because CloudFormation would ask API Gateway for its
   * endpoint once for each function. It is not secret, but if there is a distribution, no response contains it.
   */
  get domainName(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${this.api.apiId}.execute-api.${region}.${urlSuffix}`;
  }

  /** Adds a route to the function for every path of the endpoint. The routes belong to the function's stack. */
  addEndpoint(endpoint: Endpoint, fn: ServiceFunction): void {
    const scope = fn.stack === Stack.of(this) ? this : fn.stack;
    const integration = new HttpLambdaIntegration('Integration', fn);
    for (const path of endpoint.paths) {
      const route = new HttpRoute(scope, `${endpoint.method} ${path}`, {
        httpApi: this.api,
        routeKey: path === '$default' ? HttpRouteKey.DEFAULT : HttpRouteKey.with(path, HttpMethod[endpoint.method]),
        integration,
      });
      this.settle(route, endpoint, path, `${endpoint.method} ${path}`);
      this.createInTurn(...route.node.findAll().filter(CfnResource.isCfnResource));
      if (endpoint.method === 'GET') this.addHead(endpoint, path, route);
    }
  }

  /**
   * Adds a HEAD route that calls the function of GET. The function's permission covers every method of the path, so
   * only a route is needed. HEAD routes of the stack itself are in a nested stack, because CloudFormation allows 500
   * resources in a stack.
   */
  private addHead(endpoint: Endpoint, path: string, get: HttpRoute): void {
    const { target } = get.node.defaultChild as CfnRoute;
    this.headRoutes ??= new NestedStack(Stack.of(this), 'HeadRoutes');
    const routeKey = `HEAD ${path}`;
    const route = new Construct(Stack.of(get) === Stack.of(this) ? this.headRoutes : Stack.of(get), routeKey);
    this.createInTurn(new CfnRoute(route, 'Resource', { apiId: this.api.apiId, routeKey, target }));
    this.settle(route, endpoint, path, routeKey);
  }

  /**
   * Lets CloudFormation create the routes of a stack one after another, and its integrations likewise. API Gateway
   * accepts few such calls a second, and all routes of a first deployment would be created at once.
   */
  private createInTurn(...added: readonly CfnResource[]): void {
    for (const resource of added.filter(isPaced)) {
      const chain = `${resource.cfnResourceType} ${resource.stack.node.path}`;
      const previous = this.latest.get(chain);
      if (previous) resource.addResourceDependency(previous);
      this.latest.set(chain, resource);
    }
  }

  private settle(route: Construct, endpoint: Endpoint, path: string, routeKey: string): void {
    Validations.of(route).acknowledge(withoutAuthorizer(endpoint));
    if (isPublicWrite(endpoint, path)) this.throttleRoute(route, routeKey);
  }

  private createStage({ throttle }: HttpApiProps, domainName?: DomainName): HttpStage {
    return new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: throttle.ratePerSecond, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
      ...(domainName && { domainMapping: { domainName } }),
    });
  }

  private createDomainName({ domainName, certificateArn }: CustomDomain): DomainName {
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const created = new DomainName(this, 'DomainName', {
      domainName,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(Stack.of(this), 'CnameTarget', {
      description: `The name that a CNAME record of ${domainName} points to`,
      value: created.regionalDomainName,
    });
    return created;
  }

  /**
   * Limits the requests of a route. A stage can only limit routes that exist, so it must be created after the route.
   */
  private throttleRoute(route: Construct, routeKey: string): void {
    this.routeSettings[routeKey] = {
      ThrottlingRateLimit: this.throttle.ratePerSecond / publicWriteDivisor,
      ThrottlingBurstLimit: Math.ceil(this.throttle.burst / publicWriteDivisor),
    };
    const stage = this.stage.node.defaultChild as CfnStage;
    stage.routeSettings = this.routeSettings;
    stage.node.addDependency(route);
  }
}

/** Whether API Gateway creates the resource by one of the calls of which it accepts few a second. */
const isPaced = ({ cfnResourceType: type }: CfnResource): boolean =>
  type === CfnRoute.CFN_RESOURCE_TYPE_NAME || type === CfnIntegration.CFN_RESOURCE_TYPE_NAME;

/**
 * The name of the access log. It begins with a prefix for which the account already has a policy, so that this policy
 * does not grow with each stack. It contains the stack's id, so that it differs from the log of an earlier stack with
 * the same name.
 */
const vendedLogName = (stack: Stack): string =>
  `/aws/vendedlogs/${stack.stackName}-${Fn.select(2, Fn.split('/', stack.stackId))}`;

type CustomDomain = NonNullable<StageSettings['customDomain']>;

/** Buyers ask for several totals before they pay once. */
const quotePath = '/checkout/{id}/quote';

/**
 * Whether a path gets the lower limit. Documents get it too, because opening one may issue it, and draws its PDF each
 * time.
 */
const isPublicWrite = ({ access, method, table }: Endpoint, path: string): boolean =>
  access === 'public' &&
  path !== '$default' &&
  path !== quotePath &&
  (method !== 'GET' || table.put?.includes('DOCUMENT') === true);
